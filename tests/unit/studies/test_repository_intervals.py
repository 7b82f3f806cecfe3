"""Intervals over repositories: who leaves the rankings, and what is made of it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.measures import judging
from ncsbench.evaluation.measures.judged_rankings import first_hits
from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed import repository_interval_table
from ncsbench.studies.ncsed.repository_interval_table import (
    draw_repositories,
    find_counted,
    rank_resampled,
    repository_interval,
)
from ncsbench.studies.ncsed.table1 import add_repository_intervals
from ncsbench.studies.ncsed.table1_text import describe_table1
from ncsbench.studies.ncsed.table_settings import REPOSITORY_COLUMNS, RepositorySettings
from tests.ranked_runs import make_run
from tests.unit.evaluation.test_sensitivity import question
from tests.unit.studies.test_table1_text import NUMBERS, SIZE, row

SETTINGS = RepositorySettings(
    seed=2019, depth=10, judges=(("dice", 0.5), ("jaccard", 0.5)), samples=300
)


def rank_slowly(
    repositories: np.ndarray, accepted: np.ndarray, count: np.ndarray, depth: int
) -> list[int]:
    """Rankings written out, with the methods of a repository as often as it is drawn."""
    ranks = []
    for lie, hits in zip(repositories.tolist(), accepted.tolist(), strict=True):
        whole = [hit for one, hit in zip(lie, hits, strict=True) if one >= 0
                 for _ in range(count[one])]  # fmt: skip
        ranks.append(whole[:depth].index(True) + 1 if True in whole[:depth] else 0)
    return ranks


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 12))
def test_rankings_are_those_of_the_drawn_repositories_dev_99(
    seed: int, repositories: int, depth: int
) -> None:
    """DEV-99: who is not drawn leaves, who is drawn twice counts twice."""
    generator = np.random.default_rng(seed)
    lie = generator.integers(-1, repositories, (4, 15))
    accepted = [generator.random((4, 15)) < share for share in (0.1, 0.5)]
    counts = draw_repositories(repositories, generator, resamples=7)
    assert set(counts.sum(axis=1)) == {repositories}
    found = rank_resampled(lie, accepted, counts, depth=depth)
    for hits, ranks in zip(accepted, found, strict=True):
        expected = [rank_slowly(lie, hits, count, depth) for count in counts]
        assert ranks.T.tolist() == expected


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 12))
def test_results_that_no_resample_counts_are_left_out_and_change_nothing(
    seed: int, repositories: int, depth: int
) -> None:
    generator = np.random.default_rng(seed)
    lie = generator.integers(0, repositories, (4, 15))
    lengths = generator.integers(1, 16, 4)
    there = np.arange(15) < lengths[:, None]
    lie[~there] = -1
    accepted = generator.random((4, 15)) < 0.3
    counts = draw_repositories(repositories, generator, resamples=7)
    ranks = np.concatenate([np.arange(1, length + 1, dtype=np.int32) for length in lengths])
    counted = np.zeros((4, 15), np.bool_)
    counted[there] = find_counted(lie[there], ranks, counts, depth=depth)
    before = np.concatenate([np.zeros((4, 1, 7)), counts.T[lie].cumsum(axis=1)[:, :-1]], axis=1)
    wanted = (before < depth).any(axis=2) | (np.arange(15) < depth)
    assert (counted == (wanted & there)).all()
    cut = np.where(counted, lie, -1)
    (expected,) = rank_resampled(lie, [accepted & there], counts, depth=depth)
    (found,) = rank_resampled(cut, [accepted & counted], counts, depth=depth)
    assert (found == expected).all()


def test_an_empty_run_has_no_counted_results() -> None:
    none = np.zeros(0, np.int32)
    assert not len(find_counted(none.astype(np.int64), none, np.ones((3, 2), np.int16)))


def test_the_whole_corpus_has_the_ranks_of_the_table() -> None:
    generator = np.random.default_rng(1)
    accepted = generator.random((30, 50)) < 0.03
    counts = np.ones((1, 5), np.int16)
    (found,) = rank_resampled(generator.integers(0, 5, (30, 50)), [accepted], counts, depth=50)
    assert found[:, 0].tolist() == first_hits(accepted).tolist()


def test_intervals_lie_around_the_figure_and_in_its_range_dev_99() -> None:
    """DEV-99: resamples have fewer right methods than the corpus; only their spread counts."""
    generator = np.random.default_rng(2)
    first = np.array([1] * 15 + [0] * 5, np.int32)
    resampled = np.where(generator.random((20, 400)) < 0.5, first[:, None], 0).astype(np.int32)
    for metric in METRICS:
        interval = repository_interval(first, resampled, metric)
        value = measure_ranks(first, metric)
        assert interval.low < value < interval.high
        assert 0 <= interval.low and interval.high <= (1 if metric == "mrr" else 20)
    assert (resampled > 0).sum(axis=0).max() < 15
    same = repository_interval(first, np.repeat(first[:, None], 9, axis=1), "answered_1")
    assert (same.low, same.high) == (15, 15)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes the table of a run in which every question finds only its own method, at rank 3."""
    rows = np.repeat(np.arange(1, 21, dtype=np.int32), 3)
    ids = np.tile([100, 101, 0], 20) + np.where(np.arange(60) % 3 == 2, rows, 0)
    run = make_run(query_ids=rows, ids=ids, scores=np.tile([3.0, 2, 1], 20), depth=3)
    write_run(tmp_path / "ncs.trec", run, tag="ncs")

    def score(**pairs: Any) -> pa.Table:
        judged = {similarity: np.zeros(60) for similarity in SIMILARITIES}
        judged["dice"] = (pairs["ids"] < 100).astype(float)
        table = {"query_id": pairs["query_ids"], "id": pairs["ids"], **judged}
        return pa.table(table).sort_by([("query_id", "ascending"), ("id", "ascending")])

    monkeypatch.setattr(judging, "score_pairs", score)
    monkeypatch.setattr(judging, "compile_once", lambda: None)
    asked = pa.Table.from_pylist([question(n) for n in range(1, 21)], QUESTION_SCHEMA)
    write_table(tmp_path / "questions.parquet", asked, QUESTION_SCHEMA)

    def write(repositories: list[str]) -> list[dict[str, str]]:
        corpus = SimpleNamespace(
            iterate_methods=lambda columns: [pa.table({"repository": repositories})]
        )
        repository_interval_table.write_repository_intervals(
            SETTINGS,
            run=tmp_path / "ncs.trec", questions=tmp_path / "questions.parquet",
            index=None, corpus=corpus, output=tmp_path / "out.csv",  # type: ignore[arg-type]
        )  # fmt: skip
        return read_rows(tmp_path / "out.csv", REPOSITORY_COLUMNS)

    return write


