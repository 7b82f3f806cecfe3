"""Artifacts of the sample are compared with committed sums, and settings are left out."""

from pathlib import Path

import pytest

from tests.verify.artifact_sums import check_artifact_sums, write_artifact_sums

WORDS = "data/sample/words/3516b885/tokens.npy"
VECTORS = "data/sample/embeddings/d2976b77/vectors.npy"
SUMS = {WORDS: "a" * 64, VECTORS: "b" * 64, "results/sample/runs/bm25.trec.gz": "c" * 64}


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    settings = {"data/sample/words/3516b885/words.json": "d" * 64, "data/sample/logs/x": "e" * 64}
    write_artifact_sums(tmp_path / "sums", {**SUMS, **settings})
    return tmp_path / "sums"


def test_settings_and_logs_have_no_sum(committed: Path) -> None:
    assert len(committed.read_text().splitlines()) == 1 + len(SUMS)
    assert check_artifact_sums(committed, SUMS) == (3, [], [])


def test_an_artifact_may_move_to_a_folder_of_other_settings(committed: Path) -> None:
    moved = {name.replace("d2976b77", "00000000"): value for name, value in SUMS.items()}
    assert check_artifact_sums(committed, moved).problems == []
    del moved[VECTORS.replace("d2976b77", "00000000")]
    assert check_artifact_sums(committed, moved).problems == [
        f"{VECTORS}: no file of this name has the committed bytes"
    ]


def test_another_processor_may_round_otherwise_but_reads_the_same_words(committed: Path) -> None:
    made = {**SUMS, WORDS: "0" * 64, VECTORS: "0" * 64}
    assert [line.split(":")[0] for line in check_artifact_sums(committed, made).problems] == [
        VECTORS,
        WORDS,
    ]
    _, _, rest = committed.read_text().partition("\n")
    committed.write_text(f"# processor: another one\n{rest}")
    check = check_artifact_sums(committed, made)
    assert check.same == 1 and check.rounded == [VECTORS]
    assert [line.split(":")[0] for line in check.problems] == [WORDS]


def test_a_line_that_is_no_sum_is_refused(committed: Path) -> None:
    committed.write_text(committed.read_text() + "tokens.npy\n")
    with pytest.raises(ValueError, match="line 5: must be a SHA-256"):
        check_artifact_sums(committed, SUMS)
