"""Figures of a results folder, and values of its questions, against ir-measures and ranx.

They read the run files and qrels that were written: here of a made-up dataset with many ties, in
``tests/workflow`` of the sample as the workflow made it. ranx only there, since it compiles its
measures when they are first used, which takes a quarter of a minute.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import ranx
from ir_measures import RR, Success
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.statistics.measure_names import FAMILIES
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.ranked_runs import make_run
from tests.unit.evaluation.test_sensitivity import question
from tests.unit.studies.test_dataset_tables import settings, write_answers, write_tables

Tool = Callable[[Path, Path], dict[str, float]]
JUDGES = {"": "qrels.txt", "strict_": "qrels_strict.txt", "charged_": "qrels_charged.txt"}
TABLE1 = {Success @ 1: "answered_1", Success @ 5: "answered_5", Success @ 10: "answered_10"}


def check_results(results: Path, judges: dict[str, str], tools: Sequence[Tool]) -> int:
    """Compare ``per_question.parquet`` and both tables with what tools say; number of runs.

    Args:
        results: folder with the tables, qrels and runs of a dataset.
        judges: the similarity of the default and of the strict judge, by prefix of their columns.
        tools: means by measure of a run file and its qrels.
    """
    found = read_table(results / "per_question.parquet", PER_QUESTION_SCHEMA)
    with (results / "table1.csv").open(newline="") as file:
        table = {row["model"]: row for row in csv.DictReader(file) if row["questions"]}
    long = read_measures(results / "table1_long.csv")
    runs = set(zip(found["model"].to_pylist(), found["replicate"].to_pylist(), strict=True))
    for prefix, similarity in judges.items():
        judged = found.filter(pc.equal(found["judge"], similarity))
        qrels = results / JUDGES[prefix]
        for model, replicate in runs:
            run = results / "runs" / f"{replicate or model}.trec.gz"
            own = pc.is_null(judged["replicate"])
            same = pc.equal(judged["replicate"], replicate) if replicate else own
            ours = judged.filter(pc.and_(pc.equal(judged["model"], model), same))
            sums = {
                metric: pc.sum(pc.cast(ours[metric], pa.float64())).as_py()
                for metric in METRICS[:3]
            }
            sums["mrr"] = pc.sum(ours["reciprocal_rank"]).as_py() / len(ours)
            for average in tools:
                theirs = scale(average(run, qrels), len(ours))
                assert sums == pytest.approx(theirs, abs=1e-9)
                if replicate is None:
                    row = {metric: float(table[model][prefix + metric]) for metric in METRICS}
                    assert row == pytest.approx(theirs, abs=5.1e-7)
            names = [name for *key, name in long if key == [model, similarity]]
            query_ids, measures = ours["query_id"].to_pylist(), ours["measures"].to_pylist()
            values = measure_by_ir_measures(names, query_ids, run, qrels)
            for number, name in enumerate(names):
                assert {one[number][0] for one in measures} == {name}
                own = [one[number][1] for one in measures]
                np.testing.assert_allclose(own, values[name], atol=1e-12, err_msg=name)
                if replicate is None:
                    mean = float(values[name].mean())
                    assert long[model, similarity, name] == pytest.approx(mean, abs=5.1e-7)
    return len(runs)


def read_measures(path: Path) -> dict[tuple[str, str, str], float]:
    """Values of ``table1_long.csv`` by model, judge and name of a measure of ir_measures."""
    with path.open(newline="") as file:
        return {
            (row["model"], row["judge"], row["measure"]): float(row["value"])
            for row in csv.DictReader(file)
            if row["measure"].startswith(FAMILIES)
        }


def measure_by_ir_measures(
    names: list[str], query_ids: list[int], run: Path, qrels: Path
) -> dict[str, NDArray[np.float64]]:
    """Values of the questions by measure; a question without a ranking has 0."""
    found = {name: dict.fromkeys(query_ids, 0.0) for name in names}
    for one in ir_measures.iter_calc(
        map(ir_measures.parse_measure, names),
        list(ir_measures.read_trec_qrels(str(qrels))),
        list(ir_measures.read_trec_run(str(run))),
    ):
        found[str(one.measure)][int(one.query_id)] = one.value
    return {name: np.array(list(values.values())) for name, values in found.items()}


def scale(averages: dict[str, float], questions: int) -> dict[str, float]:
    """Answered@k is a number of questions, not a share."""
    return {name: value * (questions if name != "mrr" else 1) for name, value in averages.items()}


def average_by_ir_measures(run: Path, qrels: Path) -> dict[str, float]:
    found = ir_measures.calc_aggregate(
        [*TABLE1, RR @ 50],
        list(ir_measures.read_trec_qrels(str(qrels))),
        list(ir_measures.read_trec_run(str(run))),
    )
    return {TABLE1.get(measure, "mrr"): value for measure, value in found.items()}


def average_by_ranx(run: Path, qrels: Path) -> dict[str, float]:
    names = {"hit_rate@1": "answered_1", "hit_rate@5": "answered_5", "hit_rate@10": "answered_10"}
    judged = ranx.Qrels.from_file(str(qrels), kind="trec")
    ranked = ranx.Run.from_file(str(run))
    # ranx wants the same questions on both sides; one without a ranking has a method of no name.
    complete = {
        row: dict(ranked.run[row]) if row in ranked.run else {"none": 0.0} for row in judged.keys()
    }
    scores = ranx.evaluate(judged, ranx.Run(complete), [*names, "mrr"])
    return {names.get(measure, measure): float(value) for measure, value in scores.items()}


def write_made_up(folder: Path) -> dict[str, Any]:
    """Runs with many ties of 40 questions, some without a ranking, some without an answer."""
    generator = np.random.default_rng(8)
    asked = pa.Table.from_pylist([question(n) for n in range(1, 41)], QUESTION_SCHEMA)
    write_table(folder / "questions.parquet", asked, QUESTION_SCHEMA)
    used = settings(ablations=[])
    for name in ("bm25", "ncs", "ncs-seed1"):
        rows = np.repeat(np.array([row for row in range(1, 41) if row % 6], np.int32), 60)
        ids = np.concatenate([generator.permutation(200)[:60] for _ in range(len(rows) // 60)])
        run = make_run(
            query_ids=rows, ids=ids, scores=np.round(generator.normal(size=len(rows)), 1), depth=50
        )
        write_run(folder / "runs" / f"{name}.trec.gz", run, tag=name)
        order = np.lexsort((run.ids, run.query_ids))
        pairs = {"query_id": run.query_ids[order], "id": run.ids[order]}
        # One similarity per pair, whoever retrieves it; every fifth question has no answer.
        drawn = np.random.default_rng(9).random((len(SIMILARITIES), 41, 200)) / 2
        drawn[:, ::5] = 0
        judged = dict(zip(SIMILARITIES, drawn[:, pairs["query_id"], pairs["id"]] ** 2, strict=True))
        table = pa.table({**pairs, **judged})
        write_table(folder / f"{name}.parquet", table, JUDGEMENT_SCHEMA)
    (folder / "sheet.csv").write_text("No.,StackOverflow ID,NCS FRank\n1,none,NF\n")
    return used


def test_a_made_up_dataset_against_ir_measures(tmp_path: Path) -> None:
    used = write_made_up(tmp_path) | {
        "threshold": 0.2,
        "strict_threshold": 0.24,
        "own_threshold": 0.2,
        "measures": ["nDCG@10", "nDCG", "RR@10", "R@5", "R@50", "P@5", "Success@1", "AP", "AP@20"],
    }
    write_answers(tmp_path)
    (tmp_path / "trainings" / "a").mkdir(parents=True)
    (tmp_path / "trainings" / "a" / "about.json").write_text('{"pairs": {"trained": 5}}')
    write_tables(tmp_path, used, np.full(200, 4, np.int32))
    for qrels in JUDGES.values():
        lines = [line.split() for line in (tmp_path / qrels).read_text().splitlines()]
        assert {row for row, *_ in lines} == {str(row) for row in range(1, 41)}
        assert {grade for *_, grade in lines} == {"0", "1"}
    judges = {"": used["judge"], "strict_": used["strict_judge"], "charged_": "charged_overlap"}
    assert check_results(tmp_path, judges, [average_by_ir_measures]) == 3
