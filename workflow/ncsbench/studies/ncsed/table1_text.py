"""Table 1 for readers: its rows as a report of a few narrow tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ncsbench.base.files.csv_tables import Row, format_number
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.evaluation.measures.results import CEILING, JUDGE_PREFIXES, LABELS, show_value
from ncsbench.evaluation.published.ablations import Directions, judge_named_by
from ncsbench.evaluation.published.verdicts import (
    DIFFERENT,
    MIN_QUESTIONS,
    UNEXPLAINED,
    read_reasons,
)
from ncsbench.evaluation.statistics.text_formats import Report, TextTable
from ncsbench.studies.ncsed.table1_files import DatasetSize, describe_size

REASONS = {
    "fewer_pairs": "our training pairs are fewer than the published ones. Training on half of "
    "them moves the figure away from the published one.",
    "other_dimension": "our vectors have fewer dimensions than the published ones. Halving them "
    "moves the figure away from the published one.",
    UNEXPLAINED: "no ablation that counts moves the figure surely towards the published one.",
}
"""Explanations of the reasons in a verdict; reasons that name a judge share one sentence."""
_JUDGE_REASON = (
    "the judge behind the published ranks is not confirmed. Judging by {} at the same threshold "
    "moves the figure towards the published one."
)

_WITH_INTERVAL = ("answered_10", "mrr")
"""Figures whose intervals fit into a line of 100 columns; ``table1_long.csv`` has all intervals."""

_FIGURE_LABELS = tuple(
    f"{LABELS[metric]} (95 %)" if metric in _WITH_INTERVAL else LABELS[metric] for metric in METRICS
)
_BEST = 8  # number of best rows in the short form of the table


def describe_table1(
    rows: Sequence[Row],
    size: DatasetSize,
    notes: Mapping[tuple[str, str], str],
    directions: Mapping[str, Directions],
    given: Collection[str] = (),
) -> Report:
    """Describe Table 1 as a report: a table for each judge, published figures, seeds, notes.

    Args:
        rows: rows of ``table1_files.read_table1``, at least one, our models first.
        size: the counts that the rows are computed from.
        notes: known inconsistencies of printed figures, by published system and metric.
        directions: the result of ``ablations.count_directions``.
        given: models whose rankings were made elsewhere.
    """
    numbers = {text: number for number, text in enumerate(dict.fromkeys(notes.values()), start=1)}
    marks = {cell: f" ({numbers[text]})" for cell, text in notes.items()}
    compared = compare_in_text(rows, marks)
    tables = [
        *(
            _figures(rows, prefix, f"{name.capitalize()} judge: {_judge(rows[0], prefix)}")
            for name, prefix in _judges(rows).items()
        ),
        compared,
        list_published(rows, marks),
        _seeds(rows),
        _repositories(rows),
    ]
    footnotes = [
        f"{row['model']}: a run made elsewhere. Nothing is known here of its training, of other "
        "seeds and of ranks below those that it has, so it has no intervals over repositories."
        for row in rows
        if row["model"] in given
    ]
    if any(row["published_as"] for row in rows):
        footnotes += [
            f"({number}) On the printed figure: {text}." for text, number in numbers.items()
        ]
        footnotes += _explain_verdicts(rows, directions)
    return Report(
        title=f"Table 1 of {describe_size(rows[0]['dataset'], size)}",
        paragraphs=tuple(
            filter(
                None,
                (
                    "@k: questions with an accepted method among the first k results; in brackets "
                    "95 % intervals over questions. lines: median length of the ten "
                    "first results. ceiling: what a perfect ranking of this corpus would answer.",
                    describe_unread(size),
                ),
            )
        ),
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(footnotes),
    )


def list_best(rows: Sequence[Row]) -> list[TextTable]:
    """Show Table 1 in a few lines: its best rows, rows with published figures, these figures."""
    models = [row for row in rows if row["questions"] and row["model"] != CEILING]
    ranked = sorted(models, key=lambda row: -float(row["mrr"]))
    shown = [row for row in ranked if row in ranked[:_BEST] or row["published_as"]]
    shown += [row for row in rows if row["questions"] and row["model"] == CEILING]
    published = {row["published_as"]: row for row in rows if row["published_mrr"]}
    others = {name: prefix for name, prefix in _judges(rows).items() if prefix}
    best = [
        (
            *(row["model"], *_list_figures(row, ""), row["median_lines"]),
            *(show_value("mrr", row[f"{prefix}mrr"]) for prefix in others.values()),
            row["published_as"],
        )
        for row in shown
    ]
    figures = [
        (name, *(show_value(metric, row[f"published_{metric}"]) for metric in METRICS))
        for name, row in published.items()
    ]
    caption = (
        f"The best {min(_BEST, len(models))} of {len(models)} rows by MRR"
        f"{', and those beside published figures' if published else ''}; judge: "
        f"{_judge(rows[0], '')}"
    )
    header = ("model", *_FIGURE_LABELS, "lines", *(f"{one} MRR" for one in others), "published as")
    count = len(header) if published else len(header) - 1
    alignment = f"l{'r' * (len(header) - 2)}l"
    tables = [
        TextTable(caption, header[:count], alignment[:count], tuple(row[:count] for row in best)),
        TextTable(
            "Published figures on the same questions",
            ("system", *LABELS.values()),
            "lrrrr",
            tuple(figures),
        ),
    ]
    return [table for table in tables if table.rows]


def describe_unread(size: DatasetSize) -> str:
    """Write a sentence on the answers that cannot be read; empty where all can be read."""
    unread = size.questions - size.answers_read
    if not unread:
        return ""
    return (
        f"Only {size.answers_read} of {size.questions} answers can be read as Java (answers.csv): "
        f"nothing can answer the other {unread}, whichever model."
    )


def compare_in_text(
    rows: Sequence[Row], marks: Mapping[tuple[str, str], str] | None = None
) -> TextTable:
    """Show our figures beside the published figures, one line per model and metric.

    Args:
        rows: rows of Table 1.
        marks: marks to append to a printed figure, by published system and metric.
    """
    marks = marks or {}
    lines = [
        (
            row["model"],
            row["published_as"],
            LABELS[metric],
            row[f"printed_{metric}"] + marks.get((row["published_as"], metric), ""),
            show_value(metric, row[f"published_{metric}"]),
            show_value(metric, _ours(row, metric)),
            _signed_interval(row, metric),
            _margin(metric, row[f"margin_{metric}"]),
            _margin(metric, row[f"smallest_margin_{metric}"]),
            _verdict(row, metric),
        )
        for row in rows
        for metric in METRICS
        if row["published_as"] and row["questions"]
    ]
    here = next((row["published_questions"] for row in rows if row["published_questions"]), "0")
    return TextTable(
        caption=f"Ours beside the published figures, on the {here} questions of the score sheet",
        header=(
            *("model", "published as", "figure", "printed", "published", "ours"),
            *("difference (95 %)", "margin", "needed", "verdict"),
        ),
        alignment="lllrrrrrrw",
        rows=tuple(lines),
    )


def list_published(
    rows: Sequence[Row], marks: Mapping[tuple[str, str], str] | None = None
) -> TextTable:
    """List published systems that no model of ours represents, one line each.

    Arguments are those of ``compare_in_text``.
    """
    marks = marks or {}
    lines = [
        (
            row["model"],
            row["trained_on"],
            *(
                row[f"printed_{metric}"] + marks.get((row["model"], metric), "")
                for metric in METRICS
            ),
            *(show_value(metric, row[f"published_{metric}"]) for metric in METRICS),
        )
        for row in rows
        if row["published_as"] and not row["questions"]
    ]
    return TextTable(
        caption="Published systems without a counterpart: as printed, and on the same questions",
        header=(
            *("system", "trained on"),
            *(f"{LABELS[metric]} printed" for metric in METRICS),
            *LABELS.values(),
        ),
        alignment="llrrrrrrrr",
        rows=tuple(lines),
    )


def _figures(rows: Sequence[Row], prefix: str, caption: str) -> TextTable:
    lines = [
        (row["model"], _trained_on(row), *_list_figures(row, prefix), row["median_lines"])
        for row in rows
        if row["questions"]
    ]
    header = ("model", "trained on", *_FIGURE_LABELS, "lines")
    return TextTable(caption, header, "llrrrrr", tuple(lines))


def _list_figures(row: Row, prefix: str) -> list[str]:
    return [
        _figure(row, prefix, metric) if metric in _WITH_INTERVAL else row[f"{prefix}{metric}"]
        for metric in METRICS
    ]


def _trained_on(row: Row) -> str:
    pairs = row["training_pairs"]
    return f"{row['trained_on']} ({int(pairs):,} pairs)" if pairs else row["trained_on"]


def _seeds(rows: Sequence[Row]) -> TextTable:
    lines = [
        (
            row["model"],
            row["seeds"],
            name,
            *(
                f"{show_value(metric, row[f'{prefix}{metric}_mean'])} ± "
                f"{show_value(metric, row[f'{prefix}{metric}_sd'])}"
                for metric in METRICS
            ),
        )
        for row in rows
        if row["seeds"] not in {"", "1"}
        for name, prefix in _judges(rows).items()
    ]
    return TextTable(
        caption="Several seeds: mean ± sample standard deviation",
        header=("model", "seeds", "judge", *LABELS.values()),
        alignment="lrlrrrr",
        rows=tuple(lines),
    )


def _repositories(rows: Sequence[Row]) -> TextTable:
    lines = [
        (
            row["model"],
            name,
            *(_figure(row, prefix, metric, "_repositories") for metric in METRICS),
        )
        for row in rows
        if row["mrr_repositories"]
        for name, prefix in _judges(rows).items()
    ]
    return TextTable(
        caption="Intervals over repositories (95 %)",
        header=("model", "judge", *LABELS.values()),
        alignment="llrrrr",
        rows=tuple(lines),
    )


def _explain_verdicts(rows: Sequence[Row], directions: Mapping[str, Directions]) -> list[str]:
    """Explain the published figures, then every reason in a verdict, one sentence each."""
    verdicts = [row[f"verdict_{metric}"] for row in rows for metric in METRICS]
    differing = sum(each.startswith(DIFFERENT) for each in verdicts)
    reasons = dict.fromkeys(reason for each in verdicts for reason in read_reasons(each))
    sentences = [
        "As printed: on all questions of the papers; published: computed from the score sheet on "
        "the questions here. Both are of another, larger corpus of methods: no difference from "
        "them is one of models alone, and no equal figure either."
    ]
    if any(verdicts):
        sentences += [
            "Verdicts: equivalent (two one-sided tests show the difference to be within a margin, "
            "20 % of the published figure and at least five questions unless the configuration "
            "says otherwise); different (it is shown not to be 0), with the reasons whose "
            "ablation has the right sign and the share of the difference that the step of the "
            "ablation covers, which is no extrapolation; else inconclusive: the questions cannot "
            "tell. Only an equivalent figure counts as reproduced. Differences are paired by "
            "question; the level is 5 %, corrected for the number of cells; in brackets the "
            "outcome without the correction, where it is another one.",
            "margin: how far the figure may be from the published one; needed: with every margin "
            "above this it would be equivalent, the other cells being as they are. The interval of "
            "90 % of a difference, not that of 95 %, says whether it is within the margin; "
            "table1_long.csv has both p with and without correction.",
        ]
        if any(row["difference_mrr"] and not row["verdict_mrr"] for row in rows):
            sentences.append(
                "A difference without a verdict: another row rebuilds the published system, this "
                "one stands beside its figures."
            )
    elif any(row["difference_mrr"] for row in rows):
        sentences.append(
            f"No verdicts and no reasons: fewer than {MIN_QUESTIONS} questions of the score sheet "
            "are too few to tell figures apart."
        )
    agreeing = sum(map(bool, verdicts)) - differing
    for reason in reasons:
        similarity = judge_named_by(reason)
        sentence = _JUDGE_REASON.format(similarity) if similarity else REASONS[reason]
        if reason in directions:
            subject = "It" if similarity else "The step from the half to the whole"
            sentence += f" {subject} {_count(reason, directions[reason], differing, agreeing)}."
        sentences.append(f"{reason}: {sentence}")
    for reason, found in directions.items():
        if judge_named_by(reason) and found.towards and found.refuting:
            sentences.append(
                f"{reason}: named nowhere. The published ranks had one judge; judging by "
                f"{judge_named_by(reason)} {_count(reason, found, differing, agreeing)}."
            )
    return sentences


def _count(reason: str, found: Directions, differing: int, agreeing: int) -> str:
    """Return the end of a sentence: counts of the cells that a reason moves, or spoils.

    A judge spoils a cell that agrees with the published figure but would differ under this judge.
    """
    cells = "cell" if differing == 1 else "cells"
    moved = f"moves {found.towards} of {differing} differing {cells} towards the published figure"
    if not judge_named_by(reason):
        return f"{moved} and {found.away} away from it"
    return f"{moved}, {found.away} away from it, and spoils {found.lost} of {agreeing} others"


def _judges(rows: Sequence[Row]) -> dict[str, str]:
    """Return the judges that rows have figures of, with the prefixes of their columns.

    Tables up to version 0.7.0 lack the charged judge.
    """
    return {name: prefix for name, prefix in JUDGE_PREFIXES.items() if rows[0][f"{prefix}judge"]}


def _judge(row: Row, prefix: str) -> str:
    return f"{row[f'{prefix}judge']} above {row[f'{prefix}threshold']}"


def _figure(row: Row, prefix: str, metric: str, ending: str = "") -> str:
    """Show a figure with its interval: whole questions, or an MRR with three digits."""
    name, digits = f"{prefix}{metric}{ending}", 3 if metric == "mrr" else 0
    low, high = (format_number(float(row[f"{name}_{bound}"]), digits) for bound in ("low", "high"))
    return f"{show_value(metric, row[name])} ({low}-{high})"


def _margin(metric: str, text: str) -> str:
    return f"±{show_value(metric, text)}" if text else ""


def _verdict(row: Row, metric: str) -> str:
    """Show the verdict, with the outcome without correction where both differ."""
    verdict, alone = row[f"verdict_{metric}"], row[f"verdict_alone_{metric}"]
    verdict = verdict.replace("+", " + ")  # so that lines are broken there
    return verdict if verdict.startswith(alone) else f"{verdict} (alone: {alone})"


def _ours(row: Row, metric: str) -> str:
    """Show our figure on the questions of the score sheet, over all seeds.

    The row's own figure, on the questions of the dataset, may differ.
    """
    if not row[f"difference_{metric}"]:
        return row[metric]
    ours = float(row[f"published_{metric}"]) + float(row[f"difference_{metric}"])
    return f"{ours:.6f}" if metric == "mrr" else f"{ours:.1f}"


def _signed_interval(row: Row, metric: str) -> str:
    name = f"difference_{metric}"
    if not row[name]:
        return ""
    parts = (row[f"{name}{part}"] for part in ("", "_low", "_high"))
    value, low, high = (show_value(metric, part, signed=True) for part in parts)
    return f"{value} ({low} to {high})"
