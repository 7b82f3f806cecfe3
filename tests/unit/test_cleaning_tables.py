"""Tables 2, 3, 5 and 8 of the study of cleaning from made-up ranks, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ncsbench.artifacts.csv_tables import Row, read_rows
from ncsbench.artifacts.storage import write_json, write_table
from ncsbench.cleaning.main_tables import COLUMNS, build_table
from ncsbench.cleaning.main_tables import write_table as write_main
from ncsbench.cleaning.rank_schema import RANK_SCHEMA
from ncsbench.cleaning.table_settings import TableSettings
from ncsbench.errors import DataError
from ncsbench.evaluation.significance import adjust_by_holm
from ncsbench.published.printed_cells import read_published_cells

PRINTED = {
    ("Table 2", "CSN-v", "queries"): "4",
    ("Table 2", "DeepCS, CSN-v, all", "pairs"): "100",
    ("Table 2", "DeepCS, CSN-v, all", "mrr"): "0.500",
    ("Table 2", "DeepCS, CSN-v, controlled", "pairs"): "50",
    ("Table 2", "DeepCS, CSN-v, controlled", "mrr"): "0.300",
    ("Table 2", "DeepCS, CSN-v, filtered", "pairs"): "50",
    ("Table 2", "DeepCS, CSN-v, filtered", "hours"): "4",
    ("Table 2", "DeepCS, CSN-v, filtered", "answered_10"): "3",
    ("Table 2", "DeepCS, CSN-v, filtered", "mrr"): "0.600",
}
PRIMARY = {
    "model": "deepcs",
    "benchmark": "codesearchnet",
    "better": "filtered",
    "than": "controlled",
}


def write_cell(
    folder: Path,
    training_set: str,
    ranks: Sequence[int],
    *,
    model: str = "deepcs",
    seed: int = 1,
    pairs: int = 50,
    benchmark: str = "codesearchnet",
    groups: str = "abcd",
    positives: int = 1,
    seconds: float = 3600.0,
    **about: Any,
) -> None:
    name = f"{training_set}-{model}-seed{seed}"
    rows = [
        {
            **{"benchmark": benchmark, "query": query, "group": groups[query]},
            **{"positives": positives, "candidates": positives + 999, "first_rank": rank},
        }
        for query, rank in enumerate(ranks)
    ]
    path = folder / "ranks" / f"{name}.parquet"
    write_table(path, pa.Table.from_pylist(rows, RANK_SCHEMA), RANK_SCHEMA)
    record = {"set": training_set, "model": model, "seed": seed, "pairs": pairs}
    record |= {"processor_seconds": seconds, "kept_epoch": 1}
    write_json(folder / "cells" / f"{name}.json", record | about)


def settings(**changes: Any) -> TableSettings:
    values = {
        "table": "table2",
        "models": ["deepcs"],
        "benchmarks": ["codesearchnet"],
        "sets": {"raw": ["raw"], "filtered": ["filtered"], "controlled": ["controlled"]},
        "seeds": [1],
        "bootstrap_samples": 500,
    }
    return TableSettings.parse(values | changes, where="settings")


def build(folder: Path, printed: Any = PRINTED, **changes: Any) -> dict[str, Row]:
    rows = build_table(settings(**changes), folder, printed)
    assert all(tuple(row) == COLUMNS for row in rows)
    assert not any("nan" in cell.lower() for row in rows for cell in row.values() if len(cell) < 9)
    return {row["training_set"] or row["model"]: row for row in rows}


def test_figures_are_counted_by_hand_beside_the_printed_ones(tmp_path: Path) -> None:
    write_cell(tmp_path, "raw", [2, 11, 1, 6], pairs=100, seconds=5400)
    write_cell(tmp_path, "controlled", [20, 1000, 4, 10])
    write_cell(tmp_path, "filtered", [1, 2, 1, 11], seconds=1800)
    rows = build(tmp_path)
    assert list(rows) == ["raw", "controlled", "filtered", "random order"]
    raw, filtered = rows["raw"], rows["filtered"]
    assert [raw[f"answered_{k}"] for k in (1, 5, 10)] == ["1", "2", "3"]
    assert raw["mrr_10"] == f"{(1 / 2 + 1 + 1 / 6) / 4:.4f}"
    assert raw["mrr"] == f"{(1 / 2 + 1 / 11 + 1 + 1 / 6) / 4:.4f}"
    assert (raw["seeds"], raw["trainings"], raw["pairs"], raw["hours"]) == ("1", "1", "100", "1.50")
    assert (raw["queries"], raw["groups"]) == ("4", "4")
    assert filtered["mrr_10"] == "0.6250"
    assert float(filtered["mrr_10_low"]) < 0.625 < float(filtered["mrr_10_high"])
    assert (filtered["published_as"], filtered["published_pairs"]) == ("filtered", "50")
    assert (filtered["published_hours"], filtered["published_mrr_10"]) == ("4", "0.600")
    assert (filtered["published_answered_10"], filtered["published_answered_1"]) == ("3", "")
    assert filtered["verdict"] == "interval holds it"


def test_a_random_order_is_expected_exactly(tmp_path: Path) -> None:
    write_cell(tmp_path, "raw", [1, 1, 1, 1], positives=3)
    chance = build(tmp_path)["random order"]
    assert [chance[f"answered_{k}"] for k in (1, 5, 10)] == ["0.0", "0.1", "0.1"]
    assert (chance["mrr_10"], chance["mrr"]) == ("0.0087", "0.0180")
    assert {chance[name] for name in ("mrr_10_low", "p", "verdict", "published_mrr_10")} == {""}


def test_rows_of_what_is_not_made_stay_empty_dev_197(tmp_path: Path) -> None:
    write_cell(tmp_path, "raw", [1, 1, 1, 1])
    rows = build_table(
        settings(
            benchmarks=["cosbench", "codesearchnet"],
            models=["deepcs", "carlcs"],
            left_out={"cosbench": "its code is not there", "filtered": "no titles"},
        ),
        tmp_path,
        PRINTED,
    )
    verdicts = {
        (row["model"], row["benchmark"], row["training_set"]): row["verdict"] for row in rows
    }
    assert len(verdicts) == 14
    assert verdicts["deepcs", "codesearchnet", "controlled"] == "not made yet"
    assert verdicts["deepcs", "codesearchnet", "filtered"] == "not made: no titles"
    assert verdicts["carlcs", "codesearchnet", "raw"] == "not made yet"
    assert verdicts["deepcs", "cosbench", "raw"] == "not made: its code is not there"
    assert verdicts["random order", "cosbench", ""] == "not made: its code is not there"
    empty = next(row for row in rows if row["verdict"] == "not made yet")
    assert {empty[name] for name in ("mrr_10", "seeds", "pairs", "difference", "p")} == {""}
    assert empty["published_mrr_10"] == "0.300"
    # A run without any cell has a table too.
    assert {row["verdict"] for row in build(tmp_path / "none").values()} == {"not made yet"}


def test_what_the_grid_does_not_ask_for_is_not_missing(tmp_path: Path) -> None:
    for name in ("raw-deepcs", "controlled_1-deepcs", "controlled_2-deepcs", "filtered-deepcs"):
        training_set, model = name.split("-")
        write_cell(tmp_path, training_set, [1, 1, 1, 1], model=model)
    about = {"kind": "raw", "source": "csn", "of": 100, "pairs": 50, "rules": {}, "cut": None}
    for name in ("raw", "filtered"):
        write_json(tmp_path / f"sets/{name}.json", about)
    asked = ["raw-deepcs-seed1", "controlled_1-deepcs-seed1", "controlled_1-deepcs-seed2"]
    asked += ["filtered-deepcs-seed1", "raw-carlcs-seed1", "own-deepcs-seed1"]
    sets = {"raw": ["raw"], "filtered": ["filtered"], "own": ["own"]}
    sets["controlled"] = ["controlled_1", "controlled_2"]
    rows = build_table(
        settings(
            models=["deepcs", "carlcs"],
            sets=sets,
            seeds=[1, 2],
            grid=asked,
            outdated=["filtered-deepcs-seed1"],
            left_out={"filtered": "no titles"},
        ),
        tmp_path,
        {},
    )
    verdicts = {(row["model"], row["training_set"]): row["verdict"] for row in rows}
    assert verdicts == {
        ("deepcs", "raw"): "",
        ("deepcs", "controlled"): "in part: 1 of 2 trainings",
        ("deepcs", "filtered"): "not made: no titles",
        ("deepcs", "own"): "not made yet",
        ("carlcs", "raw"): "not made yet",
        ("carlcs", "controlled"): "not made: not in the grid",
        ("carlcs", "filtered"): "not made: not in the grid",
        ("carlcs", "own"): "not made: not in the grid",
        ("random order", ""): "",
    }
    assert {row["training_set"] for row in rows if row["made_of"]} == {"raw"}


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


def test_part_of_the_trainings_is_said(tmp_path: Path) -> None:
    write_cell(tmp_path, "filtered", [1, 1, 1, 1], seed=2)
    row = build(tmp_path, seeds=[1, 2, 3])["filtered"]
    assert (row["seeds"], row["trainings"]) == ("1", "1")
    assert row["verdict"] == "in part: 1 of 3 trainings; higher"


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
    assert (row["difference_from"], row["measure"]) == ("controlled", "mrr_10")
    own = sum(1 / rank for rank in hard) / 20
    assert row["difference"] == f"+{own / 2:.4f}"
    # Half of the reciprocal rank of each query: never 0 whatever is drawn.
    assert 0 < float(row["difference_low"]) < own / 2 < float(row["difference_high"])
    assert row["p"] == f"{2 / 501:.4f}"
    assert (row["published_difference"], row["order"]) == ("+0.300", "as published")
    assert rows["controlled"]["difference_from"] == ""
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
    rows = build_table(settings(models=["deepcs", "carlcs"], primary=PRIMARY), tmp_path, {})
    tested = [row for row in rows if row["p"]]
    (primary,) = (row for row in tested if row["primary"])
    assert (primary["model"], primary["training_set"]) == ("deepcs", "filtered")
    assert primary["p_holm"] == primary["p"]
    family = [row for row in tested if not row["primary"]]
    assert len(family) == 3
    adjusted = adjust_by_holm([float(row["p"]) for row in family])
    assert [float(row["p_holm"]) for row in family] == pytest.approx(adjusted, abs=2e-4)
    # Without a primary hypothesis it is one of the family.
    of_four = build_table(settings(models=["deepcs", "carlcs"]), tmp_path, {})
    same = next(row for row in of_four if row["training_set"] == "filtered")
    assert float(same["p_holm"]) > float(same["p"]) == float(primary["p"])


def test_comparisons_may_be_by_another_measure(tmp_path: Path) -> None:
    write_cell(tmp_path, "controlled", [2, 2, 8, 9])
    write_cell(tmp_path, "filtered", [1, 1, 1, 9])
    row = build(tmp_path, primary=PRIMARY | {"measure": "answered_1"})["filtered"]
    assert (row["measure"], row["difference"]) == ("answered_1", "+3.0000")


@pytest.mark.parametrize(
    ("pairs", "queries", "verdict"),
    [
        (50, 4, "lower"),
        (48, 4, "lower"),
        (45, 4, "not comparable: pairs (45 for 50)"),
        (50, 3, "not comparable: queries (3 for 4)"),
    ],
)
def test_verdicts_need_pairs_and_queries_like_the_published_dev_197(
    pairs: int, queries: int, verdict: str, tmp_path: Path
) -> None:
    write_cell(tmp_path, "filtered", [4] * queries, pairs=pairs)
    # Ours is 0.25 in every resample, and 0.600 is printed.
    assert build(tmp_path)["filtered"]["verdict"] == verdict


def test_one_group_of_many_queries_has_no_width(tmp_path: Path) -> None:
    write_cell(tmp_path, "filtered", [1, 2, 3, 4], groups="aaaa")
    row = build(tmp_path)["filtered"]
    assert row["groups"] == "1"
    assert row["mrr_10_low"] == row["mrr_10_high"] == row["mrr_10"]


def test_cuts_have_the_share_that_they_keep(root: Path, tmp_path: Path) -> None:
    about = {"kind": "filtered", "source": "csn", "of": 100, "rules": {}}
    cuts = {
        "percentile_25": (20, {"method": "percentile", "share_kept": 0.25}),
        "filtered": (54, {"method": "gaussian_mixture", "share_kept": 0.675}),
        "rule_only": (80, None),
    }
    for name, (pairs, cut) in cuts.items():
        write_json(tmp_path / f"sets/{name}.json", about | {"pairs": pairs, "cut": cut})
        write_cell(tmp_path, name, [1, 2, 3, 4], pairs=pairs)
    printed = read_published_cells(root / "config/published/nlqf_tables.csv")
    sets = {name: [name] for name in cuts}
    rows = build(tmp_path, printed, table="table5", sets=sets)
    assert list(rows) == [
        *("percentile_25", "percentile_50", "k_means", "filtered", "percentile_75", "rule_only"),
        "random order",
    ]
    assert [rows[name]["cut"] for name in cuts] == ["percentile", "gaussian_mixture", ""]
    assert [rows[name]["share_kept"] for name in cuts] == ["0.2000", "0.5400", "0.8000"]
    assert [rows[name]["share_of_rules"] for name in cuts] == ["0.2500", "0.6750", "1.0000"]
    assert [rows[name]["published_share_of_rules"] for name in cuts] == [
        *("0.2500", "0.6730", "1.0000"),
    ]
    assert rows["k_means"]["published_mrr_10"] == "0.471"
    assert rows["filtered"]["made_of"] == "filtered pairs of csn"


def test_table_8_says_what_its_names_are_here(root: Path, tmp_path: Path) -> None:
    for name, kind, source in (
        ("raw", "raw", "csn"),
        ("larger_controlled", "controlled", "android"),
        ("larger_filtered", "filtered", "android"),
    ):
        record = {"kind": kind, "source": source, "pairs": 5, "of": 9, "rules": {}, "cut": None}
        write_json(tmp_path / f"sets/{name}.json", record)
    printed = read_published_cells(root / "config/published/nlqf_tables.csv")
    rows = build_table(
        settings(table="table8", benchmarks=["codesearchnet", "cosbench", "android", "own"]),
        tmp_path,
        printed,
    )
    # Those sets are none of the run: nothing is said of what they are.
    assert [row["made_of"] for row in rows[:3]] == ["raw pairs of csn", "", ""]
    sets = {name: [name] for name in ("raw", "larger_controlled", "larger_filtered")}
    rows = build_table(settings(table="table8", sets=sets), tmp_path, printed)
    named = [(row["published_as"], row["made_of"], row["published_pairs"]) for row in rows[:3]]
    assert named == [
        ("CSN-t", "raw pairs of csn", "394471"),
        ("COFIC controlled", "controlled pairs of android", "394471"),
        ("COFIC", "filtered pairs of android", "1048519"),
    ]


def test_rows_stand_in_the_printed_order() -> None:
    names = ["android", "own", "codesearchnet", "cosbench"]
    ordered = settings(benchmarks=names).ordered_benchmarks
    assert ordered == ("codesearchnet", "cosbench", "android", "own")
    ordered = settings(table="table8", benchmarks=names).ordered_benchmarks
    assert ordered == ("codesearchnet", "android", "cosbench", "own")
    absent = {"cosbench": "there is no code", "filtered": "no titles"}
    ordered = settings(benchmarks=["android"], left_out=absent).ordered_benchmarks
    assert ordered == ("cosbench", "android")
    more = {name: [name] for name in ("raw", "filtered", "raw_equal_steps", "k_means")}
    rows = settings(sets=more).rows
    assert [(row.training_set, row.published_as) for row in rows] == [
        *(("raw", "all"), ("controlled", "controlled"), ("filtered", "filtered")),
        ("raw_equal_steps", ""),
    ]
    assert rows[-1].difference_from == "filtered"


def test_a_primary_comparison_of_other_sets_is_made(tmp_path: Path) -> None:
    write_cell(tmp_path, "mine", [1, 1, 1, 1])
    write_cell(tmp_path, "theirs", [2, 2, 2, 2])
    names = {"better": "mine", "than": "theirs"}
    sets = {"mine": ["mine"], "theirs": ["theirs"]}
    rows = build(tmp_path, {}, sets=sets, primary=PRIMARY | names)
    assert list(rows)[-3:] == ["mine", "theirs", "random order"]
    mine, theirs = rows["mine"], rows["theirs"]
    assert (mine["difference_from"], mine["difference"]) == ("theirs", "+0.5000")
    assert (mine["primary"], theirs["difference_from"]) == ("yes", "")
    of_another_table = build(tmp_path, {}, primary=PRIMARY | {"than": "k_means"})
    assert list(of_another_table) == ["raw", "controlled", "filtered", "k_means", "random order"]
    assert of_another_table["filtered"]["difference_from"] == "k_means"


def test_a_training_that_kept_its_first_values_is_told(tmp_path: Path) -> None:
    write_cell(tmp_path, "raw", [1, 1, 1, 1], kept_epoch=0)
    write_cell(tmp_path, "raw", [1, 1, 1, 1], seed=2)
    verdict = build(tmp_path, {}, seeds=[1, 2])["raw"]["verdict"]
    assert verdict == "untrained: 1 of 2 kept their first values"


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ({"groups": "abca"}, "has other queries of codesearchnet than other cells"),
        ({"positives": 2}, "has other queries of codesearchnet than other cells"),
        ({"ranks": [1, 1, 1]}, "has other queries of codesearchnet than other cells"),
        ({"ranks": [1, 1, 1, 0]}, "ranks that cannot be"),
        ({"ranks": [1, 1, 1, 1001]}, "ranks that cannot be"),
        ({"set": "raw"}, "is of another cell"),
        ({"pairs": None}, "is damaged"),
        ({"pairs": float("inf")}, "is damaged"),
        ({"seconds": float("nan")}, "is damaged"),
    ],
)
def test_what_does_not_go_together_ends_in_one_line(
    second: dict[str, Any], message: str, tmp_path: Path
) -> None:
    write_cell(tmp_path, "raw", [1, 1, 1, 1])
    write_cell(tmp_path, "filtered", **{"ranks": [1, 1, 1, 1]} | second)
    with pytest.raises(DataError, match=message):
        build(tmp_path)


def test_the_table_is_a_csv_file_with_the_same_bytes(root: Path, tmp_path: Path) -> None:
    write_cell(tmp_path, "filtered", [1, 2, 1, 11])
    for name in ("one.csv", "other.csv"):
        write_main(
            settings(),
            results=tmp_path,
            published=root / "config/published/nlqf_tables.csv",
            output=tmp_path / name,
        )
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()
    rows = read_rows(tmp_path / "one.csv", COLUMNS)
    assert [row["verdict"] for row in rows[2:]] == ["not comparable: pairs (50 for 192,031)", ""]


@pytest.mark.parametrize(
    "damage",
    [
        {"pairs": "5"},
        {"cut": "k_means"},
        {"cut": {"method": "k_means", "share_kept": "much"}},
        {"cut": {"share_kept": 0.5}},
    ],
)
def test_a_damaged_record_of_a_set_ends_in_one_line(damage: dict[str, Any], tmp_path: Path) -> None:
    record = {"kind": "filtered", "source": "csn", "pairs": 5, "of": 9, "rules": {}}
    write_json(tmp_path / "sets/raw.json", record | damage)
    with pytest.raises(DataError, match="is not what ncsbench cleaning set writes"):
        build(tmp_path)
