"""Published examples that lie in the corpus, and their judgements."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity import UNPRUNED, similarity_of_sizes
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import DataError
from ncsbench.evaluation.haystacks.members import EXAMPLE_SCHEMA, find_examples
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.measures.judged_rankings import read_judged_runs
from tests.ranked_runs import make_run


def method(id_: int, path: str, start: int, end: int) -> dict[str, object]:
    return {
        "id": id_, "repository": "a/b", "path": path, "start_line": start, "end_line": end,
    }  # fmt: skip


def test_examples_are_found_by_repository_path_and_lines_dev_39() -> None:
    tables = [
        pa.Table.from_pylist([method(0, "x y/C.java", 10, 12), method(1, "x y/C.java", 14, 20)]),
        pa.Table.from_pylist([method(2, "D.java", 3, 3), method(3, "D.java", 3, 3)]),
    ]
    links = {
        4: [
            "https://github.com/a/b/blob/0f0f/x%20y/C.java#L14-L20",
            "https://github.com/a/b/blob/another/x%20y/C.java#L10-L13",
            "https://github.com/a/b/blob/0f0f/D.java#L3",
        ],
        2: ["https://github.com/a/b/blob/0f0f/x%20y/C.java#L14-L20", "https://example.invalid/"],
        3: [],
    }
    found = find_examples(links, tables)
    assert found.schema.equals(EXAMPLE_SCHEMA)
    assert [(r["query_id"], r["rank"], r["id"]) for r in found.to_pylist()] == [
        (2, 1, 1), (4, 1, 1), (4, 3, 2),
    ]  # fmt: skip
    assert find_examples({}, tables).num_rows == 0


def judgements(pairs: list[tuple[int, int, float]]) -> pa.Table:
    rows, ids, values = zip(*pairs, strict=True)
    return pa.table([rows, ids, *([values] * len(SIMILARITIES))], schema=JUDGEMENT_SCHEMA)


def test_rankings_are_read_with_their_judgements(tmp_path: Path) -> None:
    run = make_run(
        query_ids=np.array([2, 2, 9], np.int32), ids=np.array([5, 1, 5]),
        scores=np.array([1.0, 2.0, 3.0]), depth=50,
    )  # fmt: skip
    write_run(tmp_path / "runs" / "ncs.trec.gz", run, tag="ncs")
    write_table(
        tmp_path / "ncs.parquet",
        judgements([(2, 1, 0.1), (2, 5, 0.5), (9, 5, 0.9)]),
        JUDGEMENT_SCHEMA,
    )
    rows = np.array([1, 2], np.int32)
    options = {"query_ids": rows, "depth": 3, "results": tmp_path, "judgements": tmp_path}
    (read,) = read_judged_runs(["ncs"], **options)
    assert read.ids.tolist() == [[-1, -1, -1], [1, 5, -1]]
    assert read.similarities[0].tolist() == [[0, 0, 0], [0.1, 0.5, 0]]
    assert read.first_ranks("dice", 0.25).tolist() == [0, 2]
    write_table(tmp_path / "ncs.parquet", judgements([(2, 1, 0.1)]), JUDGEMENT_SCHEMA)
    with pytest.raises(DataError, match="method 5 of question 2 is not judged"):
        read_judged_runs(["ncs"], **options)


@pytest.mark.shared
def test_charged_overlap_keeps_the_best_examples_of_the_reference_scores(shared: Path) -> None:
    """Also where they lie outside the corpus at hand; similarities there have six digits."""
    best: dict[str, float] = {}
    with (shared / "data/aroma/example_scores_dev.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            answer, method = int(row["n_answer_features_outer"]), int(row["n_method_features"])
            common = float(row["containment_outer"]) * answer
            value = similarity_of_sizes(
                UNPRUNED.index("charged_overlap"), common, answer, method, 1, 1, 1
            )
            id_ = row["stackoverflow_id"]
            best[id_] = max(best.get(id_, 0.0), value)
    assert (sum(value > 0.28 for value in best.values()), len(best)) == (181, 182)
