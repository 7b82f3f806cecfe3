"""Metrics against ir-measures, SciPy's bootstrap and figures published with other data."""

import csv
import json
from pathlib import Path

import ir_measures
import numpy as np
import pyarrow as pa
import pytest
from ir_measures import RR, Success
from scipy.stats import bootstrap

from ncsbench.base.runs.rankings import Run, ranks_in_run
from ncsbench.base.runs.trec_files import read_run, write_qrels, write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.evaluation.measures.judged_rankings import join_judgements
from ncsbench.evaluation.measures.metrics import answered_at, mean_reciprocal_rank, question_shares
from ncsbench.evaluation.statistics.intervals import draw_resamples, interval_of_sum
from tests.ranked_runs import make_run

QUESTIONS = 40
ROWS = np.arange(1, QUESTIONS + 1, dtype=np.int32)


@pytest.fixture
def metrics(shared: Path) -> Path:
    """Rankings and judgements of other work, with the figures they give."""
    return shared / "data" / "metrics"


def read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def random_run(generator: np.random.Generator, scores: str) -> Run:
    rows = np.repeat(ROWS, 80)
    ids = np.concatenate([generator.permutation(300)[:80] for _ in ROWS]).astype(np.int64)
    values = generator.normal(size=len(rows))
    if scores == "ties":
        values = np.round(values)
    elif scores == "near ties":
        values = 1.0 + np.round(values) * 1e-12
    elif scores == "constant":
        values = np.zeros(len(rows))
    keep = rows % 7 != 0  # some questions have no ranking
    return make_run(query_ids=rows[keep], ids=ids[keep], scores=values[keep], depth=50)


def find_first_ranks(
    run: Run, accepted: set[tuple[int, int]], rows: np.ndarray, depth: int
) -> np.ndarray:
    """First ranks as the tables have them, of a run whose accepted pairs have a similarity of 1."""
    pairs = sorted(zip(run.query_ids.tolist(), run.ids.tolist(), strict=True))
    similarity = [float(pair in accepted) for pair in pairs]
    columns = {"query_id": [row for row, _ in pairs], "id": [id_ for _, id_ in pairs]}
    columns |= dict.fromkeys(SIMILARITIES, similarity)
    ranked = (run.query_ids, ranks_in_run(run), run.ids)
    judged = pa.table(columns, JUDGEMENT_SCHEMA)
    return join_judgements("m", ranked, judged, rows, depth, Path("j")).first_ranks("dice", 0.25)


@pytest.mark.parametrize("scores", ["distinct", "ties", "near ties", "constant"])
@pytest.mark.parametrize("seed", range(5))
def test_run_files_give_ir_measures_the_same_figures(
    tmp_path: Path, scores: str, seed: int
) -> None:
    """DEV-31: trec_eval (behind ir-measures) ranks our files as we do, ties and all."""
    generator = np.random.default_rng(seed)
    run = random_run(generator, scores)
    accepted = {(int(generator.integers(1, 41)), int(generator.integers(300))) for _ in range(150)}
    write_run(tmp_path / "a.run", run, tag="m")
    write_qrels(
        tmp_path / "a.qrels",
        query_ids=run.query_ids,
        ids=run.ids,
        relevant=np.array([pair in accepted for pair in zip(run.query_ids, run.ids, strict=True)]),
        questions=ROWS,
    )

    cuts = [Success @ 1, Success @ 5, Success @ 10, Success @ 50]
    means = ir_measures.calc_aggregate(
        [RR, *cuts, RR @ 10, RR @ 50],
        list(ir_measures.read_trec_qrels(str(tmp_path / "a.qrels"))),
        list(ir_measures.read_trec_run(str(tmp_path / "a.run"))),
    )

    for ranked in (run, read_run(tmp_path / "a.run")):
        ranks = find_first_ranks(ranked, accepted, ROWS, 50)
        for cut in cuts:
            assert answered_at(ranks, cut["cutoff"]) == pytest.approx(means[cut] * QUESTIONS)
        # RR without a cut is trec_eval's, with a cut MS MARCO's; the qrels name all questions.
        assert mean_reciprocal_rank(ranks) == pytest.approx(means[RR], abs=1e-12)
        assert mean_reciprocal_rank(ranks) == pytest.approx(means[RR @ 50], abs=1e-12)
        assert mean_reciprocal_rank(ranks, 10) == pytest.approx(means[RR @ 10], abs=1e-12)


@pytest.mark.parametrize("metric", ["answered_5", "mrr"])
def test_intervals_against_scipy(metric: str) -> None:
    ranks = np.random.default_rng(2).integers(0, 20, 287).astype(np.int32)
    draws = draw_resamples(287, np.random.default_rng(0), resamples=20_000)
    ours = interval_of_sum(question_shares(ranks, metric), draws)
    theirs = bootstrap(
        (question_shares(ranks, metric),),
        np.sum,
        method="percentile",
        n_resamples=20_000,
        batch=1000,
        rng=np.random.default_rng(1),
    ).confidence_interval
    tolerance = 0.05 * (theirs.high - theirs.low)
    assert ours.low == pytest.approx(theirs.low, abs=tolerance)
    assert ours.high == pytest.approx(theirs.high, abs=tolerance)


@pytest.mark.shared
def test_cosbench(metrics: Path) -> None:
    expected = read_rows(metrics / "cosbench-expected.csv")
    queries = json.loads((metrics / "cosbench-queries.json").read_text(encoding="utf-8"))
    # Four queries list an answer twice; pairs are a set here as well.
    wanted = {(row, name) for row, query in enumerate(queries, 1) for name in query["answerList"]}
    rankings = {
        tool["tool"]: [
            line.split(",")
            for line in (metrics / f"cosbench-top20-{tool['tool']}.txt").read_text().split()
        ]
        for tool in expected
    }
    names = sorted(
        {name for _, name in wanted}
        | {name for ranking in rankings.values() for line in ranking for name in line}
    )
    number = {name: position for position, name in enumerate(names)}
    accepted = {(row, number[name]) for row, name in wanted}
    rows = np.arange(1, len(queries) + 1, dtype=np.int32)
    for tool in expected:
        lines = rankings[tool["tool"]]
        shown = [
            (row, number[name], float(-rank))
            for row, line in enumerate(lines, 1)
            for rank, name in enumerate(dict.fromkeys(line), 1)
        ]
        run_rows, ids, scores = (np.array(column) for column in zip(*shown, strict=True))
        ranks = find_first_ranks(
            make_run(query_ids=run_rows, ids=ids, scores=scores, depth=20), accepted, rows, 20
        )
        assert f"{mean_reciprocal_rank(ranks):.6f}" == tool["mrr_at_20"]
        for k in (1, 5, 10, 20):
            assert answered_at(ranks, k) == int(tool[f"hit_at_{k}"])


@pytest.mark.shared
def test_java50(metrics: Path) -> None:
    franks = read_rows(metrics / "java50-frank.csv")
    for tool in read_rows(metrics / "java50-expected.csv"):
        printed = [int(row[f"{tool['tool']}_frank"]) for row in franks]
        ranks = np.array([max(rank, 0) for rank in printed], dtype=np.int32)  # -1 = not found
        assert f"{mean_reciprocal_rank(ranks, 10):.6f}" == tool["frank_mrr"]
        for k in (1, 5, 10):
            assert answered_at(ranks, k) == int(tool[f"frank_hit_at_{k}"])
