from __future__ import annotations

from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.shown_table import WIDTH, format_any_table, format_table1
from ncsbench.base.files.csv_tables import Row
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.studies.ncsed.table1_files import CELLS, COLUMNS, DatasetSize, write_table1

SIZE = DatasetSize(methods=4321, repositories=12, questions=7, answers_read=7)
JUDGED = {"judge": "dice", "threshold": "0.25", "strict_judge": "jaccard", "strict_threshold": "0"}


def write(folder: Path, *rows: Row, size: DatasetSize = SIZE) -> Path:
    whole = [{**dict.fromkeys(CELLS, ""), "dataset": "d", **row} for row in rows]
    write_table1(folder, whole, size)
    return folder / "table1.csv"


def figures(value: str, **cells: str) -> Row:
    """All our figures, with bounds."""
    bounds = ("", "_low", "_high")
    ours = [f"{s}{m}{b}" for s in ("", "strict_") for m in METRICS for b in bounds]
    return {"questions": "7", **JUDGED, **dict.fromkeys(ours, value), **cells}


def test_the_first_line_says_of_what_and_figures_have_their_intervals(tmp_path: Path) -> None:
    cells = figures("1", model="m", trained_on="none", answered_10_high="5", median_lines="9.5")
    lines = format_table1(write(tmp_path, cells)).splitlines()
    assert lines[0] == (
        "Table 1 of d: 4,321 methods of 12 repositories (of 24,549 in the paper), 7 questions"
    )
    default = lines.index("Lenient judge: dice above 0.25")
    assert lines[default + 1].split()[:3] == ["model", "trained", "on"]
    assert lines[default + 2].split() == [
        *("m", "none", "1", "1", "1", "(1-5)", "1.000", "(1.000-1.000)", "9.5"),
    ]
    assert "Strict judge: jaccard above 0" in lines


def test_one_of_a_thing_is_said_so(tmp_path: Path) -> None:
    size = DatasetSize(methods=1, repositories=1, questions=1, answers_read=1)
    path = write(tmp_path, figures("1", model="m"), size=size)
    assert format_table1(path).splitlines()[0] == (
        "Table 1 of d: 1 method of 1 repository (of 24,549 in the paper), 1 question"
    )


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", ",".join(COLUMNS) + "\n"])
def test_other_files_end_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=r"t\.csv"):
        format_table1(path)


def test_the_long_table_must_stand_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path, figures("1", model="m"))
    (tmp_path / "table1_long.csv").unlink()
    with pytest.raises(DataError, match=r"table1_long\.csv: cannot be read"):
        format_table1(path)


def test_published_figures_and_seeds_follow_in_tables_of_their_own(tmp_path: Path) -> None:
    ncs = figures(
        "1", model="ncs", published_as="NCS", published_questions="7", seeds="3",
        **{f"verdict_{metric}": "different: fewer_pairs (12 %)+other_dimension (3 %)"
           for metric in METRICS},
        **{f"printed_{metric}": "33" for metric in METRICS},
        **{f"{prefix}{metric}_{figure}": "2" for metric in METRICS
           for prefix in ("", "strict_") for figure in ("mean", "sd")},
        **{f"{kind}_{metric}{bound}": "1" for metric in METRICS
           for kind, bound in (("published", ""), ("smallest_margin", ""), ("difference", ""),
                               ("difference", "_low"), ("difference", "_high"))},
    )  # fmt: skip
    scs = {"model": "SCS", "published_as": "SCS", "printed_mrr": "0.124"}
    text = format_table1(write(tmp_path, ncs, scs))
    _, ours, strict, caption, compared, only, seeds, models = text.split("\n\n")
    assert len(ours.splitlines()) == len(strict.splitlines()) == 3
    assert caption == "Ours beside the published figures, on the 7 questions of the score sheet"
    assert compared.splitlines()[0] == "ncs beside NCS"
    assert next(line for line in compared.splitlines() if line.startswith("@1")).split()[:9] == [
        *("@1", "33", "1", "2", "+1", "(+1", "to", "+1)", "±1"),
    ]
    assert only.splitlines()[2].split() == ["SCS", "0.124"]
    assert seeds.splitlines()[2].split()[:4] == ["ncs", "3", "lenient", "2"]
    assert models.splitlines()[0] == "The models"
    assert models.splitlines()[2].split()[:4] == ["ncs", "NCS", "2018", "sums"]
    assert max(map(len, text.splitlines())) <= WIDTH


def test_no_word_is_broken_where_names_verdicts_and_differences_are_long(tmp_path: Path) -> None:
    reasons = "fewer_pairs (12 %)+measure_pruned_jaccard_leaf (3 %)"
    verdicts = dict(
        zip(METRICS, ("equivalent", "inconclusive", f"different: {reasons}", ""), strict=True)
    )
    rows = [
        figures(
            "0.123456", model=name, published_as=system, published_questions="7",
            **{f"verdict_{metric}": verdict for metric, verdict in verdicts.items()},
            **{f"printed_{metric}": "188" for metric in METRICS},
            **{f"{kind}_{metric}{bound}": "-0.181234" for metric in METRICS
               for kind, bound in (("published", ""), ("smallest_margin", ""), ("difference", ""),
                                   ("difference", "_low"), ("difference", "_high"))},
        )
        for name, system in (
            ("unif_stackoverflow_c_500", "UNIF_stackoverflow"), ("ncs_postrank", "NCS_postrank"),
        )
    ]  # fmt: skip
    scs = {"model": "SCS (StackOverflow-Android-Train)", "published_as": "SCS"}
    text = format_table1(
        write(tmp_path, *rows, scs | {"trained_on": "StackOverflow-Android-Train"})
    )
    words = text.replace("\n", " ").split()
    assert "unif_stackoverflow_c_500 beside UNIF_stackoverflow" in text
    for word in (
        *"published difference equivalent inconclusive fewer_pairs".split(),
        "measure_pruned_jaccard_leaf",
        "(-0.181",
        "Android-Train",
    ):
        assert word in words, word  # fmt: skip
    assert max(map(len, text.splitlines())) <= WIDTH


def test_no_line_is_longer_than_promised_whatever_the_names(tmp_path: Path) -> None:
    name = "a_very_long_name_" * 12
    cells = figures("1", model=name, trained_on=name, published_as=name, dataset=name)
    path = write(tmp_path, cells, {"model": "x", "published_as": name, "trained_on": name})
    assert max(map(len, format_table1(path).splitlines())) <= WIDTH


def test_names_do_not_act_on_the_terminal(tmp_path: Path) -> None:
    cells = figures("1", model="m\x1b[2J", trained_on="[red]x[/red]")
    shown = format_table1(write(tmp_path, cells))
    assert "m<U+001B>[2J" in shown and "[red]x[/red]" in shown


def test_a_figure_must_be_a_number(tmp_path: Path) -> None:
    cells = figures("1", model="m", published_as="NCS", published_mrr="much")
    with pytest.raises(DataError, match=r"table1\.csv: a figure is no number"):
        format_table1(write(tmp_path, cells))


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
