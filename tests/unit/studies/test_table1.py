from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.corpus.layout.ledger_schema import FIRST_SCHEMA
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.measures import judged_rankings
from ncsbench.evaluation.measures.judged_rankings import JudgedRanking, StudyQuestions
from ncsbench.evaluation.measures.results import Judge, ModelResult, Ranks, Replicate, format_value
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.studies.ncsed import table1_without_copies as module
from ncsbench.studies.ncsed.table1 import (
    build_paired_differences,
    build_table1,
    collect_metrics,
    write_paired_differences,
)
from ncsbench.studies.ncsed.table1_files import CELLS
from ncsbench.studies.ncsed.table1_without_copies import COLUMNS, find_first_ranks
from ncsbench.studies.ncsed.table_settings import TableSettings

JUDGES = {
    "lenient": Judge(similarity="pruned_jaccard_leaf", threshold=0.25),
    "strict": Judge(similarity="dice", threshold=0.25),
    "charged": Judge(similarity="charged_overlap", threshold=0.28),
}


def by_judge(lenient: list[int], strict: list[int]) -> Ranks:
    ranks = zip(JUDGES, (lenient, strict, lenient), strict=True)
    return {name: np.array(each, np.int32) for name, each in ranks}


def result(name: str, ranks: list[int], strict: list[int], lines: float | None) -> ModelResult:
    return ModelResult(
        name=name,
        trained_on="search corpus" if name == "ncs" else "",
        ranks=by_judge(ranks, strict),
        median_lines=lines,
    )


BM25 = result("bm25", [1, 0, 7, 3], [0, 0, 0, 3], 12.0)
NCS = result("ncs", [1, 1, 0, 2], [1, 0, 0, 0], 8.5)
CEILING = by_judge([1, 1, 1, 1], [1, 0, 0, 1])


def table(results: list[ModelResult], ceiling: Ranks | None) -> list[Row]:
    return build_table1(
        dataset="sample",
        results=results,
        ceiling=ceiling,
        judges=JUDGES,
        sampling=Sampling(0, 2000),
    )


def test_metrics_for_dvc_are_few() -> None:
    rows = [*table([BM25], CEILING), {**dict.fromkeys(CELLS, ""), "model": "SCS"}]
    assert collect_metrics(rows) == {
        "bm25": {"answered_10": 3, "mrr": 0.369048, "strict_mrr": 0.083333},
        "ceiling": {"answered_10": 4, "mrr": 1.0, "strict_mrr": 0.5},
    }


def test_figures_dev_32() -> None:
    row = table([NCS, BM25], CEILING)[1]
    expected = {
        "dataset": "sample",
        "trained_on": "",
        "judge": "pruned_jaccard_leaf",
        "threshold": "0.25",
        "questions": "4",
        "answered_1": "1",
        "answered_5": "2",
        "answered_10": "3",
        "mrr": f"{(1 + 1 / 7 + 1 / 3) / 4:.6f}",
        "strict_judge": "dice",
        "strict_answered_5": "1",
        "strict_mrr": "0.083333",
        "charged_judge": "charged_overlap",
        "charged_threshold": "0.28",
        "charged_answered_10": "3",
        "median_lines": "12",
        "published_mrr": "",
    }
    assert {column: row[column] for column in expected} == expected
    assert float(row["answered_5_low"]) < 2 < float(row["answered_5_high"])


def test_the_ceiling_is_a_perfect_ranking() -> None:
    row = table([BM25], CEILING)[-1]
    assert [row[f"answered_{k}"] for k in (1, 5, 10)] == ["4", "4", "4"]
    assert (row["mrr"], row["mrr_low"], row["mrr_high"]) == ("1.000000",) * 3
    assert [row[f"strict_answered_{k}"] for k in (1, 5, 10)] == ["2", "2", "2"]
    assert row["strict_mrr"] == "0.500000"
    assert row["strict_answered_1_low"] == row["strict_answered_10_low"] == "0.6"
    assert (row["median_lines"], row["trained_on"]) == ("", "")
    assert [each["model"] for each in table([BM25], None)] == ["bm25"]


def test_other_models_do_not_change_a_row() -> None:
    assert table([BM25, NCS], CEILING)[1] == table([NCS], None)[0]


def test_names_must_be_distinct() -> None:
    with pytest.raises(ConfigurationError, match="distinct names other than 'ceiling'"):
        table([BM25, BM25], None)
    with pytest.raises(ConfigurationError, match="distinct names"):
        table([result("ceiling", [1], [1], None)], None)


def test_all_models_answer_the_same_questions() -> None:
    with pytest.raises(ValueError, match="draws for 4 questions"):
        table([BM25, result("short", [1], [1], None)], None)


def test_no_questions() -> None:
    row = table([result("m", [], [], None)], None)[0]
    assert (row["questions"], row["answered_10"], row["mrr_high"]) == ("0", "0", "0.000000")


def differences(comparisons: list[tuple[str, str]], judges: dict[str, Judge] = JUDGES) -> list[Row]:
    return build_paired_differences(
        dataset="sample",
        results=[BM25, NCS],
        comparisons=comparisons,
        judges=judges,
        sampling=Sampling(0, 2000),
    )


def test_paired_differences(tmp_path: Path) -> None:
    rows = differences([("ncs", "bm25")])
    found = {(row["judge"], row["measure"]): row["difference"] for row in rows}
    assert len(rows) == 12
    assert found["pruned_jaccard_leaf", "answered_1"] == "1"
    assert found["pruned_jaccard_leaf", "answered_10"] == "0"
    assert found["pruned_jaccard_leaf", "mrr"] == f"{(2.5 - 1 - 1 / 7 - 1 / 3) / 4:.6f}"
    assert found["dice", "answered_5"] == "0"
    assert all(
        float(row["difference_low"]) <= float(row["difference"]) <= float(row["difference_high"])
        for row in rows
    )
    write_paired_differences(tmp_path / "d.csv", rows)
    first = (tmp_path / "d.csv").read_text().splitlines()[0]
    assert first.startswith("dataset,judge,threshold,model,baseline,measure,difference,")
    assert first.endswith(",difference,difference_low,difference_high")


