"""MRR and Answered@k of ``per_question.parquet`` against ir-measures and ranx.

Both read the run files and ``qrels.txt`` themselves, of a made-up case and of the sample where it
has been computed. ranx compiles its measures when they are first used, which takes seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import ir_measures
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import ranx
from ir_measures import RR, Success

from ncsbench.evaluation.first_ranks import AcceptedPairs, first_ranks, read_accepted
from ncsbench.evaluation.metrics import METRICS
from ncsbench.evaluation.runs import make_run, read_run, write_qrels, write_run
from ncsbench.records import PER_QUESTION_SCHEMA, QUESTION_SCHEMA
from ncsbench.storage import read_json, read_table
from ncsbench.tables.per_question import write_per_question
from ncsbench.tables.table1 import Judge

ROOT = Path(__file__).parents[2]
SAMPLE = (ROOT / "data" / "sample", ROOT / "results" / "sample")
CASES = ["made up", *(["sample"] if (SAMPLE[1] / "qrels.txt").is_file() else [])]


@dataclass(frozen=True)
class Case:
    """Run files by model, judgements of all of them, and the questions."""

    runs: dict[str, Path]
    qrels: Path
    questions: pa.Table
    accepted: dict[str, AcceptedPairs]
    judge: Judge


def make_case(folder: Path) -> Case:
    generator = np.random.default_rng(8)
    rows = np.arange(1, 31, dtype=np.int32)
    accepted = AcceptedPairs(
        rows=generator.integers(1, 31, 120).astype(np.int32), ids=generator.integers(0, 200, 120)
    )
    runs = {}
    for model in ("a", "b"):
        asked = np.repeat(rows[rows % 6 != 0], 60)  # some questions have no ranking
        ids = np.concatenate([generator.permutation(200)[:60] for _ in range(25)]).astype(np.int64)
        scores = np.round(generator.normal(size=len(asked)), 1)  # many ties
        run = make_run(rows=asked, ids=ids, scores=scores, depth=50)
        runs[model] = folder / f"{model}.trec"
        write_run(runs[model], run, tag=model)
    write_qrels(folder / "qrels.txt", rows=accepted.rows, ids=accepted.ids)
    questions = pa.table({"row": rows, "stackoverflow_id": [str(row) for row in rows]})
    return Case(
        runs, folder / "qrels.txt", questions, dict.fromkeys(runs, accepted), Judge("dice", 0.25)
    )


def read_sample() -> Case:
    data, results = SAMPLE
    settings = read_json(data / "settings" / "table.json")
    judge = Judge(settings["measure"], settings["threshold"])
    # Other runs may lie there too, of learning curves.
    names = [name for model in settings["models"] for name in (model["name"], *model["replicates"])]
    accepted = {
        name: read_accepted(
            data / "judgements" / f"{name}.parquet",
            measure=judge.measure,
            threshold=judge.threshold,
        )
        for name in names
    }
    questions = read_table(data / "questions.parquet", QUESTION_SCHEMA)
    runs = {name: results / "runs" / f"{name}.trec" for name in names}
    return Case(runs, results / "qrels.txt", questions, accepted, judge)


@pytest.mark.parametrize("name", CASES)
def test_figures_per_question_against_ir_measures_and_ranx(tmp_path: Path, name: str) -> None:
    case = make_case(tmp_path) if name == "made up" else read_sample()
    rows = case.questions["row"].to_numpy().astype(np.int32)
    found = {
        model: first_ranks(read_run(path), case.accepted[model], rows, 50)
        for model, path in case.runs.items()
    }
    write_per_question(
        tmp_path / "per_question.parquet",
        questions=case.questions,
        first_ranks={case.judge: found},
        replicate_of={},
        published_ranks={},
    )
    table = read_table(tmp_path / "per_question.parquet", PER_QUESTION_SCHEMA)
    for model, path in case.runs.items():
        ours = table.filter(pc.equal(table["model"], model))
        figures = {
            metric: pc.sum(pc.cast(ours[metric], pa.float64())).as_py() for metric in METRICS[:3]
        } | {"mrr": pc.sum(ours["reciprocal_rank"]).as_py()}
        assert figures == pytest.approx(sum_by_ir_measures(path, case.qrels), abs=1e-9)
        assert figures == pytest.approx(sum_by_ranx(path, case.qrels, rows), abs=1e-9)


def sum_by_ir_measures(run: Path, qrels: Path) -> dict[str, float]:
    names = {Success @ 1: "answered_1", Success @ 5: "answered_5", Success @ 10: "answered_10"}
    totals = dict.fromkeys(METRICS, 0.0)
    for value in ir_measures.iter_calc(
        [*names, RR],
        list(ir_measures.read_trec_qrels(str(qrels))),
        list(ir_measures.read_trec_run(str(run))),
    ):
        totals[names.get(value.measure, "mrr")] += value.value
    return totals


def sum_by_ranx(run: Path, qrels: Path, rows: np.ndarray) -> dict[str, float]:
    names = {"hit_rate@1": "answered_1", "hit_rate@5": "answered_5", "hit_rate@10": "answered_10"}
    judged = ranx.Qrels.from_file(str(qrels), kind="trec")
    ranked = ranx.Run.from_file(str(run), kind="trec")
    shared = sorted(set(judged.keys()) & set(ranked.keys()))
    assert shared and {int(row) for row in shared} <= set(rows.tolist())
    scores = ranx.evaluate(
        ranx.Qrels({row: judged.qrels[row] for row in shared}),
        ranx.Run({row: ranked.run[row] for row in shared}),
        [*names, "mrr"],
        return_mean=False,
    )
    return {
        names.get(measure, measure): float(np.sum(values)) for measure, values in scores.items()
    }
