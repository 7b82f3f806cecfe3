"""Table 1 for readers, and what of other people's text gets into Markdown and LaTeX."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import Row
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.published.ablations import Directions
from ncsbench.evaluation.statistics.text_formats import (
    Report,
    TextTable,
    escape_latex,
    escape_markdown,
    to_latex,
    to_markdown,
)
from ncsbench.studies.ncsed.table1_files import CELLS, DatasetSize
from ncsbench.studies.ncsed.table1_text import describe_table1

HOSTILE = r"_a_ % & # $ { } ~ ^ \ | <b> `c` [d](e) *f* -- \input{x} " + '"g"'


def row(model: str, **cells: str) -> Row:
    return {
        **dict.fromkeys(CELLS, ""), "dataset": "tiny", "model": model, "judge": "jaccard",
        "threshold": "0.25", "strict_judge": "dice", "strict_threshold": "0.25", **cells,
    }  # fmt: skip


def figures(prefix: str, count: str, mrr: str) -> dict[str, str]:
    return {f"{prefix}{m}": mrr if m == "mrr" else count for m in METRICS}


NUMBERS = {
    f"{strict}{metric}{bound}": "0.264093" if metric == "mrr" else "7"
    for strict in ("", "strict_")
    for metric in METRICS
    for bound in ("", "_low", "_high")
}
NCS = row(
    "ncs", **NUMBERS, questions="9", published_as="NCS", published_questions="8",
    **figures("printed_", "33", "0.4"), **figures("published_", "5", "0.193293"),
    **figures("difference_", "2", "0.071000"), difference_mrr_low="-0.01",
    difference_mrr_high="0.2",
    difference_answered_1_low="1", difference_answered_1_high="3", difference_answered_5_low="1",
    difference_answered_5_high="3", difference_answered_10_low="1", difference_answered_10_high="3",
    verdict_answered_1="different: fewer_pairs (12 %)+measure_dice (40 %)",
    verdict_answered_5="equivalent",
    verdict_answered_10="different: unexplained", verdict_mrr="inconclusive", seeds="3",
    **figures("smallest_margin_", "2.4", "0.192000"), **figures("margin_", "1.04", "0.100000"),
    **{f"{strict}{m}_{figure}": "1.5" for strict in ("", "strict_") for m in METRICS
       for figure in ("mean", "sd")},
)  # fmt: skip
SCS = row("SCS", published_as="SCS", **figures("printed_", "9", "0.124"), judge="")
SIZE = DatasetSize(methods=1234, repositories=5, questions=9, answers_read=9)
NOTES = {("SCS", "mrr"): "no target", ("NCS", "answered_1"): "another corpus"}


def test_the_report_holds_ours_published_verdicts_seeds_and_notes_dev_80() -> None:
    directions = {"fewer_pairs": Directions(1, 0), "measure_dice": Directions(1, 0, 0)}
    text = to_markdown(describe_table1([NCS, SCS], SIZE, NOTES, directions))
    for line in (
        "# Table 1 of tiny: 1,234 methods of 5 repositories (of 24,549 in the paper), 9 questions",
        "## Lenient judge: jaccard above 0.25",
        "| ncs |  | 7 | 7 | 7 (7-7) | 0.264 (0.264-0.264) |  |",
        "## Ours beside the published figures, on the 8 questions of the score sheet",
        "| ncs | NCS | @1 | 33 (2) | 5 | 7 | +2 (+1 to +3) | ±1 | ±2.4 "
        "| different: fewer_pairs (12 %) + measure_dice (40 %) |",
        "| ncs | NCS | MRR | 0.4 | 0.193 | 0.264 | +0.071 (-0.010 to +0.200) | ±0.100 | ±0.192 "
        "| inconclusive |",
        "| SCS |  | 9 | 9 | 9 | 0.124 (1) |  |  |  |  |",
        "| ncs | 3 | strict | 1.5 ± 1.5 | 1.5 ± 1.5 | 1.5 ± 1.5 | 1.500 ± 1.500 |",
        "- (1) On the printed figure: no target.",
    ):
        assert line in text.splitlines()
    assert "fewer_pairs: our training pairs" in text
    assert "unexplained: no ablation" in text
    moves = "moves 1 of 2 differing cells towards the published figure"
    assert f"The step from the half to the whole {moves} and 0 away from it." in text
    assert f"It {moves}, 0 away from it, and spoils 0 of 2 others." in text


def test_a_measure_that_cells_speak_against_is_named_nowhere_dev_80() -> None:
    notes = describe_table1([NCS], SIZE, {}, {"measure_containment": Directions(2, 0, 1)}).notes
    assert notes[-1] == (
        "measure_containment: named nowhere. The published ranks had one judge; judging by "
        "containment moves 2 of 2 differing cells towards the published figure, 0 away from it, "
        "and spoils 1 of 2 others."
    )


def test_a_table_of_few_questions_says_why_it_has_no_verdicts_dev_80() -> None:
    bare = {**NCS, **figures("verdict_", "", "")}
    notes = describe_table1([bare], SIZE, {}, {}).notes
    assert notes[-1].startswith("No verdicts and no reasons: fewer than 20 questions")
    assert not any(note.startswith("Verdicts:") for note in notes)


def test_a_row_that_stands_beside_a_figure_says_so_dev_80() -> None:
    beside = {**NCS, "model": "other", **figures("verdict_", "", "")}
    beside |= figures("smallest_margin_", "", "") | figures("margin_", "", "")
    report = describe_table1([NCS, beside], SIZE, {}, {})
    assert "| other | NCS | @5 | 33 | 5 | 7 | +2 (+1 to +3) |  |  |  |" in to_markdown(report)
    said = "A difference without a verdict: another row rebuilds"
    assert any(note.startswith(said) for note in report.notes)
    assert not any(note.startswith(said) for note in describe_table1([NCS], SIZE, {}, {}).notes)


def test_a_difference_that_vanishes_in_rounding_has_no_sign() -> None:
    tiny = {**NCS, "difference_mrr": "-0.000400", "difference_mrr_low": "0.000100"}
    text = to_markdown(describe_table1([tiny], SIZE, {}, {}))
    assert "| 0.000 (0.000 to +0.200) |" in text


def test_a_table_without_published_figures_has_no_word_of_them() -> None:
    plain = row("bm25", **NUMBERS, questions="9", seeds="1")
    report = describe_table1([plain], SIZE, NOTES, {})
    assert [table.caption.split(":")[0] for table in report.tables] == [
        *("Lenient judge", "Strict judge"),
    ]
    assert report.notes == ()


def test_answers_that_cannot_be_read_are_told() -> None:
    unread = replace(SIZE, answers_read=7)
    told = describe_table1([NCS], unread, {}, {}).paragraphs[-1]
    assert told.startswith("Only 7 of 9 answers can be read as Java (answers.csv): nothing can")
    assert len(describe_table1([NCS], SIZE, {}, {}).paragraphs) == 1


def report(text: str) -> Report:
    table = TextTable(text, (text, text), "lw", ((text, text), ("a_b+c", "a_b+c")))
    return Report(text, (text,), (table,), (text,))


def test_hostile_names_are_shown_as_they_are_in_latex() -> None:
    assert escape_latex("_%&#${}") == r"\_\%\&\#\$\{\}"
    assert escape_latex("~^\\<>|") == (
        r"\textasciitilde{}\textasciicircum{}\textbackslash{}\textless{}\textgreater{}\textbar{}"
    )
    assert escape_latex("[a]* --- é λ\x1b\n") == (
        r"{[}a{]}{*} -{}-{}- é \textless{}U+03BB\textgreater{}\textless{}U+001B\textgreater{}"
    )
    assert r"a\_b+c & a\_\allowbreak{}b+\allowbreak{}c \\" in to_latex(report(HOSTILE))


@given(st.text(max_size=30))
@example(HOSTILE)
def test_latex_stays_balanced_whatever_the_text(text: str) -> None:
    written = to_latex(report(text))
    bare = re.sub(r"\\[\\{}%&#$_]", "", written)
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"[#$~^<>|\"`]", bare)
    assert bare.count("%") == 1  # the comment of the first line
    cells = [line for line in written.splitlines() if line.endswith(r" \\")]
    assert [re.sub(r"\\.", "", line).count("&") for line in cells] == [1, 1, 1]
    environments = re.findall(r"\\(begin|end)\{(\w+)\}", written)
    assert environments == [
        *(("begin", "table"), ("begin", "tabular"), ("end", "tabular"), ("end", "table")),
        *(("begin", "itemize"), ("end", "itemize")),
    ]


@given(st.text(max_size=30))
@example(HOSTILE)
def test_markdown_tables_keep_their_cells_whatever_the_text(text: str) -> None:
    written = to_markdown(report(text))
    table = [line for line in written.splitlines() if line.startswith("| ")]
    assert len(table) == 4
    for line in table:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
    assert not re.search(r"[<>]", written)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("random_long", "random_long"),
        ("_a_ b_", r"\_a\_ b\_"),
        ("a|b <i> & `c`", r"a\|b &lt;i&gt; &amp; \`c\`"),
        ("[a](b) *c* \\d ~e~", r"\[a\](b) \*c\* \\d \~e\~"),
        ("two\nlines", "two lines"),
    ],
)
def test_markdown_shows_names_as_they_are(text: str, shown: str) -> None:
    assert escape_markdown(text) == shown


def test_a_run_made_elsewhere_says_what_is_not_known_of_it() -> None:
    plain = [row(name, **NUMBERS, questions="9") for name in ("bm25", "mine")]
    (note,) = describe_table1(plain, SIZE, {}, {}, given={"mine"}).notes
    assert note.startswith("mine: a run made elsewhere. Nothing is known here of its training")
