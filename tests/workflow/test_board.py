"""The board, from committed runs and the published evidence of 381 repositories."""

from __future__ import annotations

import csv
import gzip
import hashlib
import shutil
from pathlib import Path

import pytest
import yaml

from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.evidence.board import write_board
from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder
from tests.verify.evidence_checks import bring_evidence
from tests.workflow.conftest import read_csv

pytestmark = pytest.mark.workflow
SEEN = {"questions": False, "answers": "likely", "source": "a card"}  # False is an unquoted no


@pytest.fixture(scope="module")
def evidence(root: Path) -> EvidenceFolder:
    return next(one for one in bring_evidence(root) if one.path.parent.name == "ncsed_383")


def write_submission(root: Path, folder: Path, **changed: object) -> Path:
    """The submission of bm25s with other values, alone in a folder."""
    values = yaml.safe_load((root / "results/board/bm25s_names.yaml").read_text()) | changed
    folder.mkdir(parents=True)
    (folder / "one.yaml").write_text(yaml.safe_dump(values))
    return folder


def test_the_board_is_rebuilt_byte_for_byte(
    root: Path, evidence: EvidenceFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a submission of a run that cannot be fetched is handed in: it changes no row."""
    monkeypatch.chdir(root)
    folder = Path(shutil.copytree(root / "results/board", tmp_path / "board"))
    committed = (folder / "board.csv").read_text()
    former = [line for line in committed.splitlines() if not line.endswith(",bm25.yaml")]
    (folder / "board.csv").write_text("\n".join(former))
    values = yaml.safe_load((folder / "bm25s_names.yaml").read_text())
    values |= {"run": "http://127.0.0.1:9/run.trec.gz", "sha256": "0" * 64, "model": "another"}
    values["figures"] = {"strict": 0.5, "kept_back": None, "lenient": 0.4}
    (folder / "remote.yaml").write_text(yaml.safe_dump(values))
    text = (folder / "bm25.yaml").read_text()
    (folder / "bm25.yaml").write_text(text.replace("strict: 0.199", "strict: 0.299"))
    told = write_board(folder, EvidenceFolder(evidence.path.relative_to(root)))
    header, first, *others = (folder / "board.csv").read_text().splitlines(keepends=True)
    assert "".join([header, *others]) == committed
    row = next(csv.DictReader([header, first]))
    assert (row["group"], row["strict_mrr"], row["figures"]) == ("", "0.500000", "handed in")
    assert told[0] == f"{folder}/remote.yaml: has the figures handed in"
    assert told[1:3] == [
        f"{folder}/bm25.yaml: figures.strict: 0.299 is said, 0.199 computed",
        "bm25: strict 0.199 (0.163 to 0.236), group 4",
    ]
    assert all("published_" in line for line in told[3:])


def test_a_model_that_is_there_twice_is_a_mistake(
    root: Path, evidence: EvidenceFolder, tmp_path: Path
) -> None:
    """Also where the other file ends in .yml, which is read, too."""
    folder = write_submission(root, tmp_path / "board")
    shutil.copy(folder / "one.yaml", folder / "two.yml")
    message = "one.yaml: model: another submission has 'BM25 of bm25s, names alone'"
    with pytest.raises(ConfigurationError, match=message):
        write_board(folder, evidence)


@pytest.mark.parametrize(
    ("changed", "error", "told"),
    [
        ({"sha256": "0" * 64}, DataError, r"one.yaml: the run results/board/one.trec.gz has the"),
        ({"corpus": "0" * 12}, DataError, r"one.yaml: --corpus 0{12}: ncsed_383 is corpus f1bc"),
        ({}, DataError, r"one.yaml: results/board/one.trec.gz, line 1: "),
        ({"run": "results/../a.trec"}, ConfigurationError, "one.yaml: run"),
        ({"seen": SEEN | {"code": "maybe"}}, ConfigurationError, "one.yaml: seen.code"),
        ({"figures": {"strict": 2}}, ConfigurationError, "one.yaml: figures.strict"),
        ({"figures": {"strikt": 0.1}}, ConfigurationError, "one.yaml: figures"),
        ({"name": "x"}, ConfigurationError, "one.yaml: unknown key 'name'"),
    ],
)
def test_a_submission_that_does_not_fit_ends_in_one_line(
    root: Path,
    evidence: EvidenceFolder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, object],
    error: type[Exception],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    damaged = gzip.compress(b"1 Q0 no such line\n", mtime=0)
    run = {"run": "results/board/one.trec.gz", "sha256": hashlib.sha256(damaged).hexdigest()}
    folder = write_submission(root, Path("results/board"), **(run | changed))
    (folder / "one.trec.gz").write_bytes(damaged)
    with pytest.raises(error, match=told) as found:
        write_board(folder, evidence)
    assert len(str(found.value).splitlines()) == 1


def test_figures_of_published_systems_are_those_of_their_score_sheet(root: Path) -> None:
    sheet = read_csv(root / "config/published/score_sheet.csv")
    for path in sorted((root / "results/board").glob("published_*.yaml")):
        submission = yaml.safe_load(path.read_text())
        ranks = [row[f"{submission['model'].split()[0]} FRank"] for row in sheet]
        mrr = sum(1 / int(rank) for rank in ranks if rank != "NF") / len(ranks)
        assert submission["figures"]["lenient"] == round(mrr, 3), path
