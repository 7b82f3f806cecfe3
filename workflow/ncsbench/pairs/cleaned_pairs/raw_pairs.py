"""The stage that cuts raw pairs from a corpus, apart from benchmarks, and draws some of them."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import write_table
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published
from ncsbench.pairs.cleaned_pairs.benchmarks import load_guard
from ncsbench.pairs.cleaned_pairs.stage_settings import RawPairSettings
from ncsbench.pairs.comment_filter.rule_sets import RuleSet, load_rule_set
from ncsbench.pairs.leak_checks.benchmark_overlap import (
    OVERLAP_COLUMNS,
    BenchmarkGuard,
    Overlap,
    keep_apart,
)
from ncsbench.pairs.training_pairs.docstring_pairs import FUNCTION_STEPS, iterate_function_pairs
from ncsbench.pairs.training_pairs.pair_files import FUNNEL_COLUMNS, PAIR_STEPS, Funnel
from ncsbench.pairs.training_pairs.pair_options import DocstringOptions
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.rule_shares import SHARE_COLUMNS, count_rules

_PART = "train"
_RAW = DocstringOptions(kind="docstrings", text="raw", exact_duplicates="kept")
_RULE_SETS = ("as_published", "as_released")
_STEPS = {
    "place": ("pair", "shares no line with a positive"),
    "equal": ("pair", "not equal to a positive"),
    "near": ("pair", "no near copy of a positive"),
    "query": ("pair", "without all words of a query"),
}
"""A step of the funnel for each reason of ``BenchmarkGuard.find``, in its order."""
_DRAWN = ("pair", "drawn")


def make_raw_pairs(
    settings: RawPairSettings,
    corpus: Path,
    benchmarks: Sequence[Path],
    output: Path,
    funnel: Path,
    overlap: Path,
    shares: Path,
    questions: Sequence[Path] = (),
    published: Path | None = None,
) -> None:
    """Cut raw pairs of a corpus that hold nothing of a benchmark.

    The pairs are of the part ``train``, with sentences as they are written. Memory holds only the
    pairs that are drawn.

    Args:
        settings: settings of the stage.
        corpus: folder of the corpus of Java functions.
        benchmarks: folders of the benchmarks.
        output: file of ``PAIR_SCHEMA`` to write, in the order of the corpus.
        funnel: CSV of ``FUNNEL_COLUMNS`` to write.
        overlap: CSV of ``OVERLAP_COLUMNS`` to write: pairs that were left out for a benchmark.
        shares: CSV of ``SHARE_COLUMNS`` to write: how many of the pairs each rule touches.
        questions: files of evaluation questions, in the published form of NCSED.
        published: ``nlqf_tables.csv``, whose shares are written beside ours.

    Raises:
        DataError: where no pair is left.
    """
    counts = Funnel([step for step in FUNCTION_STEPS if step not in PAIR_STEPS])
    guard = load_guard(benchmarks, questions)
    found = iterate_function_pairs(corpus, _PART, _RAW, counts)
    ledger: list[dict[str, str]] = []
    keyed = ((one.row["key"], one.row) for one in found)
    rules = [load_rule_set(name) for name in _RULE_SETS]
    find = partial(_find_overlap, guard, rules)
    apart = keep_apart(keyed, find, ledger)
    kept, total = draw_pairs(apart, settings.maximum_pairs, settings.seed)
    if not kept:
        raise DataError(
            f"{corpus}: gives no training pair to {settings.source}; its part {_PART!r} needs "
            "documented functions that no benchmark holds"
        )
    write_table(output, pa.Table.from_pylist(kept, PAIR_SCHEMA), PAIR_SCHEMA)
    steps = _count_steps(ledger, total, len(kept))
    write_rows(funnel, FUNNEL_COLUMNS, [*counts.rows(), *steps])
    write_rows(overlap, OVERLAP_COLUMNS, ledger)
    figures = read_published(published) if published else []
    printed = {(one.table, one.row): int(one.value) for one in figures if one.column == "pairs"}
    write_rows(shares, SHARE_COLUMNS, count_rules([output], rules, printed))


def _find_overlap(
    guard: BenchmarkGuard, rules: Sequence[RuleSet], pair: Mapping[str, str]
) -> Overlap | None:
    """Find the overlap of a pair with benchmarks, also after the rules changed its comment.

    The check covers all training sets: cleaned sets are not compared with queries again.
    """
    found = guard.find(pair["query"], pair["code"], pair["code_url"])
    if found is not None:
        return found
    cleaned = dict.fromkeys(one.judge(pair["query"]).comment for one in rules)
    return next(filter(None, map(guard.find_text, cleaned)), None)


def draw_pairs(
    pairs: Iterable[Mapping[str, str]], maximum: int | None, seed: int
) -> tuple[list[Mapping[str, str]], int]:
    """Draw pairs of a stream, each as likely as any other.

    Args:
        pairs: the stream.
        maximum: largest number of drawn pairs; None for all.
        seed: seed of the draw.

    Returns:
        The drawn pairs in the order of the stream, and the number of pairs in the stream.
    """
    generator, places = np.random.default_rng(seed), itertools.count()
    # The places in the stream differ, so that tuples never compare their pairs.
    numbered = ((generator.random(), next(places), pair) for pair in pairs)
    drawn = list(numbered) if maximum is None else heapq.nsmallest(maximum, numbered)
    return [pair for _, _, pair in sorted(drawn, key=lambda one: one[1])], next(places)


def _count_steps(ledger: list[dict[str, str]], passed: int, drawn: int) -> list[dict[str, str]]:
    """Return the rows of the funnel that follow the rows of the corpus."""
    removed = Counter(row["reason"] for row in ledger)
    counts = Funnel([*_STEPS.values(), _DRAWN])
    left = passed + len(ledger)
    for reason, step in _STEPS.items():
        left -= removed[reason]
        counts.count(*step, kept=left, removed=removed[reason])
    counts.count(*_DRAWN, kept=drawn, removed=passed - drawn)
    return counts.rows()
