"""Training sets of a cleaning experiment: raw, filtered and controlled (randomly drawn) pairs.

The cut of a set is found from the losses of the comments that its rules keep (DEV-192).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, write_json, write_tables
from ncsbench.errors import DataError
from ncsbench.pairs.cleaned_pairs.query_model import read_losses
from ncsbench.pairs.cleaned_pairs.stage_settings import SetSettings
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter
from ncsbench.pairs.comment_filter.cut import Cut, find_cut
from ncsbench.pairs.comment_filter.rule_sets import RuleCounts, load_rule_set
from ncsbench.pairs.training_pairs.derived_pairs import draw_places
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA


@dataclass(frozen=True)
class _Taken:
    """The pairs of a file that a set takes.

    Attributes:
        places: True where a pair is taken, shape (n,).
        comments: texts that replace the queries of the pairs; None to leave the queries.
        cut: the cut that decided; None without a cut.
        rules: counts of each rule; empty without rules.
    """

    places: NDArray[np.bool_]
    comments: list[str | None] | None = None
    cut: Cut | None = None
    rules: dict[str, dict[str, int]] | None = None


def make_set(
    settings: SetSettings,
    pairs: Path,
    output: Path,
    record: Path,
    losses: Path | None = None,
    size_of: Path | None = None,
) -> None:
    """Make a training set: all pairs, the pairs that a filter keeps, or pairs drawn at random.

    Args:
        settings: settings of the set.
        pairs: file of ``PAIR_SCHEMA`` that the set is taken from: the raw pairs of its source, or
            the pairs of the set that it is drawn from.
        output: file of ``PAIR_SCHEMA`` to write, in the order of ``pairs``.
        record: JSON file to write: ``name``, ``source``, ``kind``, ``pairs``, ``of`` (number of
            pairs that the set is taken from), ``share_kept``, ``cut``, counts of ``rules``, and
            ``settings``.
        losses: losses of these pairs (``score_pairs``), for a set with a cut.
        size_of: the pairs of the set that has as many, for a controlled set.

    Raises:
        DataError: where files do not belong together, no pair is left, or there are fewer pairs
            than are to be drawn.
    """
    taken = _take(settings, pairs, losses, size_of)
    of, count = len(taken.places), int(taken.places.sum())
    if not count:
        raise DataError(
            f"{pairs}: the set {settings.name!r} keeps none of {of:,} pairs; give other rules or "
            "another cut"
        )
    write_tables(output, _select(pairs, taken), PAIR_SCHEMA)
    about = {
        "name": settings.name,
        "source": settings.source,
        "kind": settings.options.kind,
        "pairs": count,
        "of": of,
        "share_kept": count / of,
        "cut": None if taken.cut is None else taken.cut.as_json(),
        "rules": taken.rules or {},
        "settings": settings.as_json(),
    }
    write_json(record, about)


def _take(settings: SetSettings, pairs: Path, losses: Path | None, size_of: Path | None) -> _Taken:
    options = settings.options
    if options.kind == "filtered" and (losses is not None or options.cut is None):
        return _filter(settings, pairs, losses)
    if options.kind == "controlled" and size_of is not None:
        seed, name = settings.seed, options.size_of
        drawn = draw_places(pairs, size_of, size_of=name, seed=seed, draw=settings.draw)
        return _Taken(drawn)
    if options.kind == "raw":
        return _Taken(_all_of(pairs))
    needed = "--losses" if options.kind == "filtered" else "--size-of"
    raise DataError(f"the set {settings.name!r} of kind {options.kind} needs {needed}")


def _filter(settings: SetSettings, pairs: Path, losses: Path | None) -> _Taken:
    options = settings.options
    comments: list[str | None] | None = None
    counts: dict[str, dict[str, int]] = {}
    if options.rules == "applied":
        comments, counts = _clean(settings, pairs)
        places = np.array([comment is not None for comment in comments], bool)
    else:
        places = _all_of(pairs)
    if options.cut is None or losses is None:
        return _Taken(places, comments, rules=counts)
    column = read_losses(losses, pairs)["loss_raw" if comments is None else "loss_cleaned"]
    # A comment without a loss gets NaN, which no cut keeps.
    numbers = column.fill_null(float("nan")).to_numpy()
    cut = find_cut(numbers[places], options.cut, seed=settings.seed)
    return _Taken(places & cut.keeps(numbers), comments, cut, counts)


def _all_of(pairs: Path) -> NDArray[np.bool_]:
    count = sum(len(table) for table in iterate_tables(pairs, PAIR_SCHEMA, ["key"]))
    return np.ones(count, bool)


def _clean(
    settings: SetSettings, pairs: Path
) -> tuple[list[str | None], dict[str, dict[str, int]]]:
    """Clean comments by the rules.

    Returns:
        Each comment as the rules leave it, None where they reject it, and the counts of each rule.
    """
    rule_set = load_rule_set(settings.rules)
    rules, counts, comments = CommentFilter(rule_set), RuleCounts(rule_set), list[str | None]()
    for table in iterate_tables(pairs, PAIR_SCHEMA, ["query"]):
        decisions = rules.judge(table["query"].to_pylist(), counts)
        comments += [decision.comment if decision.kept else None for decision in decisions]
    return comments, {
        row.rule: {"changed": row.changed, "rejected": row.rejected, "retained": row.retained}
        for row in counts.rows()
    }


def _select(pairs: Path, taken: _Taken) -> Iterator[pa.Table]:
    """Yield the pairs that are taken, as tables, with their new comments."""
    start = 0
    for table in iterate_tables(pairs, PAIR_SCHEMA):
        end = start + len(table)
        places = taken.places[start:end]
        own = table.filter(pa.array(places))
        if taken.comments is not None:
            kept = zip(taken.comments[start:end], places, strict=True)
            queries = pa.array([new for new, keep in kept if keep], pa.string())
            own = own.set_column(0, PAIR_SCHEMA.field("query"), queries)
        yield own
        start = end
