"""Table 1 under every similarity, and results that are copies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA, MATCH_SCHEMA
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking
from ncsbench.evaluation.measures.result_checks import (
    SENSITIVITY_COLUMNS,
    MethodComparison,
    count_near_answers,
    count_repeated,
    list_judges,
    write_sensitivity,
)
from ncsbench.evaluation.statistics.evaluation_options import NEAR, StudySettings
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.ranked_runs import make_run

SETTINGS = StudySettings.parse({
    "dataset": "tiny", "models": ["ncs"], "depth": 50, "judge": "dice", "threshold": 0.25,
    "own_judge": "charged_overlap", "own_threshold": 0.28,
}, where="settings")  # fmt: skip


def question(row: int) -> dict[str, object]:
    texts = {
        field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()
    }  # fmt: skip
    return {
        **texts, "query_id": row, "occurrence": 1, "examples": [], "examples_url": [],
        "stackoverflow_id": str(row),
    }  # fmt: skip


def test_every_measure_has_its_figures_and_a_ceiling(tmp_path: Path) -> None:
    questions = pa.Table.from_pylist([question(1), question(2)], QUESTION_SCHEMA)
    write_table(tmp_path / "questions.parquet", questions, QUESTION_SCHEMA)
    run = make_run(
        query_ids=np.array([1, 1, 2], np.int32), ids=np.array([4, 6, 4]),
        scores=np.array([2.0, 1.0, 1.0]), depth=50,
    )  # fmt: skip
    write_run(tmp_path / "runs" / "ncs.trec.gz", run, tag="ncs")
    judged = {"query_id": [1, 1, 2], "id": [4, 6, 4], **{m: [0.0, 0.0, 0.0] for m in SIMILARITIES}}
    judged |= {"dice": [0.25, 0.3, 0.2], "charged_overlap": [0.27, 0.5, 0.0]}
    write_table(tmp_path / "ncs.parquet", pa.table(judged), JUDGEMENT_SCHEMA)
    matches = pa.table(
        [["dice", "dice", "charged_overlap"], [1, 2, 1], [1, 1, 1], [6, 9, 6], [0.3, 0.4, 0.28]],
        schema=MATCH_SCHEMA,
    )
    write_table(tmp_path / "matches.parquet", matches, MATCH_SCHEMA)
    write_sensitivity(
        settings=SETTINGS,
        questions=tmp_path / "questions.parquet",
        judgements=tmp_path,
        results=tmp_path,
        matches=tmp_path / "matches.parquet",
        output=tmp_path / "out.csv",
    )
    rows = read_rows(tmp_path / "out.csv", SENSITIVITY_COLUMNS)
    assert len(rows) == 2 * (len(SIMILARITIES) + 1)
    found = {
        (r["judge"], r["threshold"], r["model"]): (r["answered_1"], r["answered_5"], r["mrr"])
        for r in rows
    }
    assert found["dice", "0.25", "ncs"] == ("0", "1", "0.250000")
    assert found["dice", "0.25", "ceiling"] == ("2", "2", "1.000000")
    assert found["charged_overlap", "0.25", "ncs"] == ("1", "1", "0.500000")
    assert found["charged_overlap", "0.28", "ncs"] == ("0", "1", "0.250000")
    assert found["charged_overlap", "0.25", "ceiling"] == ("1", "1", "0.500000")
    assert found["charged_overlap", "0.28", "ceiling"] == ("0", "0", "0.000000")
    assert found["jaccard", "0.25", "ncs"] == ("0", "0", "0.000000")


def test_the_own_threshold_is_listed_once() -> None:
    assert len(list_judges(SETTINGS)) == len(SIMILARITIES) + 1
    assert len(list_judges(SETTINGS.changed(own_threshold=0.25))) == len(SIMILARITIES)


LOOP = """int total = 0; int largest = 0; for (Row row : table.rows()) {
    if (row.isOpen() && row.weight() > 3) { total += row.weight(); log.print(row.name()); }
    largest = Math.max(largest, row.weight()); seen.add(row); counts.put(row.name(), total); }
    if (total > largest) { log.print(table.title()); }"""
METHODS = [
    f"int a() {{ {LOOP} return total; }}",
    f"int renamed() {{ {LOOP.replace('total', 'sum')} return sum; }}",  # equal features
    f"int larger() {{ {LOOP.replace('3', '4')} return total; }}",  # nearly
    "void other() { Toast.makeText(this, text, 1).show(); }",
    "void broken( {",
    "void broken too( {",
    f"int part() {{ {LOOP} start(); while (isOpen()) {{ read(buffer); }} close(); return 1; }}",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> JudgeIndex:
    folder = tmp_path_factory.mktemp("index")
    for shard, part in enumerate((slice(2), slice(2, None))):
        build_shard(
            iter(METHODS[part]), shard=shard, shards=2, first_id=part.start or 0,
            corpus_hash="x", output=folder,
        )  # fmt: skip
    return JudgeIndex(folder)


@pytest.fixture(scope="module")
def comparison(index: JudgeIndex) -> MethodComparison:
    return MethodComparison(index, "pruned_jaccard_leaf", NEAR)


def test_equal_methods_have_equal_features(comparison: MethodComparison) -> None:
    assert comparison.are_equal(0, 1)
    assert not comparison.are_equal(0, 2)
    assert not comparison.are_equal(4, 5)  # methods that cannot be read equal nothing


def test_near_identical_methods_are_similar_both_ways(comparison: MethodComparison) -> None:
    assert comparison.are_near_identical(0, 1)
    assert comparison.are_near_identical(0, 2)
    assert not comparison.are_near_identical(0, 3)
    assert not comparison.are_near_identical(4, 5)
    # Pruning finds the whole first method in the longer one, but not the other way round.
    assert not comparison.are_near_identical(0, 6)
    assert not comparison.are_near_identical(6, 0)


def ranking(ids: list[list[int]], similarities: list[list[float]]) -> JudgedRanking:
    values = np.repeat(np.array(similarities)[None], len(SIMILARITIES), axis=0)
    return JudgedRanking("ncs", np.array(ids), values)


def test_repetitions_of_earlier_results_are_counted(comparison: MethodComparison) -> None:
    listed = [[0, 3, 1, 2, 6, -1], [4, 5, 3, -1, -1, -1], [2, 0, 1, 6, 5, 4]]
    assert count_repeated(ranking(listed, [[0.0] * 6] * 3), comparison) == (4, 2)


def test_copies_of_the_answer_are_told_from_other_accepted_results() -> None:
    similarities = [[0.95, 0.1, 0.5], [0.95, 0.1, 0.2], [0.9, 0.0, 0.0], [0.0, 0.0, 0.0]]
    listed = [[0, 1, 2], [0, 1, 2], [0, 1, -1], [0, -1, -1]]
    cells = count_near_answers(ranking(listed, similarities), "dice", 0.25)
    at_1 = {name.removesuffix("_1"): value for name, value in cells.items() if name[-2:] == "_1"}
    assert at_1 == {
        "results": 4, "accepted": 3, "near_answer": 2, "answered": 3, "answered_by_near": 2,
        "answered_without_near": 1,
    }  # fmt: skip
    assert (cells["results_5"], cells["accepted_5"], cells["near_answer_5"]) == (9, 4, 2)
    assert (cells["answered_5"], cells["answered_without_near_5"]) == (3, 2)
