"""Figures of pages that follow from committed tables: CodeSearchNet, cleaning, numbers of pairs.

Usage: python tests/bench/result_figures.py (of docs/figures/, those of ``DRAWN``)
"""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

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
            panel = f"{MODELS[row['model']]}, {BENCHMARKS[row['benchmark']].split(maxsplit=1)[1]}"
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
}


def main(folder: Path = FIGURES, names: Sequence[str] = tuple(DRAWN)) -> None:
    """Write the figures into a folder."""
    for name in names:
        DRAWN[name](folder / name)


if __name__ == "__main__":
    main()
