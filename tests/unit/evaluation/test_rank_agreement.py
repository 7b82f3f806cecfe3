"""Agreement of first ranks with a published score sheet, and the rows of the NCS paper."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import PUBLISHED_DEPTH
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.measures.score_sheet import ScoreSheet
from ncsbench.evaluation.published.nearest_rows import NEARNESS, measure_nearness
from ncsbench.evaluation.published.sheet_agreement import (
    AGREEMENT_COLUMNS,
    FIGURES_FILE,
    FLIP_COLUMNS,
    MODELS_FILE,
    NCS_2018_COLUMNS,
    compare_first_ranks,
    join_published_ranks,
    write_flips,
    write_ncs_2018,
    write_sheet_agreement,
)
from ncsbench.evaluation.statistics.agreement import correlate_ranks, rank_not_found_last
from ncsbench.evaluation.statistics.intervals import draw_resamples
from ncsbench.evaluation.statistics.resampling import Sampling


def ranks(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def test_agreement_by_hand() -> None:
    found = compare_first_ranks(ranks(1, 5, 0, 12, 60, 3), ranks(2, 9, 4, 0, 0, 8))
    assert (found["found_both"], found["found_ours_only"]) == (3, 1)
    assert (found["found_published_only"], found["found_neither"]) == (1, 1)
    assert (found["answered_10_both"], found["answered_10_ours_only"]) == (3, 0)
    assert (found["answered_10_published_only"], found["answered_10_neither"]) == (1, 2)
    # 1 5 3 against 2 9 8: the same order.
    assert found["spearman_found"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [
        # Observed 35/50, expected 25/50 * 30/50 + 25/50 * 20/50 = 0.5, kappa (0.7 - 0.5) / 0.5.
        ((20, 5, 10, 15), 0.4),
        ((1, 0, 0, 1), 1.0),
        ((0, 1, 1, 0), -1.0),
        ((0, 2, 0, 0), 0.0),
        ((3, 0, 0, 0), None),
        ((0, 0, 0, 1), None),
        ((0, 0, 0, 0), None),
    ],
)
def test_kappa_by_hand(counts: tuple[int, int, int, int], kappa: float | None) -> None:
    first = np.repeat(ranks(1, 1, 0, 0), counts)
    found = compare_first_ranks(first, np.repeat(ranks(1, 0, 1, 0), counts))["found_kappa"]
    assert found == (None if kappa is None else pytest.approx(kappa, abs=1e-15))


def test_a_question_not_found_is_one_rank_below_the_last_dev_77() -> None:
    """DEV-77: 0 and ranks beyond the depth become 51 and share an average rank."""
    found = compare_first_ranks(ranks(1, 0, 70), ranks(50, 51, 0))
    assert found["spearman_all"] == pytest.approx(1.0)
    assert found["spearman_found"] is None


def test_what_is_undefined_is_none() -> None:
    for first, second in (((), ()), ((1,), (2,)), ((3, 3), (1, 2)), ((1, 2), (0, 0))):
        found = compare_first_ranks(ranks(*first), ranks(*second))
        assert found["spearman_all"] is None and found["spearman_found"] is None
    with pytest.raises(ValueError, match="cannot be compared"):
        compare_first_ranks(ranks(1), ranks())


SHEET = ScoreSheet(
    rows=ranks(1, 2, 3, 4),
    stackoverflow_ids=("10", "20", "20", "30"),
    models=("NCS", "UNIF"),
    first_ranks=np.array([[1, 0], [11, 7], [0, 3], [4, 4]], dtype=np.int32),
)
QUESTIONS = pa.table(
    {
        "query_id": pa.array([1, 2, 3, 4], pa.int32()),
        "stackoverflow_id": ["20", "99", "20", "10"],
        "question": ["a", "b", 'c, "d"', "=e()"],
    }
)
KEYS = [("20", 1), ("99", 1), ("20", 2), ("10", 1)]
JUDGE = Judge("jaccard", 0.25)


def test_published_ranks_are_joined_by_id_and_occurrence_dev_30() -> None:
    joined = join_published_ranks(SHEET, KEYS)
    assert {name: found.tolist() for name, found in joined.items()} == {
        "NCS": [11, -1, 0, 1],
        "UNIF": [7, -1, 3, 0],
    }


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(folder: Path, **changes: object) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    common = {
        "dataset": "tiny",
        "first_ranks": {JUDGE: {"ncs": ranks(3, 1, 0, 12), "bm25": ranks(0, 0, 0, 0)}},
        "published_as": {"ncs": "NCS", "bm25": ""},
        "published_ranks": join_published_ranks(SHEET, KEYS),
        **changes,
    }
    write_sheet_agreement(folder / "agreement.csv", sampling=Sampling(1, 200), **common)
    write_flips(folder / "flips.csv", questions=QUESTIONS, **common)
    return read(folder / "agreement.csv"), read(folder / "flips.csv")


def test_agreement_has_a_row_per_model_and_published_column(tmp_path: Path) -> None:
    rows, _ = write(tmp_path)
    assert tuple(rows[0]) == AGREEMENT_COLUMNS
    named = [(row["model"], row["published"], row["counterpart"], row["nearest"]) for row in rows]
    assert named == [
        ("ncs", "NCS", "yes", "yes"),
        ("ncs", "UNIF", "no", "no"),
        ("bm25", "NCS", "no", ""),
        ("bm25", "UNIF", "no", ""),
    ]
    first = rows[0]
    assert (first["questions"], first["found_both"], first["found_neither"]) == ("3", "2", "1")
    assert (first["answered_10_ours_only"], first["answered_10_published_only"]) == ("1", "1")
    # 3, 51, 12 against 11, 51, 1.
    assert (first["spearman_found"], first["spearman_all"]) == ("-1.000000", "0.500000")
    assert rows[2]["spearman_all"] == ""
    assert (first["baseline"], first["difference"]) == ("", "")  # it is the row itself
    # Questions answered within 1, 5 and 10: 0, 1 and 1 of ours, 1, 1 and 1 published.
    assert first["distance"] == "0.3" and float(first["distance_low"]) == 0


def test_flips_name_the_question_and_both_ranks(tmp_path: Path) -> None:
    _, flips = write(tmp_path)
    assert tuple(flips[0]) == FLIP_COLUMNS
    shown = [
        (row["query_id"], row["question"], row["rank"], row["published_rank"], row["direction"])
        for row in flips
    ]
    assert shown == [("1", "a", "3", "11", "gained"), ("4", "'=e()", "12", "1", "lost")]
    assert {row["model"] for row in flips} == {"ncs"}


def test_without_a_question_of_the_sheet_there_are_only_headers(tmp_path: Path) -> None:
    nothing = join_published_ranks(SHEET, [("1", 1)] * 4)
    assert write(tmp_path, published_ranks=nothing) == ([], [])
    assert (tmp_path / "flips.csv").read_text().splitlines() == [",".join(FLIP_COLUMNS)]


def test_a_counterpart_that_the_sheet_lacks_is_left_out(tmp_path: Path) -> None:
    rows, flips = write(tmp_path, published_as={"ncs": "CODEnn", "bm25": "NCS"})
    assert [row["counterpart"] for row in rows] == ["no", "no", "yes", "no"]
    assert {flip["model"] for flip in flips} == {"bm25"}


PUBLISHED = Path(__file__).parents[3] / "config" / "published"
RANKS = {
    "bm25": np.array([1] * 45 + [10] * 5 + [11] * 100 + [0] * 50, np.int32),
    "elasticsearch_like": np.zeros(200, np.int32),
    "something_else": np.ones(200, np.int32),
}
JUDGES = {Judge("dice", 0.25): RANKS, Judge("jaccard", 0.1): RANKS}


def compare(folder: Path, published: Path = PUBLISHED) -> list[Row]:
    path = folder / "out.csv"
    write_ncs_2018(path, dataset="tiny", first_ranks=JUDGES, published=published)
    return read_rows(path, NCS_2018_COLUMNS)


def test_shares_stand_beside_shares_as_independent_dev_102(tmp_path: Path) -> None:
    rows = compare(tmp_path)
    assert [(row["published_as"], row["model"], row["judge"]) for row in rows] == [
        ("Elasticsearch", "elasticsearch_like", "dice"), ("BM25", "bm25", "dice"),
        ("Elasticsearch", "elasticsearch_like", "jaccard"), ("BM25", "bm25", "jaccard"),
    ]  # fmt: skip
    nothing, ours = rows[:2]
    assert (ours["answered_10"], ours["questions"], ours["share"]) == ("50", "200", "0.250000")
    assert (ours["published_answered_10"], ours["published_questions"]) == ("122", "518")
    assert ours["difference"] == "+0.014479"
    assert float(ours["difference_low"]) < 0 < float(ours["difference_high"])
    assert (nothing["share"], nothing["difference"]) == ("0.000000", "-0.173745")
    assert float(nothing["high"]) > 0 and float(nothing["difference_high"]) < 0


def test_the_printed_shares_are_those_of_the_paper(tmp_path: Path) -> None:
    systems = {row["system"] for row in read_rows(PUBLISHED / MODELS_FILE, ("system", "model"))}
    ranks = {row["model"]: np.ones(1, np.int32)
             for row in read_rows(PUBLISHED / MODELS_FILE, ("system", "model"))}  # fmt: skip
    path = tmp_path / "out.csv"
    first_ranks = {Judge("dice", 0.25): ranks}
    write_ncs_2018(path, dataset="tiny", first_ranks=first_ranks, published=PUBLISHED)
    shares = {r["published_as"]: round(100 * float(r["published_share"]), 1)
              for r in read_rows(path, NCS_2018_COLUMNS)}  # fmt: skip
    assert shares == {
        "Elasticsearch": 17.4, "NCS": 23.0, "BM25": 23.6, "NCS + query expansion": 25.5,
        "NCS + expansion + post-rank": 34.0,
    }  # fmt: skip
    assert systems == set(shares)


def test_a_system_that_is_not_printed_is_named(tmp_path: Path) -> None:
    for name in (FIGURES_FILE, MODELS_FILE):
        shutil.copy(PUBLISHED / name, tmp_path / name)
    with (tmp_path / MODELS_FILE).open("a") as file:
        file.write("Lucene,bm25\n")
    with pytest.raises(DataError, match=r"ncs_2018\.csv: has no whole number for 'Lucene'"):
        compare(tmp_path, tmp_path)


def test_intervals_of_nearness_are_those_of_the_drawn_questions() -> None:
    generator = np.random.default_rng(5)
    published = generator.integers(0, 60, 40).astype(np.int32)
    ours = {name: generator.integers(0, 20, 40).astype(np.int32) for name in ("ncs", "bm25")}
    every = measure_nearness(
        *(ours, {"NCS": published}, {"NCS": "ncs"}),
        sampling=Sampling(3, 300),
        depth=PUBLISHED_DEPTH,
    )
    found = {name: row for (name, _), row in every.items()}
    assert all(tuple(row) == NEARNESS for row in found.values())
    draws = draw_resamples(40, np.random.default_rng(3), resamples=300)
    ranked = {name: rank_not_found_last(each, PUBLISHED_DEPTH) for name, each in ours.items()}
    theirs = rank_not_found_last(published, PUBLISHED_DEPTH)
    drawn = {
        name: np.array([correlate_ranks(each[draw], theirs[draw]) for draw in draws])
        for name, each in ranked.items()
    }
    expected = np.quantile(drawn["bm25"], [0.025, 0.975])
    bounds = [found["bm25"][f"spearman_all_{end}"] for end in ("low", "high")]
    np.testing.assert_allclose(np.array(bounds, float), expected)
    gap = np.quantile(drawn["bm25"] - drawn["ncs"], [0.025, 0.975])
    bounds = [found["bm25"][f"difference_{end}"] for end in ("low", "high")]
    np.testing.assert_allclose(np.array(bounds, float), gap)
    assert found["bm25"]["baseline"] == "ncs" and found["ncs"]["difference"] is None


def test_nearness_is_empty_without_questions_and_where_ranks_are_all_equal() -> None:
    def measure(ours: dict[str, NDArray[np.int32]], published: NDArray[np.int32]) -> Any:
        sampling = Sampling(1, 20)
        return measure_nearness(ours, {"P": published}, {"P": "a"}, sampling=sampling, depth=50)

    assert set(measure({"a": ranks()}, ranks())["a", "P"].values()) == {None}
    equal = measure({"a": ranks(0, 0), "b": ranks(1, 2)}, ranks(1, 3))
    assert equal["b", "P"]["difference"] is None
    assert equal["a", "P"]["spearman_all_low"] is None
    assert equal["a", "P"]["distance"] == pytest.approx((1 + 2 + 2) / 3)