def test_a_run_becomes_intervals_for_both_judges_dev_99(written: Any) -> None:
    rows = written([f"r{number // 10}" for number in range(102)])
    assert [(row["judge"], row["measure"]) for row in rows] == [
        (judge, metric) for judge in ("dice", "jaccard") for metric in METRICS
    ]
    figures = {(row["judge"], row["measure"]): (row["low"], row["high"]) for row in rows}
    low, high = map(float, figures["dice", "answered_5"])
    assert 0 < low < 20 == high
    assert figures["jaccard", "answered_5"] == ("0", "0")


def test_a_method_outside_of_the_corpus_is_a_mistake(written: Any) -> None:
    with pytest.raises(DataError, match=r"ncs\.trec: method 101 is not in the corpus"):
        written(["a", *["b"] * 100])


def test_one_repository_has_no_interval_dev_99(written: Any) -> None:
    assert written(["only"] * 102) == []


def test_table_1_takes_the_intervals_of_its_models_and_judges(tmp_path: Path) -> None:
    header = ",".join(REPOSITORY_COLUMNS)
    lines = [f"{judge},0.25,{metric},1,9" for judge in ("jaccard", "dice") for metric in METRICS]
    (tmp_path / "ncs.csv").write_text("\n".join([header, *lines, "jaccard,0.9,mrr,0,1", ""]))
    (tmp_path / "bm25.csv").write_text(f"{header}\n")
    listed = [row(name, **NUMBERS, questions="9") for name in ("ncs", "bm25", "ceiling")]
    found = add_repository_intervals(listed, tmp_path, ["ncs", "bm25"])
    assert found[1:] == listed[1:]
    assert [found[0][f"strict_answered_5_repositories{b}"] for b in ("", "_low", "_high")] == [
        *("7", "1", "9"),
    ]
    shown = describe_table1(found, SIZE, {}, {}).tables[-1]
    assert shown.caption == "Intervals over repositories (95 %)"
    assert shown.rows == tuple(
        ("ncs", judge, *["7 (1-9)"] * 3, "0.264 (1.000-9.000)") for judge in ("lenient", "strict")
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 20}, "repositories.depth: 20 is less than the minimum of 50"),
        ({"samples": -1}, "repositories.samples: -1 is less than the minimum of 0"),
    ],
)
def test_mistakes_end_in_one_line(options: dict[str, int], message: str) -> None:
    run = {"dataset": "sample", "models": ["bm25"], "repositories": options}
    with pytest.raises(ConfigurationError, match=message):
        RunOptions.parse(run, where="config.yaml")
