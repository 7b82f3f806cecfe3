"""Pairs that the judge study uses besides the runs: published examples and random methods.

A judge should accept the published examples and hardly any random method, whatever its length. Two
sorts of baseline rankings show what a judge rewards. Length: the same longest methods for every
question, besides ``random_long`` and ``longest_first`` of every table. Shortness: random short
methods, and random methods of the answer's size, which a judge that penalises length accepts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import of_corpus
from ncsbench.artifacts.storage import read_table
from ncsbench.evaluation.judged_rankings import JudgedRanking, join_judgements
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA

EXAMPLES = "examples"
"""Subject of the published examples."""

ANY_LENGTH = "pairs_any"
"""Subject of random methods of every length."""

_NO_LIMIT = np.iinfo(np.int32).max

LENGTH_CLASSES = {
    "pairs_3_9": (3, 9),
    "pairs_10_29": (10, 29),
    "pairs_30_99": (30, 99),
    "pairs_100": (100, _NO_LIMIT),
}
"""Random methods by their first and last number of lines."""

SAME_LONGEST = "same_longest"
RANDOM_SHORT = "random_short"
STUDY_RUNS = (SAME_LONGEST, RANDOM_SHORT, "same_size", "larger")
"""Baseline rankings of the study."""

_SIZES = {"same_size": (0.8, 1.25), "larger": (2.0, 3.0)}  # in sizes of the answer

STUDY_PAIR_SCHEMA = of_corpus(
    pa.schema(
        [
            pa.field("subject", pa.string(), nullable=False),
            pa.field("query_id", pa.int32(), nullable=False),
            pa.field("rank", pa.int32(), nullable=False),
            pa.field("id", pa.int64(), nullable=False),
        ]
    )
)
"""Method ``id`` is the ``rank``-th of question ``query_id`` for one subject of the study."""

_LINK = re.compile(r"https://github\.com/([^/]+/[^/]+)/blob/[^/]+/(.+)#L(\d+)(?:-L(\d+))?")


def read_example_link(link: str) -> tuple[str, str, int, int] | None:
    """Repository, path, first and last line of a published example; None for another link."""
    if not (found := _LINK.fullmatch(link)):
        return None
    repository, path, first, last = found.groups()
    return repository, unquote(path), int(first), int(last or first)


def find_examples(links: Mapping[int, list[str]], methods: Iterable[pa.Table]) -> pa.Table:
    """The published examples that lie in the corpus, by repository, path and lines (DEV-39).

    Args:
        links: links to the examples of each query id, best first.
        methods: tables of ``PLACE_SCHEMA``: all methods, then those that another stands for.

    Returns:
        A table of ``STUDY_PAIR_SCHEMA``; the rank is the position among the question's links.
    """
    wanted: dict[tuple[str, str, int, int], list[tuple[int, int]]] = {}
    for row, of_row in links.items():
        for rank, link in enumerate(of_row, start=1):
            if place := read_example_link(link):
                wanted.setdefault(place, []).append((row, rank))
    methods_at: dict[tuple[int, int], int] = {}
    for table in methods:
        columns = ("repository", "path", "start_line", "end_line", "id")
        for *span, id_ in zip(*(table[name].to_pylist() for name in columns), strict=True):
            for position in wanted.get(tuple(span), ()):
                methods_at.setdefault(position, id_)  # of two methods on the same lines the first
    return _as_table(
        EXAMPLES, [(row, rank, id_) for (row, rank), id_ in sorted(methods_at.items())]
    )


def draw_study_pairs(
    *,
    answer_sizes: Mapping[int, int],
    lines: NDArray[np.int32],
    sizes: NDArray[np.int32],
    depth: int,
    count: int,
    seed: int,
) -> pa.Table:
    """Random methods of each length class, and the baseline rankings of the study.

    Every ranking is drawn without replacement by its own generator, seeded by the run's seed, the
    question and the subject. It is shorter where too few methods fit.

    Args:
        answer_sizes: number of features of the answer of each query id; 0 where it cannot be
            read, which has no rankings by size.
        lines: lines of every method, shape (methods,).
        sizes: number of features of every method, shape (methods,).
        depth: length of a baseline ranking.
        count: random methods of each length class for each question.
        seed: seed of the run.

    Returns:
        A table of ``STUDY_PAIR_SCHEMA``, by subject, row and rank.
    """
    classes = {ANY_LENGTH: (0, _NO_LIMIT), **LENGTH_CLASSES}
    pools = {
        subject: np.flatnonzero((lines >= first) & (lines <= last))
        for subject, (first, last) in classes.items()
    }
    short = pools["pairs_3_9"]
    pools[RANDOM_SHORT] = short[sizes[short] > 0]
    by_size = np.argsort(sizes, kind="stable")
    ordered = sizes[by_size]
    longest = np.lexsort((np.arange(len(lines)), -lines))[:depth]
    parts = []
    for number, subject in enumerate((*classes, *STUDY_RUNS)):
        wanted = count if subject in classes else depth
        entries: list[tuple[int, int, int]] = []
        for row, size in sorted(answer_sizes.items()):
            if subject == SAME_LONGEST:
                ids = longest
            else:
                if subject in _SIZES:
                    # A method without features has the size of no answer.
                    low, high = (max(times * size, 1) for times in _SIZES[subject])
                    first = np.searchsorted(ordered, low, side="left")
                    end = np.searchsorted(ordered, high if size else 0, side="right")
                    pool = by_size[first:end]
                else:
                    pool = pools[subject]
                generator = np.random.default_rng([seed, row, number])
                positions = generator.choice(len(pool), min(wanted, len(pool)), replace=False)
                ids = pool[positions.astype(np.int64)]
            entries += [(row, rank, id_) for rank, id_ in enumerate(ids.tolist(), start=1)]
        parts.append(_as_table(subject, entries))
    return pa.concat_tables(parts)


def _as_table(subject: str, entries: list[tuple[int, int, int]]) -> pa.Table:
    rows, ranks, ids = zip(*entries, strict=True) if entries else ((), (), ())
    return pa.table([[subject] * len(rows), rows, ranks, ids], schema=STUDY_PAIR_SCHEMA)


def read_study_subjects(folder: Path, query_ids: NDArray[np.int32]) -> dict[str, JudgedRanking]:
    """The pairs of the judge study by subject, each as deep as it is."""
    pairs = read_table(folder / "pairs.parquet", STUDY_PAIR_SCHEMA)
    path = folder / "judgements.parquet"
    judged = read_table(path, JUDGEMENT_SCHEMA)
    subjects = np.array(pairs["subject"].to_pylist(), np.str_)
    ranked = tuple(pairs[name].to_numpy() for name in ("query_id", "rank", "id"))
    rankings = {}
    for name in sorted(set(subjects.tolist())):
        here = subjects == name
        part = (ranked[0][here], ranked[1][here], ranked[2][here])
        rankings[name] = join_judgements(name, part, judged, query_ids, int(part[1].max()), path)
    return rankings
