"""What measurements at several sizes say together: exponents, chains and cores.

Usage: python tests/bench/scale_tables.py (of results/scale/; result_figures.py draws them)
"""

import csv
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ncsbench.apps.shown_tables.stage_usage import COLUMNS, JobUsage, read_jobs, summarise_usage
from ncsbench.base.files.csv_tables import Row, read_rows, write_rows
from ncsbench.base.files.storage import read_json

RESULTS = Path("results/scale")
STAGES = ("run", "methods", *COLUMNS)
RUNS = (
    "run", "methods", "corpus_methods", "repositories", "java_mib", "folder_mib", "jobs",
    "processor_seconds", "chain_seconds", "chain", "largest_job_mib", "together_mib",
)  # fmt: skip
RULES = (
    "run", "methods", "rule", "jobs", "processor_seconds", "per_million", "longest_job",
    "wall_seconds", "peak_mib", "written_mib", "written_per_million",
)  # fmt: skip
GROWTH = (
    "rule", "sizes", "exponent", "seconds_at_5_million", "longest_at_5_million",
    "peak_mib_at_5_million",
)  # fmt: skip
CORES = ("methods", "processor_hours", "chain_hours", "hours_2", "hours_16", "hours_64")
FULL = 5_000_000
_LEAST_SECONDS = 10.0
_NOT_OF_TABLE1 = {"fetch", "published_input"}
_FIRST_WORD = re.compile(r"^[a-z_0-9]+")


def write_measurements(folder: Path, name: str, *, methods: int, graph: str) -> None:
    """Add what the logs of a run say to the tables, in place of what they had of it.

    Args:
        folder: of ``stages.csv`` and ``runs.csv``.
        name: of the dataset.
        methods: that were asked for.
        graph: of its rules, as ``snakemake --rulegraph dot`` prints it.
    """
    logs, store = Path("data", name, "logs"), Path("data", name, "store.json")
    rows = [row for row in summarise_usage(logs) if rule_of(row["stage"]) not in _NOT_OF_TABLE1]
    jobs = [job for job in read_jobs(logs) if rule_of(job.stage) not in _NOT_OF_TABLE1]
    manifest = Path("data", name, "corpus/manifest.json")
    corpus = read_json(manifest)["methods"] if manifest.exists() else ""
    counts = read_json(store)["counts"]
    chain, seconds = find_longest_chain(graph, _longest(rows))
    about = {
        "run": name, "methods": str(methods), "corpus_methods": str(corpus),
        "repositories": str(counts["repositories"]),
        "java_mib": f"{counts['java_bytes'] / 2**20:.0f}",
        "folder_mib": f"{_size_of(Path('data', name)) / 2**20:.0f}",
        "jobs": str(len(jobs)),
        "processor_seconds": f"{sum(job.processor_seconds for job in jobs):.0f}",
        "chain_seconds": f"{seconds:.0f}",
        "chain": " ".join(chain),
        "largest_job_mib": str(max(_memory(job) for job in jobs)),
        "together_mib": str(find_most_together(jobs)),
    }  # fmt: skip
    _replace(folder / "runs.csv", RUNS, name, [about])
    labelled = [{"run": name, "methods": str(methods), **row} for row in rows]
    _replace(folder / "stages.csv", STAGES, name, labelled)


def find_longest_chain(graph: str, seconds: Mapping[str, float]) -> tuple[list[str], float]:
    """The rules that follow each other and take longest, by the longest job of each.

    An upper bound: the longest jobs of two rules need not be of one model. A rule whose jobs rest
    on others of the same rule counts twice.

    Args:
        graph: of the rules, as DOT.
        seconds: of the longest job of each rule; none for one that was not measured.
    """
    labels = dict(re.findall(r'^\s*(\d+)\[label = "(\w+)', graph, re.MULTILINE))
    before = defaultdict(list)
    times = dict.fromkeys(labels, 1)
    for first, then in re.findall(r"^\s*(\d+) -> (\d+)", graph, re.MULTILINE):
        if first == then:  # a job that rests on another one of its rule
            times[then] = 2
        else:
            before[then].append(first)
    known: dict[str, tuple[list[str], float]] = {}

    def end_at(node: str) -> tuple[list[str], float]:
        if node not in known:
            ways = [end_at(one) for one in before[node]]
            path, total = max(ways, key=lambda way: way[1], default=([], 0.0))
            own = seconds.get(labels[node], 0.0) * times[node]
            known[node] = ([*path, labels[node]] if own else path, total + own)
        return known[node]

    return max((end_at(node) for node in labels), key=lambda way: way[1], default=([], 0.0))