def test_one_measure_may_be_the_default_and_the_strict_one() -> None:
    lenient = JUDGES["lenient"]
    rows = differences(
        [("ncs", "bm25")], {"lenient": lenient, "strict": replace(lenient, threshold=0.5)}
    )
    assert [row["threshold"] for row in rows] == ["0.25"] * 4 + ["0.5"] * 4


def test_a_table_may_have_two_judges_only() -> None:
    two = {name: JUDGES[name] for name in ("lenient", "strict")}
    sampling = Sampling(0, 200)
    row = build_table1(dataset="d", results=[BM25], ceiling=None, judges=two, sampling=sampling)[0]
    assert (row["charged_judge"], row["charged_mrr"], row["charged_mrr_mean"]) == ("", "", "")


def test_comparisons_need_results() -> None:
    with pytest.raises(ConfigurationError, match="no result of 'unif'; choose from bm25, ncs"):
        differences([("unif", "bm25")])


def test_texts_of_figures() -> None:
    assert [format_value("answered_1", value) for value in (3.0, 2.975, -0.0, -0.04, 120.5)] == [
        *("3", "3", "0", "0", "120.5"),
    ]
    assert [format_value("mrr", value) for value in (0.1890000001, -1e-9, -0.25)] == [
        *("0.189000", "0.000000", "-0.250000"),
    ]


def test_mean_and_spread_are_over_the_own_run_and_its_replicates_dev_81() -> None:
    ranks = ([1, 1, 1, 0], [1, 1, 1, 1])
    seeds = tuple(
        Replicate(f"ncs-seed{n}", by_judge(each, [0] * 4)) for n, each in enumerate(ranks)
    )
    row = table([replace(NCS, replicates=seeds)], CEILING)[0]
    assert (row["answered_1"], row["seeds"]) == ("2", "3")
    assert (row["answered_1_mean"], row["answered_1_sd"]) == ("3", "1")
    assert float(row["mrr_mean"]) == pytest.approx((0.625 + 0.75 + 1) / 3, abs=1e-6)
    assert float(row["mrr_sd"]) == pytest.approx(np.std([0.625, 0.75, 1], ddof=1), abs=1e-6)
    assert (row["strict_answered_10_mean"], row["strict_answered_10_sd"]) == ("0.3", "0.6")


def test_one_seed_has_no_spread_and_a_ceiling_no_seed_dev_81() -> None:
    ncs, ceiling = table([NCS], CEILING)
    assert (ncs["seeds"], ncs["answered_1_mean"], ncs["mrr_sd"]) == ("1", "2", "")
    assert (ceiling["seeds"], ceiling["answered_1_mean"]) == ("", "")


def test_ranks_move_up_and_a_copy_answers_nothing() -> None:
    accepted = np.array([[0, 0, 1, 1], [0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]], np.bool_)
    copies = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 0, 0]], np.bool_)
    assert find_first_ranks(accepted, copies).tolist() == [2, 0, 2, 0]
    assert find_first_ranks(accepted, ~copies & copies).tolist() == [3, 2, 1, 0]
    assert find_first_ranks(accepted[:, :0], copies[:, :0]).tolist() == [0, 0, 0, 0]


def test_figures_with_and_without_copies_stand_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = np.array([[3, 1, 2], [0, -1, -1]])
    similarities = np.zeros((len(judged_rankings.SIMILARITIES), 2, 3))
    similarities[:, 0, 2] = similarities[:, 1, 0] = 0.5
    ranking = JudgedRanking("m", ids, similarities)
    asked = StudyQuestions(np.arange(2, dtype=np.int32), (("1", 0), ("2", 0)))
    monkeypatch.setattr(module, "read_study_questions", lambda _: asked)
    monkeypatch.setattr(module, "read_judged_runs", lambda *_, **__: [ranking])
    firsts = pa.table([[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 1], [0, 1, 1, 1]], schema=FIRST_SCHEMA)
    write_table(tmp_path / "firsts", firsts, FIRST_SCHEMA)
    model = {"name": "m", "trained_on": "", "published_as": "", "replicates": []}
    settings = TableSettings.model_validate_json(
        json.dumps(
            {
                **{"dataset": "d", "duplicates": "equal_lines", "models": [model], "baseline": "m"},
                **{"comparisons": [], "ablations": [], "other_judges": [], "strict_judge": "dice"},
            }
        )
    )
    module.write_table1_without_copies(
        settings,
        firsts=tmp_path / "firsts",
        questions=tmp_path,
        results=tmp_path,
        judgements=tmp_path,
        output=tmp_path / "table.csv",
    )
    found = read_rows(tmp_path / "table.csv", COLUMNS)
    assert len(found) == 3 * 2 * 4
    names = ("duplicates", "copies_10", "with_copies", "without_copies", "difference")
    chosen = [
        tuple(row[name] for name in names)
        for row in found
        if row["measure"] == "mrr" and row["judge"] == "dice"
    ]
    assert chosen == [
        ("equal_lines", "0", "0.666667", "0.666667", "0.000000"),
        ("equal_words", "1", "0.666667", "0.750000", "0.083333"),
        ("near", "2", "0.666667", "0.500000", "-0.166667"),
    ]
