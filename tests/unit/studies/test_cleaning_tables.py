"""Tables 2, 3, 5 and 8 of the study of cleaning from made-up ranks, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.storage import write_json
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.studies.icse_2022.main_tables import build_table
from tests.cleaning_results import PRINTED, build, find_files, settings, write_cell


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
    assert filtered["verdict"] == "not comparable: margin"  # of four queries


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
        find_files(tmp_path),
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
        find_files(tmp_path),
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


def test_printed_rows_of_no_set_of_the_experiment_say_so(tmp_path: Path) -> None:
    write_cell(tmp_path, "tidy", [2, 11, 1, 6])
    rows = build(tmp_path, sets={"tidy": ["tidy"]})
    assert rows["tidy"]["answered_1"] == "1"
    assert {rows[name]["verdict"] for name in ("raw", "controlled", "filtered")} == {
        "not made: no set of the experiment"
    }


@pytest.mark.parametrize(
    ("pairs", "queries", "verdict"),
    [
        (50, 4, "not comparable: margin"),
        (48, 4, "not comparable: margin"),
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
        find_files(tmp_path),
        printed,
    )
    # Those sets are none of the run: nothing is said of what they are.
    assert [row["made_of"] for row in rows[:3]] == ["raw pairs of csn", "", ""]
    sets = {name: [name] for name in ("raw", "larger_controlled", "larger_filtered")}
    rows = build_table(settings(table="table8", sets=sets), find_files(tmp_path), printed)
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
    assert rows[-1].baseline == "filtered"


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
    with pytest.raises(DataError, match="is not what the stage cleaning_training_set writes"):
        build(tmp_path)
