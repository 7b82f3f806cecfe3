"""Variants compared on threads: figures by hand, choice, table, mistakes."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.artifacts.storage import write_json, write_table
from ncsbench.cli.learning_to_rank import app
from ncsbench.errors import ConfigurationError, DataError, NcsbenchError
from ncsbench.learning_to_rank.thread_comparison import (
    COMPARISON_COLUMNS,
    compare_variants,
    find_difference,
)
from ncsbench.learning_to_rank.thread_queries import read_part_queries
from ncsbench.pairs.thread_parts import THREAD_PART_SCHEMA
from ncsbench.questions.question_schema import QUESTION_SCHEMA
from ncsbench.runs.rankings import Run
from ncsbench.runs.trec_files import write_run
from tests.unit.test_ranking_trees import write_judgements

CORPUS = "c0" * 20
# By judge, then by thread.
PUBLISHED = {"p": [[1, 0, 0, 0], [0, 0, 0, 0]], "q": [[0, 0, 1, 0], [0.5, 0, 0, 0]]}
VARIANTS = {
    "poor": [[1, 0.5, 0, 0.5], [0, 0, 0, 0]],
    "simple": [[1, 0.5, 0, 0.5], [0.5, 0.5, 0, 0]],
    "rich": [[1, 1, 0, 1], [0.5, 0.5, 0.25, 0]],
}
SETTINGS: dict[str, Any] = {
    "part": "selection",
    "judged_against": ["old", "older"],
    "variants": [{"name": "new", "runs": ["new", "new-seed2"]}, {"name": "far", "runs": ["far"]}],
}


def as_arrays(figures: dict[str, list[list[float]]]) -> dict[str, NDArray[np.float64]]:
    return {name: np.array(rows, np.float64) for name, rows in figures.items()}


def test_a_difference_is_paired_by_thread() -> None:
    # 0, 1/2, 0, 1/2: each 1/4 from the mean, so the standard deviation is the root of 4/16 by 3.
    found = find_difference(np.array([1, 0.5, 0, 0.5]), np.array([1.0, 0, 0, 0]))
    assert found.mean == 0.25
    assert found.error == pytest.approx(math.sqrt(1 / 12) / 2)
    assert found.z == pytest.approx(math.sqrt(3))
    same, half = np.array([0.5, 0.25]), np.full(2, 0.5)
    assert find_difference(same, same).z == 0
    assert find_difference(half, half / 2).z == math.inf
    assert find_difference(half / 2, half).z == -math.inf


def test_the_simplest_variant_within_one_standard_error_is_chosen() -> None:
    found = compare_variants(as_arrays(VARIANTS), as_arrays(PUBLISHED))
    # The first of two with an MRR of 1/4; under the strict judge q has 1/8.
    assert found.against == ("p", "q")
    assert [one.z for one in found.differences["simple"]] == pytest.approx([math.sqrt(3), 1])
    # Strictly, 0, 1/2, 1/4, 0: mean 3/16, squares from it 44/256 in all.
    strict = 3 / 16 / (math.sqrt(44 / 256 / 3) / 2)
    assert [one.z for one in found.differences["rich"]] == pytest.approx([math.sqrt(3), strict])
    assert found.find_minimum("rich") == pytest.approx(strict) and strict > 1
    # Of poor, strictly, -1/2 and 0: z is -1.
    behind = [found.find_behind(name) for name in VARIANTS]
    assert behind == pytest.approx([strict + 1, strict - 1, 0])
    assert [found.is_within(name) for name in VARIANTS] == [False, True, True]
    assert found.chosen == "simple"


def test_of_equal_variants_the_first_is_the_best() -> None:
    equal = {"one": VARIANTS["rich"], "other": VARIANTS["rich"]}
    found = compare_variants(as_arrays(equal), as_arrays(PUBLISHED))
    assert found.chosen == "one" and found.is_within("other")
    # With the best one last, one that is too far behind is not taken though it is simpler.
    far = {"poor": VARIANTS["poor"], "rich": VARIANTS["rich"]}
    assert compare_variants(as_arrays(far), as_arrays(PUBLISHED)).chosen == "rich"


def test_a_gain_under_one_judge_makes_up_for_no_loss_under_the_other() -> None:
    # Far better than the best one under the judge that decides about that, and far worse otherwise.
    lopsided = [[0, 0, 0.25, 0], [1, 1, 1, 0.5]]
    figures = as_arrays({"lopsided": lopsided, "rich": VARIANTS["rich"]})
    found = compare_variants(figures, as_arrays(PUBLISHED))
    assert found.find_minimum("lopsided") < 0 < found.find_minimum("rich") - 1
    assert found.chosen == "rich"


def write_threads(folder: Path, parts: list[str]) -> None:
    fill = {pa.string(): "x", pa.int32(): 1}
    columns = {field.name: [fill.get(field.type, [])] * len(parts) for field in QUESTION_SCHEMA}
    columns["query_id"] = list(range(1, len(parts) + 1))
    write_table(folder / "threads.parquet", pa.table(columns, QUESTION_SCHEMA), QUESTION_SCHEMA)
    rows = [{"query_id": row + 1, "part": part, "group": row} for row, part in enumerate(parts)]
    table = pa.Table.from_pylist(rows, THREAD_PART_SCHEMA)
    write_table(folder / "parts.parquet", table, THREAD_PART_SCHEMA)


def write_judged(folder: Path, name: str, found: dict[int, str], judged: bool = True) -> None:
    """A ranking for each thread: a result is d, s or b where the default, strict or both accept."""
    rows = [(thread, id_, what) for thread, each in found.items() for id_, what in enumerate(each)]
    threads, ids, _ = zip(*rows, strict=True)
    run = Run(np.array(threads, np.int32), np.array(ids, np.int64), -np.array(ids, np.float64))
    path = folder / "runs" / name / "selection.trec"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_run(path, run, tag=name, corpus_hash=CORPUS)
    if judged:
        path = folder / "judged" / name / "selection.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        similarities = {(t, id_): (float(w in "db"), float(w in "sb")) for t, id_, w in rows}
        write_judgements(path, similarities)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_threads(tmp_path, ["selection", "fold0", "selection"])
    write_judged(tmp_path, "old", {1: "--d", 3: "s--"})
    write_judged(tmp_path, "older", {1: "----d", 3: "---s"})
    write_judged(tmp_path, "new", {1: "b", 3: "--b"})
    write_judged(tmp_path, "new-seed2", {1: "-b", 3: "-"})
    write_judged(tmp_path, "far", {3: "-d"})
    return tmp_path


def compare(folder: Path, **changes: Any) -> list[dict[str, str]]:
    write_json(folder / "settings.json", SETTINGS | changes)
    files = {
        **{"settings": "settings.json", "threads": "threads.parquet"},
        **{"thread-parts": "parts.parquet", "runs": "runs", "judgements": "judged"},
    }
    words = [word for key, name in files.items() for word in (f"--{key}", str(folder / name))]
    with one_corpus():
        done = CliRunner().invoke(app, ["compare", *words, "--output", str(folder / "table.csv")])
    if isinstance(done.exception, NcsbenchError):
        raise done.exception
    assert done.exit_code == 0, (done.output, done.exception)
    with (folder / "table.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_a_row_for_each_variant_and_judge(folder: Path) -> None:
    table = compare(folder)
    assert [tuple(row) for row in table] == [COMPARISON_COLUMNS] * 4
    assert [(row["variant"], row["judge"], row["seeds"]) for row in table] == [
        *(("new", "default", "2"), ("new", "strict", "2")),
        *(("far", "default", "1"), ("far", "strict", "1")),
    ]
    first, strict, far, _ = table
    # Thread 1: mean of 1 and 1/2; thread 3: of 1/3 and 0. Against 1/3 and 0: 5/12 and 1/6.
    assert first["threads"] == "2" and first["mrr"] == f"{(3 / 4 + 1 / 6) / 2:.4f}"
    assert (first["against"], first["against_mrr"]) == ("old", f"{1 / 6:.4f}")
    assert first["difference"] == f"+{7 / 24:.4f}" and first["standard_error"] == f"{1 / 8:.4f}"
    assert first["z"] == f"+{7 / 3:.4f}"
    # Strictly against 0 and 1: 3/4 and -5/6.
    assert strict["difference"] == f"{-1 / 24:.4f}"
    assert strict["z"] == strict["minimum_z"] == first["minimum_z"] == f"{-1 / 19:.4f}"
    assert [row["chosen"] for row in table] == ["yes", "yes", "no", "no"]
    assert (first["behind_best"], first["within"]) == ("0.0000", "yes")
    # Strictly 0 and -1 against old: z is -1.
    assert (far["minimum_z"], far["behind_best"]) == ("-1.0000", f"{1 - 1 / 19:.4f}")
    assert far["within"] == "yes"


def test_ranks_below_the_depth_do_not_count(folder: Path) -> None:
    write_judged(folder, "far", {1: "-" * 10 + "b", 3: "-" * 9 + "b"})
    assert [row["mrr"] for row in compare(folder, depth=10)[2:]] == ["0.0500"] * 2


def test_what_does_not_fit_ends_in_one_line(folder: Path) -> None:
    write_judged(folder, "far", {1: "b", 2: "b"})
    with pytest.raises(DataError, match=r"far/selection.trec: thread 2 is not in the part select"):
        compare(folder)
    write_judged(folder, "far", {1: "----b", 3: "b-"}, judged=False)
    with pytest.raises(DataError, match="of question 1 is not judged; judge again"):
        compare(folder)
    (folder / "judged/far/selection.parquet").unlink()
    with pytest.raises(DataError, match=r"judged/far/selection.parquet: cannot be read"):
        compare(folder)
    with pytest.raises(DataError, match="threads in the part test: 0; to compare takes two"):
        compare(folder, part="test")
    write_threads(folder, ["selection", "fold0", "test"])
    with pytest.raises(DataError, match="threads in the part test: 1; to compare takes two"):
        compare(folder, part="test")
    with pytest.raises(ConfigurationError, match="part"):
        compare(folder, part="fold0")


def test_threads_of_a_part_are_queries_by_id(folder: Path) -> None:
    threads, parts = folder / "threads.parquet", folder / "parts.parquet"
    assert [one.query_id for one in read_part_queries(threads, parts, "selection")] == [1, 3]
    assert [one.query_id for one in read_part_queries(threads, None, None)] == [1, 2, 3]
    for given in ((parts, None), (None, "fold0")):
        with pytest.raises(ConfigurationError, match="--thread-parts and --part go together"):
            read_part_queries(threads, *given)
    with pytest.raises(ConfigurationError, match="--part fold2: is no part of threads"):
        read_part_queries(threads, parts, "fold2")
