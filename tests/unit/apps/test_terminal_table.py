from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.shown_table import WIDTH, format_table1
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
    assert models.splitlines()[2].split()[:4] == ["ncs", "NCS", "2018", "fastText"]
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
