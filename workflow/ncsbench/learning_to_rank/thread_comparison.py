"""Which of several variants of a model is taken, by threads of posts (docs/learning-to-rank.md).

Each variant is compared with the best of some other models, thread by thread, under two judges.
The figure of a variant is the smaller of both differences, in standard errors; chosen is the
simplest variant whose figure lies no more than one standard error below the highest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.csv_tables import Row, format_number, write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.errors import DataError
from ncsbench.evaluation.judged_rankings import join_judgements
from ncsbench.evaluation.metrics import reciprocal_ranks
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.learning_to_rank.thread_options import ThreadComparisonSettings
from ncsbench.learning_to_rank.thread_queries import read_part_queries
from ncsbench.runs.rankings import ranks_in_run
from ncsbench.runs.trec_files import read_run

COMPARISON_COLUMNS = (
    *("variant", "judge", "threads", "seeds", "mrr", "against", "against_mrr"),
    *("difference", "standard_error", "z", "minimum_z"),
    *("behind_best", "within", "chosen"),
)
"""Columns of ``threads_<part>.csv``, in order."""
JUDGES = ("default", "strict")
"""The judges of a comparison, in its order."""

Figures = NDArray[np.float64]
"""Reciprocal ranks, shape (judges, threads)."""


@dataclass(frozen=True)
class Difference:
    """A paired difference over threads.

    Attributes:
        mean: its mean.
        error: the standard error of the mean: sample standard deviation by the root of the number.
    """

    mean: float
    error: float

    @property
    def z(self) -> float:
        """The mean in standard errors; 0 where both are 0."""
        if self.error == 0:
            return math.copysign(math.inf, self.mean) if self.mean else 0.0
        return self.mean / self.error


@dataclass(frozen=True)
class ComparedVariants:
    """What a comparison found.

    Attributes:
        against: name of the model with the highest MRR under each judge.
        differences: of each variant from it, by judge.
    """

    against: tuple[str, ...]
    differences: dict[str, tuple[Difference, ...]]

    def find_minimum(self, variant: str) -> float:
        """The smallest z of a variant."""
        return min(one.z for one in self.differences[variant])

    def find_behind(self, variant: str) -> float:
        """How far its smallest z lies below the highest one; 0 for the best."""
        best, own = max(map(self.find_minimum, self.differences)), self.find_minimum(variant)
        return 0.0 if own == best else best - own  # both may be infinite

    def is_within(self, variant: str) -> bool:
        """Whether that is no more than one standard error, the unit of z."""
        return self.find_behind(variant) <= 1

    @property
    def chosen(self) -> str:
        """The first variant that is within one standard error."""
        return next(filter(self.is_within, self.differences))


def compare_variants(
    variants: Mapping[str, Figures], others: Mapping[str, Figures]
) -> ComparedVariants:
    """Compare variants with the best of some models.

    Under each judge a variant is compared with the one of ``others`` that has the highest MRR, the
    first of equal ones.

    Args:
        variants: reciprocal ranks of each variant, shape (judges, threads), the simplest first;
            threads at least 2.
        others: likewise, of the same threads.
    """
    judges = range(len(next(iter(others.values()))))
    against = [max(others, key=lambda name: others[name][judge].mean()) for judge in judges]
    differences = {
        variant: tuple(
            find_difference(figures[judge], others[against[judge]][judge]) for judge in judges
        )
        for variant, figures in variants.items()
    }
    return ComparedVariants(tuple(against), differences)


def find_difference(figures: NDArray[np.float64], others: NDArray[np.float64]) -> Difference:
    """The paired difference of two rows of figures, shape (threads,), at least 2."""
    paired = figures - others
    error = float(paired.std(ddof=1)) / math.sqrt(len(paired))
    return Difference(float(paired.mean()), error)


def write_thread_comparison(
    settings: ThreadComparisonSettings,
    *,
    threads: Path,
    thread_parts: Path,
    runs: Path,
    judgements: Path,
    output: Path,
) -> None:
    """Write ``threads_<part>.csv``: a row for each variant and judge.

    Args:
        settings: the part, the variants and the judges.
        threads: ``threads.parquet``.
        thread_parts: the part of each thread, ``THREAD_PART_SCHEMA``.
        runs: folder with ``<run>/<part>.trec``.
        judgements: folder with ``<run>/<part>.parquet``.
        output: the table to write.

    Raises:
        DataError: where the part has fewer than two threads, a run has threads of other parts, or
            a result of it was not judged.
    """
    queries = read_part_queries(threads, thread_parts, settings.part)
    query_ids = np.array([query.query_id for query in queries], np.int32)
    if len(query_ids) < 2:
        raise DataError(
            f"{thread_parts}: threads in the part {settings.part}: {len(query_ids)}; to compare "
            "takes two"
        )

    def read(names: Sequence[str]) -> Figures:
        """The mean over runs."""
        figures = [
            _read_figures(
                settings,
                query_ids,
                runs / name / f"{settings.part}.trec",
                judgements / name / f"{settings.part}.parquet",
            )
            for name in names
        ]
        mean: Figures = np.mean(figures, axis=0)
        return mean

    variants = {one.name: read(one.runs) for one in settings.variants}
    others = {name: read([name]) for name in settings.judged_against}
    seeds = {one.name: len(one.runs) for one in settings.variants}
    write_rows(output, COMPARISON_COLUMNS, _make_rows(variants, others, seeds))


def _make_rows(
    variants: Mapping[str, Figures], others: Mapping[str, Figures], seeds: Mapping[str, int]
) -> list[Row]:
    found = compare_variants(variants, others)
    rows = []
    for variant, figures in variants.items():
        for judge, name in enumerate(JUDGES):
            against, difference = found.against[judge], found.differences[variant][judge]
            rows.append(
                {
                    "variant": variant,
                    "judge": name,
                    "threads": str(figures.shape[1]),
                    "seeds": str(seeds[variant]),
                    "mrr": _show(figures[judge].mean()),
                    "against": against,
                    "against_mrr": _show(others[against][judge].mean()),
                    "difference": _show(difference.mean, signed=True),
                    "standard_error": _show(difference.error),
                    "z": _show(difference.z, signed=True),
                    "minimum_z": _show(found.find_minimum(variant), signed=True),
                    "behind_best": _show(found.find_behind(variant)),
                    "within": _say(yes=found.is_within(variant)),
                    "chosen": _say(yes=variant == found.chosen),
                }
            )
    return rows


def _read_figures(
    settings: ThreadComparisonSettings,
    query_ids: NDArray[np.int32],
    run_file: Path,
    judgement_file: Path,
) -> Figures:
    run = read_run(run_file)
    unknown = run.query_ids[~np.isin(run.query_ids, query_ids)]
    if len(unknown):
        raise DataError(
            f"{run_file}: thread {unknown[0]} is not in the part {settings.part}; search again for "
            "the threads at hand"
        )
    ranks = ranks_in_run(run)
    counted = ranks <= settings.depth
    ranked = (run.query_ids[counted], ranks[counted], run.ids[counted])
    judged = read_table(judgement_file, JUDGEMENT_SCHEMA)
    ranking = join_judgements(
        run_file.parent.name, ranked, judged, query_ids, settings.depth, judgement_file
    )
    judges = (
        (settings.judge, settings.threshold),
        (settings.strict_judge, settings.strict_threshold),
    )
    first = [ranking.first_ranks(similarity, threshold) for similarity, threshold in judges]
    return np.stack([reciprocal_ranks(ranks, settings.depth) for ranks in first])


def _show(value: float, *, signed: bool = False) -> str:
    return format_number(value, 4, signed=signed)


def _say(*, yes: bool) -> str:
    return "yes" if yes else "no"
