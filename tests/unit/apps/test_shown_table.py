"""Any table at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.shown_table import format_any_table
from ncsbench.errors import DataError
from ncsbench.evaluation.statistics.text_formats import WIDTH
from ncsbench.studies.ncsed.table1_files import COLUMNS
from tests.unit.apps.test_terminal_table import figures, write


def test_a_table_is_shown_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "table2.csv"
    path.write_text("language,measure,value\nGo,pairs,7\nAll,\x1b[2J,\n", encoding="utf-8")
    assert format_any_table(path).splitlines() == [
        f"{path}: 2 rows",
        "",
        "language measure     value",
        "Go       pairs           7",
        "All      <U+001B>[2J",
    ]


def test_a_wide_table_is_shown_in_parts_with_the_names_of_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    figures = [f"a_rather_long_figure_{number}" for number in range(9)]
    header = ["system", "language", *figures, "verdict"]
    long = "not comparable: " + "pool " * 20
    rows = [["ours", "Go", *"123456789", long], ["theirs", "Ruby", *"234567891", ""]]
    path.write_text("\n".join(",".join(one) for one in (header, *rows)), encoding="utf-8")
    text = format_any_table(path)
    assert max(len(line) for line in text.splitlines()[1:]) <= WIDTH
    _, *parts = text.split("\n\n")
    assert len(parts) > 1
    assert all(part.split("\n")[0].startswith("system language ") for part in parts)
    assert [name for part in parts for name in part.split("\n")[0].split()[2:]] == header[2:]
    assert " ".join(text.split()).count("pool pool") > 1


def test_so_many_names_are_repeated_that_rows_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    figures = [f"a_rather_long_figure_{number}" for number in range(9)]
    header = ["model", "benchmark", "training_set", "made_of", *figures]
    rows = [["deepcs", "android", name, "pairs", *"123456789"] for name in ("raw", "filtered")]
    path.write_text("\n".join(",".join(one) for one in (header, *rows)), encoding="utf-8")
    _, *parts = format_any_table(path).split("\n\n")
    assert len(parts) > 1
    # A name that all rows share is said once.
    assert all(part.split()[0] == "training_set" for part in parts)
    assert ["made_of" in part for part in parts] == [True] + [False] * (len(parts) - 1)
    # Rows of a study differ in names with a number between.
    of_study = [["study", "dice", "0.25", m, b, *"123456789"] for m in "ab" for b in ("x", "x-y")]
    studied = ["dataset", "judge", "threshold", "measure", "model", *figures]
    path.write_text("\n".join(",".join(one) for one in (studied, *of_study)), encoding="utf-8")
    _, *parts = format_any_table(path).split("\n\n")
    assert all(part.split()[:2] == ["measure", "model"] for part in parts)
    # Where names would leave no room for figures, or distinguish nothing, the first two are.
    for models, names in ((["m" * 50, "n" * 50], ["r" * 50, "s" * 50]), (["a", "a"], ["b", "b"])):
        both = zip(models, names, strict=True)
        rows = [[model, "android", name, "pairs", *"123456789"] for model, name in both]
        path.write_text("\n".join(",".join(one) for one in (header, *rows)), encoding="utf-8")
        _, first, *parts = format_any_table(path).split("\n\n")
        assert first.split()[:3] == header[:3]
        assert all(part.split()[2] != header[2] for part in parts)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the header must name every column"),
        ("a,b\n1\n", "line 2: has 1 cells, not 2"),
        (",".join(COLUMNS[:5]) + "\n", "line 1: the header must be 'dataset,model"),
        ("a\n" + "1\n" * 2001, "has 2,001 rows, too many to show"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=told):
        format_any_table(path)


def test_a_table_1_in_short_has_its_best_rows_and_the_published_figures(tmp_path: Path) -> None:
    names = [f"m{number:02}" for number in range(12)]
    rows = [
        figures(f"0.{50 + number}", model=name, published_as="NCS" if name == "m01" else "",
                published_mrr="0.2" if name == "m01" else "")
        for number, name in enumerate(names)
    ]  # fmt: skip
    alone = {"model": "SCS", "published_as": "SCS", "published_mrr": "0.1"}
    path = write(tmp_path, *rows, alone, figures("1", model="ceiling"))
    shown, best, published, rest = format_any_table(path, brief=True).split("\n\n")
    assert shown.startswith("Table 1 of d: 4,321 methods")
    lines = best.splitlines()
    assert lines[0].startswith("The best 8 of 12 rows by MRR, and those beside published figures;")
    of_ours = [line.split()[0] for line in lines if line[:1] == "m" and line[1:2].isdigit()]
    assert of_ours == [*names[:3:-1], "m01"]
    assert lines[-1].split()[0] == "ceiling"
    assert [line.split() for line in published.splitlines()[2:]] == [
        ["NCS", "0.200"],
        ["SCS", "0.100"],
    ]
    assert rest == f"All rows, under every judge: ncsbench tables show {path}"
    path = write(tmp_path, rows[0])
    assert "ublished" not in format_any_table(path, brief=True)
