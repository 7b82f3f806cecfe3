"""Training pairs of another set: filtered pairs, a random sample, or pairs without threads."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.comment_filter import EMPTY, MODEL, CommentFilter, load_filter
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.pairs.leak_checks.leaks import LeakFinder, join_dots
from ncsbench.pairs.training_pairs.pair_files import (
    PAIR_STEPS,
    Candidate,
    Funnel,
    PairFiles,
    read_posts_of_pair,
)
from ncsbench.pairs.training_pairs.pair_options import DerivedOptions, SampleOptions, ThreadPart
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.thread_parts import read_threads

_READ = ("pair", "read")
_STEP_OF_KIND = {
    "id": "no post of a thread",
    "title": "no title of a thread",
    "snippet": "no snippet of a thread",
}
_EXCLUDED = ("pair", "key not excluded")
THREAD_STEPS = (
    _READ,
    *(("pair", step) for step in _STEP_OF_KIND.values()),
    _EXCLUDED,
    *PAIR_STEPS,
)


def leave_out_threads(
    path: Path,
    threads: Path,
    parts: Collection[ThreadPart],
    funnel: Funnel,
    excluded: Collection[str] = (),
) -> Iterator[Candidate]:
    """Yield the pairs that hold no thread of some parts, in order, with unchanged keys.

    A pair holds a thread in the same way as it leaks an evaluation question: by an id, a title or a
    snippet that nearly equals the answer or contains it (DEV-51, DEV-55).

    Args:
        path: file of ``PAIR_SCHEMA``.
        threads: folder that the stage ``choose_threads`` wrote.
        parts: names of the parts.
        funnel: counts of the steps, with ``THREAD_STEPS``.
        excluded: keys of pairs that are left out, too.
    """
    finder = LeakFinder(read_threads(threads, parts))
    for table in iterate_tables(path, PAIR_SCHEMA):
        for row in table.to_pylist():
            funnel.count(*_READ, kept=1)
            blocks = join_dots(row["code"])
            held = finder.find(row["query"], row["code"], read_posts_of_pair(row), blocks)
            if funnel.pass_reason(_STEP_OF_KIND, held.kind if held else "") and funnel.passes(
                *_EXCLUDED, row["key"] not in excluded
            ):
                yield Candidate(row)


_DRAWN = ("pair", "drawn")


def pair_derived(
    settings: DerivedOptions, pairs: Sequence[Path], files: PairFiles, threads: Path | None = None
) -> None:
    """Make a set of some pairs: those that a filter keeps, a sample, or those without threads.

    Args:
        settings: options of the set.
        pairs: file of the pairs; for a sample also the file of the set that has as many pairs.
        files: files to read and write that every set of pairs has.
        threads: folder of the threads, for pairs without threads of some parts.

    Raises:
        ConfigurationError: where the threads are missing.
    """
    if parts := settings.without_threads:
        if threads is None:
            raise ConfigurationError("without_threads needs threads; give --threads")
        counts = Funnel(THREAD_STEPS)
        taken = leave_out_threads(pairs[0], threads, parts, counts, settings.excluded_keys)
    else:
        taken, counts = derive_pairs(pairs, settings)
    files.write(taken, counts)


def derive_pairs(
    paths: Sequence[Path], options: DerivedOptions, comment_filter: CommentFilter | None = None
) -> tuple[Iterator[Candidate], Funnel]:
    """Return the pairs of a filter or a sample, in order and with unchanged keys, and their counts.

    Args:
        paths: files of ``PAIR_SCHEMA``: the pairs, and for a sample the set that has as many.
        options: options of the set.
        comment_filter: filter that replaces the one that the options name.

    Returns:
        The pairs, and counts with a step for every reason that the filter has, in its order.

    Raises:
        DataError: where there are fewer pairs than a sample needs, or another number of files.
    """
    if len(paths) != len(options.sources()):
        raise DataError(f"{len(paths)} files of pairs are given, not {len(options.sources())}")
    if options.sample is not None:
        funnel = Funnel([_READ, _DRAWN, *PAIR_STEPS])
        return _draw(paths[0], paths[1], options.sample, funnel), funnel
    if comment_filter is None and options.filter is not None:
        comment_filter = load_filter(options.filter)
    judge = comment_filter or CommentFilter(load_rule_set(options.rules or "none"))
    reasons = [EMPTY, *(rule.name for rule in judge.rule_set.rules if not rule.detaches)]
    if judge.model is not None:
        reasons.append(MODEL)
    steps = {reason: f"not rejected: {reason}" for reason in reasons}
    funnel = Funnel([_READ, *(("pair", step) for step in steps.values()), *PAIR_STEPS])
    return _filter(paths[0], judge, steps, funnel), funnel


def _filter(
    path: Path, judge: CommentFilter, steps: Mapping[str, str], funnel: Funnel
) -> Iterator[Candidate]:
    for table in iterate_tables(path, PAIR_SCHEMA):
        rows = table.to_pylist()
        funnel.count(*_READ, kept=len(rows))
        decisions = judge.judge([row["query"] for row in rows])
        for row, decision in zip(rows, decisions, strict=True):
            if funnel.pass_reason(steps, decision.reason) and decision.kept:
                yield Candidate({**row, "query": decision.comment})


def _draw(path: Path, equal: Path, sample: SampleOptions, funnel: Funnel) -> Iterator[Candidate]:
    drawn = draw_places(path, equal, size_of=sample.size_of, seed=sample.seed, draw=sample.draw)
    place = 0
    for table in iterate_tables(path, PAIR_SCHEMA):
        rows = table.to_pylist()
        funnel.count(*_READ, kept=len(rows))
        for row, taken in zip(rows, drawn[place : place + len(rows)], strict=True):
            if funnel.passes(*_DRAWN, taken):
                yield Candidate(row)
        place += len(rows)


def draw_places(
    path: Path, equal: Path, *, size_of: str, seed: int, draw: int
) -> NDArray[np.bool_]:
    """Draw as many pairs of a file as another file has, each as likely as any other.

    Args:
        path: file of ``PAIR_SCHEMA``.
        equal: the other file.
        size_of: name of the other file's set in an error message.
        seed: seed of the draws, which are independent.
        draw: number of the draw.

    Returns:
        True where a pair is drawn, shape (n,).

    Raises:
        DataError: where there are fewer pairs than in the other file.
    """
    total, wanted = _count(path), _count(equal)
    if wanted > total:
        raise DataError(
            f"{path}: has {total:,} pairs, and a sample as large as {size_of!r} needs "
            f"{wanted:,}; name a smaller set in 'size_of', or a larger one in 'of'"
        )
    drawn = np.zeros(total, bool)
    drawn[np.random.default_rng([seed, draw]).permutation(total)[:wanted]] = True
    return drawn


def _count(path: Path) -> int:
    return sum(len(table) for table in iterate_tables(path, PAIR_SCHEMA, ["key"]))