def find_most_together(jobs: Sequence[JobUsage]) -> int:
    """MiB of the jobs that ran at the same moment, each with its peak, at the worst moment."""
    changes = []
    for job in jobs:
        changes += [(job.ended - job.seconds, 1, _memory(job)), (job.ended, 0, -_memory(job))]
    together = most = 0
    for _, _, change in sorted(changes):
        together += change
        most = max(most, together)
    return most


def fit_exponent(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Factor and exponent of a power of the size, by least squares on logarithms.

    Of one size the exponent is 1.
    """
    values = [max(value, 0.1) for value in values]  # what the logs tell apart
    if len(sizes) == 1:
        return values[0] / sizes[0], 1.0
    slope, start = np.polyfit(np.log(sizes), np.log(values), 1)
    return math.exp(start), float(slope)


def bound_seconds(total: float, chain: float, cores: int) -> tuple[float, float]:
    """The least and (Graham 1969) the most that jobs on so many cores take, without waiting."""
    return max(total / cores, chain), (total - chain) / cores + chain


def sum_by_rule(rows: Sequence[Row]) -> list[Row]:
    """Rows of ``RULES`` from those of ``STAGES``: the models of a rule together."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row["run"], rule_of(row["stage"])].append(row)
    return [
        {
            "run": run,
            "methods": own[0]["methods"],
            "rule": rule,
            "jobs": str(sum(int(row["jobs"]) for row in own)),
            "processor_seconds": f"{_sum(own, 'processor_seconds'):.1f}",
            "per_million": f"{_sum(own, 'processor_seconds') / _millions(own[0]):.0f}",
            "longest_job": f"{_most(own, 'longest_processor_seconds'):.1f}",
            "wall_seconds": f"{_sum(own, 'seconds'):.0f}",
            "peak_mib": f"{_most(own, 'peak_mib'):.0f}",
            "written_mib": f"{_sum(own, 'written_mib'):.0f}",
            "written_per_million": f"{_sum(own, 'written_mib') / _millions(own[0]):.0f}",
        }
        for (run, rule), own in sorted(found.items())
    ]


@dataclass(frozen=True)
class Growth:
    """How a stage grows with the methods.

    Attributes:
        measured: by size, processor seconds of all its jobs and of the longest, MiB of the largest.
        seconds: factor and exponent of the processor seconds of all its jobs; of one size in
            proportion.
        longest: those of its longest job.
        memory: MiB of its largest job without methods, and for each method; of one size none.
    """

    measured: Mapping[int, tuple[float, float, float]]
    seconds: tuple[float, float]
    longest: tuple[float, float]
    memory: tuple[float, float]

    def seconds_at(self, methods: int) -> float:
        """Processor seconds of all its jobs: measured, else on the line."""
        if methods in self.measured:
            return self.measured[methods][0]
        return float(self.seconds[0] * methods ** self.seconds[1])

    def longest_at(self, methods: int) -> float:
        """Processor seconds of its longest job, likewise."""
        if methods in self.measured:
            return self.measured[methods][1]
        return float(self.longest[0] * methods ** self.longest[1])

    def memory_at(self, methods: int) -> float:
        """MiB of its largest job, likewise."""
        if methods in self.measured:
            return self.measured[methods][2]
        return self.memory[0] + max(self.memory[1], 0.0) * methods


def fit_growth(rows: Sequence[Row]) -> dict[str, Growth]:
    """How each stage grows, from rows of ``STAGES``."""
    by_stage: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(rows, key=_millions):
        by_stage[row["stage"]].append(row)
    found = {}
    for stage, own in sorted(by_stage.items()):
        columns = ("processor_seconds", "longest_processor_seconds", "peak_mib")
        sizes = [int(row["methods"]) for row in own]
        seconds, longest, peaks = ([_number(row, name) for row in own] for name in columns)
        slope, start = np.polyfit(sizes, peaks, 1) if len(sizes) > 1 else (0.0, 0.0)
        found[stage] = Growth(
            measured=dict(zip(sizes, zip(seconds, longest, peaks, strict=True), strict=True)),
            seconds=fit_exponent(sizes, seconds),
            longest=fit_exponent(sizes, longest),
            memory=(float(start), float(slope)),
        )
    return found


def sum_stages(growth: Mapping[str, Growth]) -> dict[int, float]:
    """Processor seconds of all stages at the sizes at which half of them or more were measured.

    The others are taken from their own lines.
    """
    totals = {}
    for size in sorted({size for one in growth.values() for size in one.measured}):
        if 2 * sum(size in one.measured for one in growth.values()) >= len(growth):
            totals[size] = sum(one.seconds_at(size) for one in growth.values())
    return totals


def tabulate_growth(growth: Mapping[str, Growth]) -> list[Row]:
    """Rows of ``GROWTH``: of all stages, and of those of each rule."""
    table = []
    for rule in ["all", *sorted({rule_of(stage) for stage in growth})]:
        own = {stage: one for stage, one in growth.items() if rule in ("all", rule_of(stage))}
        totals = sum_stages(own)
        exponent = fit_exponent(list(totals), list(totals.values()))[1]
        # What a process takes before it has read anything says nothing about growth.
        grows = len(totals) > 1 and max(totals.values()) >= _LEAST_SECONDS
        peak = max(one.memory_at(FULL) for one in own.values())
        table.append(
            {
                "rule": rule,
                "sizes": " ".join(f"{size:,}" for size in totals),
                "exponent": f"{exponent:.2f}" if grows else "",
                "seconds_at_5_million": f"{sum(one.seconds_at(FULL) for one in own.values()):.0f}",
                "longest_at_5_million": f"{max(one.longest_at(FULL) for one in own.values()):.0f}",
                "peak_mib_at_5_million": f"{peak:.0f}" if peak else "",
            }
        )
    return table


def estimate_cores(
    runs: Sequence[Row], totals: Mapping[int, float], growth: Mapping[str, Growth]
) -> list[Row]:
    """Rows of ``CORES`` for the sizes that were measured, and for five million methods."""
    ways = {tuple(run["chain"].split()) for run in runs}
    rows = []
    for size in dict.fromkeys([*totals, FULL]):
        seconds = totals.get(size) or sum(one.seconds_at(size) for one in growth.values())
        longest: dict[str, float] = defaultdict(float)
        for stage, one in growth.items():
            longest[rule_of(stage)] = max(longest[rule_of(stage)], one.longest_at(size))
        # A run that was measured in part has a chain with gaps.
        chain = max(sum(longest[rule] for rule in way) for way in ways)
        hours = {
            f"hours_{cores}": "{:.2f} to {:.2f}".format(
                *(one / 3600 for one in bound_seconds(seconds, chain, cores))
            )
            for cores in (2, 16, 64)
        }
        rows.append(
            {
                "methods": str(size),
                "processor_hours": f"{seconds / 3600:.2f}",
                "chain_hours": f"{chain / 3600:.2f}",
                **hours,
            }
        )
    return rows


def read_stages() -> tuple[list[Row], list[Row]]:
    """Rows of runs.csv and of stages.csv, without those of longer vectors."""
    runs = [
        row
        for row in read_rows(RESULTS / "runs.csv", RUNS)
        if re.fullmatch(r"scale_\d+", row["run"])
    ]
    names = {row["run"] for row in runs}
    return runs, [row for row in read_rows(RESULTS / "stages.csv", STAGES) if row["run"] in names]


def main() -> None:
    """Write the tables that follow from runs.csv and stages.csv."""
    runs, stages = read_stages()
    growth = fit_growth(stages)
    write_rows(RESULTS / "rules.csv", RULES, sum_by_rule(stages))
    totals = sum_stages(growth)
    write_rows(RESULTS / "growth.csv", GROWTH, tabulate_growth(growth))
    write_rows(RESULTS / "cores.csv", CORES, estimate_cores(runs, totals, growth))


def _replace(path: Path, columns: Sequence[str], run: str, rows: Iterable[Row]) -> None:
    kept = []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["run"] != run]
    write_rows(path, columns, sorted([*kept, *rows], key=lambda row: int(row["methods"])))


def _longest(rows: Iterable[Row]) -> dict[str, float]:
    longest: dict[str, float] = defaultdict(float)
    for row in rows:
        rule = rule_of(row["stage"])
        longest[rule] = max(longest[rule], float(row["longest_processor_seconds"] or 0))
    return longest


def rule_of(stage: str) -> str:
    """The rule of a stage; logs of pairs have another name than their rules."""
    found = _FIRST_WORD.match(stage)
    rule = found[0] if found else stage
    if rule == "pairs":
        return "pair_docstrings" if "github" in stage else "pair_posts"
    return rule


def _number(row: Row, column: str) -> float:
    return float(row[column] or 0)


def _sum(rows: Iterable[Row], column: str) -> float:
    return sum(_number(row, column) for row in rows)


def _most(rows: Iterable[Row], column: str) -> float:
    return max(_number(row, column) for row in rows)


def _millions(row: Row) -> float:
    return int(row["methods"]) / 1e6


def _memory(job: JobUsage) -> int:
    return job.peak_mib + job.children_peak_mib


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    main()
