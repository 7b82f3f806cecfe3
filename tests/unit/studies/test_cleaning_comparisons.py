"""Medians over trainings and comparisons of training sets, from made-up ranks, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.evaluation.statistics.significance import adjust_by_holm
from ncsbench.studies.icse_2022.main_tables import build_table
from tests.cleaning_results import PRIMARY, PRINTED, build, find_files, settings, write_cell


def test_no_order_is_told_while_trainings_of_either_row_are_missing_dev_197(tmp_path: Path) -> None:
    for seed in (1, 2):
        write_cell(tmp_path, "controlled", [9, 9, 9, 9], seed=seed)
        write_cell(tmp_path, "filtered", [1, 1, 1, 1], seed=seed)
    assert build(tmp_path, seeds=[1, 2])["filtered"]["order"] == "as published"
    for name in ("filtered", "controlled"):
        path = tmp_path / f"ranks/{name}-deepcs-seed2.parquet"
        path.rename(tmp_path / "away")
        row = build(tmp_path, seeds=[1, 2])["filtered"]
        assert (row["order"], row["difference"]) == ("", "+0.8889")
        (tmp_path / "away").rename(path)


def test_no_order_is_told_that_holms_correction_takes_back_dev_197(tmp_path: Path) -> None:
    """p is .02 where four of ten queries are better, none worse; among four tests it is .08."""
    ranks = {"raw": [2] * 10, "controlled": [2] * 10, "filtered": [1] * 4 + [2] * 6}
    for name, found in ranks.items():
        for model in ("deepcs", "carlcs"):
            write_cell(tmp_path, name, found, model=model, groups="abcdefghij")
    rows = build_table(settings(models=["deepcs", "carlcs"]), find_files(tmp_path), PRINTED)
    told = [row for row in rows if row["training_set"] == "filtered"]
    assert all(float(row["p"]) < 0.05 < float(row["p_holm"]) for row in told)
    assert all(float(row["difference_low"]) > 0 for row in told)
    assert [row["order"] for row in told if row["published_difference"]] == ["open"]
    alone = build(tmp_path, primary=PRIMARY)["filtered"]
    assert alone["order"] == "as published"


def test_figures_are_medians_over_seeds_and_draws_dev_196(tmp_path: Path) -> None:
    for seed, ranks in ((1, [1, 1, 1, 1]), (2, [2, 2, 2, 2]), (3, [20, 20, 20, 1])):
        write_cell(tmp_path, "filtered", ranks, seed=seed, seconds=3600 * seed, kept_epoch=2 * seed)
    for draw, rank in ((1, 1), (2, 4), (3, 5)):
        for seed in (1, 2, 3):
            write_cell(tmp_path, f"controlled_{draw}", [rank] * 4, seed=seed)
    sets = {
        "raw": ["raw"],
        "filtered": ["filtered"],
        "controlled": [f"controlled_{draw}" for draw in (1, 2, 3)],
    }
    rows = build(tmp_path, sets=sets, seeds=[1, 2, 3])
    filtered, controlled = rows["filtered"], rows["controlled"]
    assert (filtered["mrr_10"], filtered["answered_1"], filtered["hours"]) == (
        "0.5000",
        "1",
        "2.00",
    )
    assert (filtered["seeds"], filtered["trainings"], filtered["kept_epoch"]) == ("3", "3", "4")
    assert (controlled["seeds"], controlled["trainings"]) == ("3", "9")
    assert (controlled["mrr_10"], controlled["answered_5"]) == ("0.2500", "4")
    # Each draw may be drawn three times: the interval goes from one to the other.
    assert (controlled["mrr_10_low"], controlled["mrr_10_high"]) == ("0.2000", "1.0000")
    assert filtered["difference"] == "+0.2500"


def test_differences_are_paired_by_group_and_named(tmp_path: Path) -> None:
    groups = "".join(chr(ord("a") + place) for place in range(20))
    hard = [1, 2, 3, 4, 5] * 4
    write_cell(tmp_path, "controlled", [2 * rank for rank in hard], groups=groups)
    write_cell(tmp_path, "filtered", hard, groups=groups)
    write_cell(tmp_path, "raw", hard, groups=groups)
    rows = build(tmp_path)
    row = rows["filtered"]
    assert (row["baseline"], row["measure"]) == ("controlled", "mrr_10")
    own = sum(1 / rank for rank in hard) / 20
    assert row["difference"] == f"+{own / 2:.4f}"
    # Half of the reciprocal rank of each query: never 0 whatever is drawn.
    assert 0 < float(row["difference_low"]) < own / 2 < float(row["difference_high"])
    assert row["p"] == f"{2 / 501:.4f}"
    assert (row["published_difference"], row["order"]) == ("+0.300", "as published")
    assert rows["controlled"]["baseline"] == ""
    assert (rows["raw"]["difference"], rows["raw"]["published_difference"]) == (
        *(row["difference"], "+0.200"),
    )


def test_equal_sets_differ_by_nothing(tmp_path: Path) -> None:
    for name in ("raw", "controlled", "filtered"):
        write_cell(tmp_path, name, [3, 1, 12, 7])
    row = build(tmp_path)["filtered"]
    cells = [row[name] for name in ("difference", "difference_low", "difference_high", "p")]
    assert cells == ["0.0000", "0.0000", "0.0000", "1.0000"]
    assert row["order"] == "open"


def test_the_primary_hypothesis_is_tested_alone_dev_197(tmp_path: Path) -> None:
    ranks = {"raw": [1, 3, 2, 9, 4, 1], "controlled": [2, 2, 8, 9, 4, 3], "filtered": [1] * 6}
    for name, found in ranks.items():
        for model in ("deepcs", "carlcs"):
            write_cell(tmp_path, name, found, model=model, groups="abcdef")
    rows = build_table(
        settings(models=["deepcs", "carlcs"], primary=PRIMARY), find_files(tmp_path), {}
    )
    tested = [row for row in rows if row["p"]]
    (primary,) = (row for row in tested if row["primary"])
    assert (primary["model"], primary["training_set"]) == ("deepcs", "filtered")
    assert primary["p_holm"] == primary["p"]
    family = [row for row in tested if not row["primary"]]
    assert len(family) == 3
    adjusted = adjust_by_holm([float(row["p"]) for row in family])
    assert [float(row["p_holm"]) for row in family] == pytest.approx(adjusted, abs=2e-4)
    # Without a primary hypothesis it is one of the family.
    of_four = build_table(settings(models=["deepcs", "carlcs"]), find_files(tmp_path), {})
    same = next(row for row in of_four if row["training_set"] == "filtered")
    assert float(same["p_holm"]) > float(same["p"]) == float(primary["p"])


def test_comparisons_may_be_by_another_measure(tmp_path: Path) -> None:
    write_cell(tmp_path, "controlled", [2, 2, 8, 9])
    write_cell(tmp_path, "filtered", [1, 1, 1, 9])
    row = build(tmp_path, primary=PRIMARY | {"measure": "answered_1"})["filtered"]
    assert (row["measure"], row["difference"]) == ("answered_1", "+3.0000")


def test_a_primary_comparison_of_other_sets_is_made(tmp_path: Path) -> None:
    write_cell(tmp_path, "mine", [1, 1, 1, 1])
    write_cell(tmp_path, "theirs", [2, 2, 2, 2])
    names = {"better": "mine", "than": "theirs"}
    sets = {"mine": ["mine"], "theirs": ["theirs"]}
    rows = build(tmp_path, {}, sets=sets, primary=PRIMARY | names)
    assert list(rows)[-3:] == ["mine", "theirs", "random order"]
    mine, theirs = rows["mine"], rows["theirs"]
    assert (mine["baseline"], mine["difference"]) == ("theirs", "+0.5000")
    assert (mine["primary"], theirs["baseline"]) == ("yes", "")
    of_another_table = build(tmp_path, {}, primary=PRIMARY | {"than": "k_means"})
    assert list(of_another_table) == ["raw", "controlled", "filtered", "k_means", "random order"]
    assert of_another_table["filtered"]["baseline"] == "k_means"
