"""Sets of pairs that hold nothing of the threads of some parts."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.errors import ConfigurationError
from ncsbench.pairs.training_pairs.derived_pairs import (
    THREAD_STEPS,
    leave_out_threads,
    pair_derived,
)
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DerivedOptions, PairOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.thread_parts import THREAD_PART_SCHEMA, ThreadPart
from ncsbench.pipeline.runs.row_models import load_pair_sets, name_thread_sets
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.unit.pairs.test_derived_pairs import load
from tests.unit.pairs.test_pair_files import pair, pair_files
from tests.unit.pairs.test_threads import code, threads_of

SELECTED, TRAINED = code(1), code(2)
PAIRS = [
    pair("stackoverflow:77:1", "another title", "f(x);", "https://stackoverflow.com/a/77"),
    pair("stackoverflow:78:1", "another title", code(9)),
    pair("github:a/b#L1", "a file read", code(8)),
    pair("github:a/b#L2", "reads it", f"void m() {{ {SELECTED} }}"),
    pair("set:1", "reads it so", SELECTED.replace(".", " . ")),
    pair("github:a/b#L3", "writes it", TRAINED),
]


def write_files(folder: Path) -> Path:
    table = threads_of((70, "Read a file", SELECTED), (71, "Write a file", TRAINED))
    rows = table.to_pylist()
    rows[0] |= {"question_url": "https://stackoverflow.com/q/70"}
    write_table(
        folder / "threads.parquet", pa.Table.from_pylist(rows, QUESTION_SCHEMA), QUESTION_SCHEMA
    )
    parts = {"query_id": [1, 2], "part": ["selection", "training"], "group": [70, 71]}
    write_table(
        folder / "thread_parts.parquet", pa.table(parts, THREAD_PART_SCHEMA), THREAD_PART_SCHEMA
    )
    pairs = [row | {"query_url": ""} for row in PAIRS]
    # An answer of the thread that is not the chosen one.
    pairs[0]["query_url"] = "https://stackoverflow.com/questions/70/read-a-file"
    path = folder / "pairs.parquet"
    write_table(path, pa.Table.from_pylist(pairs, PAIR_SCHEMA), PAIR_SCHEMA)
    return path


def leave_out(
    folder: Path, *parts: ThreadPart, excluded: tuple[str, ...] = ()
) -> tuple[list[str], list[str]]:
    funnel = Funnel(THREAD_STEPS)
    left = leave_out_threads(write_files(folder), folder, parts, funnel, excluded)
    return [one.row["key"] for one in left], [row["removed"] for row in funnel.rows()[:4]]


def test_pairs_with_a_post_a_title_or_nearly_the_code_of_a_thread_leave_the_set(
    tmp_path: Path,
) -> None:
    keys, removed = leave_out(tmp_path, "selection", "test")
    assert keys == ["stackoverflow:78:1", "github:a/b#L3"]
    assert removed == ["0", "1", "1", "2"]


def test_threads_of_other_parts_stay_in_the_set(tmp_path: Path) -> None:
    assert leave_out(tmp_path, "training")[0] == [row["key"] for row in PAIRS[:5]]
    assert leave_out(tmp_path, "test")[0] == [row["key"] for row in PAIRS]


def test_pairs_with_an_excluded_key_leave_the_set(tmp_path: Path) -> None:
    keys, _ = leave_out(tmp_path, "test", excluded=("github:a/b#L3", "no such key"))
    assert keys == [row["key"] for row in PAIRS if row["key"] != "github:a/b#L3"]
    with pytest.raises(ConfigurationError, match="excluded_keys go with without_threads"):
        DerivedOptions.parse(
            {"kind": "derived", "of": "x", "rules": "as_released", "excluded_keys": ["a"]},
            where="x.yaml",
        )


def test_a_set_without_threads_needs_the_folder_of_the_threads(tmp_path: Path) -> None:
    pairs, files = [write_files(tmp_path)], pair_files(tmp_path)
    settings = DerivedOptions(kind="derived", of="x", without_threads=("training", "selection"))
    with pytest.raises(ConfigurationError, match="without_threads needs threads; give --threads"):
        pair_derived(settings, pairs, files)
    pair_derived(settings, pairs, files, tmp_path)
    assert read_table(tmp_path / "output", PAIR_SCHEMA)["key"].to_pylist() == ["stackoverflow:78:1"]
    assert "pair,no snippet of a thread,1,3" in (tmp_path / "funnel").read_text()


def test_parts_of_threads_are_known_by_name() -> None:
    for parts in ([], ["fold0"], ["test", "test"]):
        with pytest.raises(ConfigurationError, match="without_threads"):
            DerivedOptions.parse(
                {"kind": "derived", "of": "x", "without_threads": parts}, where="x.yaml"
            )


def test_without_posts_there_are_no_sets_without_threads(tmp_path: Path) -> None:
    sets = {
        "raw": "kind: docstrings",
        "apart": "{kind: derived, of: raw, without_threads: [test]}",
        "few": "{kind: derived, of: apart, rules: as_released}",
        "kept": "{kind: derived, of: raw, rules: as_released}",
    }
    made, absent = load(tmp_path, **sets)
    assert made == ["kept", "raw"]
    assert absent == {
        "apart": "the dataset has no 'posts'",
        "few": "it is made of the pairs 'apart', and the dataset has no 'posts'",
    }
    with_posts, _ = load_pair_sets(tmp_path, with_posts=True, files={})
    assert name_thread_sets(with_posts) == ["apart", "few"]


def test_a_set_without_threads_is_derived_from_the_file_of_its_pairs(tmp_path: Path) -> None:
    def read(raw: str, **more: str) -> dict[str, PairOptions]:
        load(tmp_path, raw=raw, **more)
        return load_pair_sets(tmp_path, with_posts=True, files={})[0]

    sets = read("{kind: docstrings, threadless: apart, excluded_keys: [a]}")
    assert sets["raw"].as_json() == {"kind": "docstrings"}  # what the set itself is made with
    assert sets["apart"].as_json() == {
        **{"kind": "derived", "of": "raw", "without_threads": ["selection", "test"]},
        "excluded_keys": ["a"],
    }
    assert load(tmp_path)[1] == {"apart": "the dataset has no 'posts'"}
    for name in ("raw", "other"):
        with pytest.raises(ConfigurationError, match=f"another set is called '{name}'; rename one"):
            read(f"{{kind: docstrings, threadless: {name}}}", other="kind: docstrings")


def test_a_shipped_set_of_each_source_is_without_held_out_threads(root: Path) -> None:
    files = {"deepcs_10k": str(root / "README.md"), "neuralcodesum_java": str(root / "README.md")}
    sets, _ = load_pair_sets(root, with_posts=True, files=files)
    without = [getattr(sets[name], "without_threads", None) for name in name_thread_sets(sets)]
    assert without == [("selection", "test")] * 5
