"""Figures of pages that follow from committed tables: results, speed and scale.

Usage: python tests/bench/result_figures.py (of docs/figures/, those of ``DRAWN``)
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import scale_tables

from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.base.files.svg_figures import (
    COLOURS,
    MARKERS,
    ChartRow,
    Interval,
    add_legend,
    draw_intervals,
    make_panels,
    read_interval,
    save_figure,
)
from ncsbench.studies.ncsed.model_names import HEADINGS, read_model_names

TABLE3 = Path("results/csn/table3.csv")
CURVES = Path("results/ncsed/learning_curves.csv")
CLEANING = Path("results/cleaning")
FIGURES = Path("docs/figures")
LANGUAGES = ("Go", "Java", "JavaScript", "PHP", "Python", "Ruby")
PLACES = {"codesearchnet": "CodeSearchNet", "android": "Android questions"}
SPEED = Path("results/speed/growth.csv")
NAMED = {
    "embedding": "word vectors (embedding)",
    "weights": "training of UNIF (weights)",
    "extract": "methods (extract)",
    "repository_intervals": "intervals over repositories",
    "judge_index": "index of the judge",
    "index": "indexes of models",
    "retrieve_deep": "deep rankings",
}
SYSTEMS = {"unif": "unif_github_c"}  # as config/codesearchnet/csn.yaml names its model
PAIRS = "95 % over pairs"
REPOSITORIES = "95 % over repositories"
SETS = {
    "raw": "raw pairs",
    "rule_only": "cleaned by rules",
    "filtered": "by rules and model",
    "controlled": "raw, at random",
    "raw_equal_steps": "raw, fewer steps",
    "rule_controlled": "by rules, at random",
}
CUTS = {"percentile": "percentile", "k_means": "k-means", "gaussian_mixture": "mixture"}
MODELS = {"deepcs": "DeepCS", "carlcs": "CARLCS"}
BENCHMARKS = {
    "codesearchnet": "285 pairs of CodeSearchNet",
    "android": "177 Android questions",
}


def draw_systems(output: Path) -> None:
    """The mean of six languages of each system of Table 3, with both kinds of intervals."""
    found = read_systems("mean")
    ends = {PAIRS: "mrr_1000", REPOSITORIES: "mrr_1000_repositories"}
    draw_intervals(
        output,
        [
            name_system(
                row,
                {
                    ("", text): read_interval(row, "mrr_1000", end)
                    for text, end in ends.items()
                    if row[f"{end}_low"] or text == PAIRS
                },
            )
            for row in found
        ],
        title="CodeSearchNet: MRR of each system among 1,000 functions,\nmean of six languages",
        axis="MRR, higher is better",
        series=[*ends],
    )


def draw_languages(output: Path) -> None:
    """A panel for each language; systems in the order of their means."""
    points: dict[str, dict[tuple[str, str], Interval]] = {}
    for language in LANGUAGES:
        for row in read_systems(language):
            found = read_interval(row, "mrr_1000", "mrr_1000_repositories")
            points.setdefault(row["model"], {})[language, REPOSITORIES] = found
    draw_intervals(
        output,
        [name_system({"model": model}, found) for model, found in points.items()],
        title="CodeSearchNet: MRR of each system by language\n"
        "(pools of 1,000, 95 % intervals over repositories)",
        axis="MRR",
        series=[REPOSITORIES],
        panels=LANGUAGES,
    )


def draw_cleaning(output: Path) -> None:
    """MRR@10 of both models by what they were trained on, on both benchmarks."""
    rows = [
        *read_headed_rows(CLEANING / "table2.csv")[1],
        *(
            row
            for row in read_headed_rows(CLEANING / "table5.csv")[1]
            if row["training_set"] == "rule_only"
        ),
    ]
    points: dict[str, dict[tuple[str, str], Interval]] = {}
    for row in rows:
        if row["mrr_10"] and row["benchmark"] in BENCHMARKS:
            name, shown = SETS.get(row["training_set"], row["model"]), MODELS.values()
            if row["pairs"]:
                name, shown = f"{int(row['pairs']):,} {name}", [MODELS[row["model"]]]
            for model in shown:
                place = (model, BENCHMARKS[row["benchmark"]])
                points.setdefault(name, {})[place] = read_interval(row, "mrr_10")
    draw_intervals(
        output,
        [ChartRow(name, "", found) for name, found in points.items()],
        title="Search after training on raw and on cleaned comments\n"
        "(medians over trainings, 95 % intervals)",
        axis="MRR@10",
        series=[*BENCHMARKS.values()],
        panels=[*MODELS.values()],
    )


def draw_shares(output: Path) -> None:
    """MRR@10 of Table 5 by the share of comments that are kept, beside the printed one."""
    rows = [row for row in read_headed_rows(CLEANING / "table5.csv")[1] if row["mrr_10"]]
    series = {"mrr_10": "here, 95 % interval", "published_mrr_10": "published"}
    points: dict[str, dict[tuple[str, str], Interval]] = {}
    for row in rows:
        if row["model"] in MODELS:
            cut = f", {CUTS[row['cut']]}" if row["cut"] else ""
            name = f"{100 * float(row['share_of_rules']):.0f} %{cut}"
            panel = f"{MODELS[row['model']]}, {PLACES[row['benchmark']]}"
            for column, text in series.items():
                points.setdefault(name, {})[panel, text] = read_interval(row, column)
    draw_intervals(
        output,
        [ChartRow(name, "", found) for name, found in points.items()],
        title="Search by the share of comments that the filter's model keeps",
        axis="MRR@10",
        series=[*series.values()],
        panels=[*dict.fromkeys(panel for found in points.values() for panel, _ in found)],
    )


def draw_curves(output: Path) -> None:
    """Strict MRR of UNIF by the number of pairs that it was trained on."""
    save_figure(output, lambda: plot_curves(read_headed_rows(CURVES)[1]))


def plot_curves(rows: Sequence[Row]) -> Figure:
    """A line for each kind of pairs."""
    title = "UNIF: strict MRR by the number of training pairs\n(185 questions, 95 % intervals)"
    figure, (panel,) = make_panels(height=4.4, title=title)
    names = read_model_names()
    for place, model in enumerate(dict.fromkeys(row["model"] for row in rows)):
        own = [row for row in rows if row["model"] == model]
        pairs = [int(row["pairs"]) for row in own]
        points = [read_interval(row, "strict_mrr") for row in own]
        style: dict[str, str] = {"color": COLOURS[place], "marker": MARKERS[place]}
        panel.plot(pairs, [one.value for one in points], label=names[model].name, **style)
        panel.vlines(
            pairs,
            [one.low for one in points],
            [one.high for one in points],
            color=COLOURS[place],
            linewidth=1,
        )
    panel.set(xscale="log", ylabel="strict MRR", ylim=(0, None))
    panel.set_xlabel("training pairs (a logarithmic axis)")
    panel.xaxis.set_major_formatter("{x:,.0f}")
    add_legend(figure, panel, columns=3)
    return figure


def draw_speed(output: Path) -> None:
    """Processor time of stages by number of methods, beside what they are compared with."""
    save_figure(output, lambda: plot_speed(read_headed_rows(SPEED)[1]))


def plot_speed(rows: Sequence[Row]) -> Figure:
    """Seconds by number of methods: ours as lines, what it is compared with as dots."""
    title = "Processor time of stages by number of methods"
    figure, (panel,) = make_panels(height=5.0, title=title)
    stages = dict.fromkeys(row["stage"] for row in rows)
    for colour, mark, stage in zip(COLOURS, MARKERS, stages, strict=False):
        own = [row for row in rows if row["stage"] == stage]
        methods = [int(row["methods"]) for row in own]
        factors = [1 if row["unit"] == "s" else 0.001 for row in own]
        for side, line, face in (("ours", "-", colour), ("peer", ":", "none")):
            values = [float(row[side]) * one for row, one in zip(own, factors, strict=True)]
            label = stage if side == "ours" else None
            panel.plot(
                methods, values, line, marker=mark, color=colour, markerfacecolor=face, label=label
            )
    panel.plot([], [], ":", color=COLOURS[7], label="dotted: what it is compared with")
    name_axes(panel)
    add_legend(figure, panel, columns=2)
    return figure


def draw_scale(output: Path) -> None:
    """Processor time of Table 1 by number of methods: all rules, and the seven longest."""
    stages = scale_tables.read_stages()[1]
    totals = scale_tables.sum_stages(scale_tables.fit_growth(stages))
    save_figure(output, lambda: plot_scale(scale_tables.sum_by_rule(stages), totals))


def plot_scale(rows: Sequence[Row], totals: Mapping[int, float]) -> Figure:
    """A line for each rule, the longest first."""
    title = "Processor time of Table 1, rule by rule"
    figure, (panel,) = make_panels(height=5.0, title=title)
    seconds = list(totals.values())
    panel.plot(list(totals), seconds, "h:", color=COLOURS[7], label="all rules")
    longest: dict[str, float] = {}
    for row in rows:
        longest[row["rule"]] = max(longest.get(row["rule"], 0), float(row["per_million"]))
    ordered = sorted(longest, key=lambda rule: (-longest[rule], rule))
    for colour, mark, rule in zip(COLOURS[:7], MARKERS, ordered, strict=False):
        own = sorted((int(row["methods"]), row) for row in rows if row["rule"] == rule)
        seconds = [float(row["processor_seconds"]) for _, row in own]
        style: dict[str, str] = {"marker": mark, "color": colour, "label": NAMED.get(rule, rule)}
        panel.plot([size for size, _ in own], seconds, **style)
    name_axes(panel)
    add_legend(figure, panel, columns=2)
    return figure


def name_axes(panel: Axes) -> None:
    """Logarithmic axes of methods and seconds."""
    panel.set(xscale="log", yscale="log", ylabel="seconds of processor time")
    panel.set_xlabel("methods (both axes are logarithmic)")


def read_systems(language: str) -> list[Row]:
    """Rows of Table 3 from query to code."""
    return [
        row
        for row in read_headed_rows(TABLE3)[1]
        if (row["direction"], row["language"]) == ("query_to_code", language)
    ]


def name_system(row: Row, points: dict[tuple[str, str], Interval]) -> ChartRow:
    """A row of a figure, by the names for people."""
    name = read_model_names().get(SYSTEMS.get(row["model"], row["model"]))
    kind = HEADINGS[name.kind if name else "chance"]
    return ChartRow(name.name if name else row["model"], kind, points)


DRAWN = {
    "csn_systems.svg": draw_systems,
    "csn_languages.svg": draw_languages,
    "cleaning.svg": draw_cleaning,
    "cleaning_shares.svg": draw_shares,
    "learning_curves.svg": draw_curves,
    "scale.svg": draw_scale,
    "speed.svg": draw_speed,
}


def main(folder: Path = FIGURES, names: Sequence[str] = tuple(DRAWN)) -> None:
    """Write the figures into a folder."""
    for name in names:
        DRAWN[name](folder / name)


if __name__ == "__main__":
    main()
