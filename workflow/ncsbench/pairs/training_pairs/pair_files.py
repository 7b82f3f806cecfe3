"""Writes pairs without leaks, counts what each step keeps, and checks files of pairs for leaks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

import pyarrow as pa

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.base.files.storage import atomic_path, iterate_tables, read_table, write_tables
from ncsbench.base.text.words import split_words
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.pairs.leak_checks.leaks import Leak, LeakFinder, read_post_ids
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

FUNNEL_COLUMNS = ("unit", "step", "kept", "removed")


class Funnel:
    """Counts of the steps that make a set, in the order in which the steps were named."""

    def __init__(self, steps: Iterable[tuple[str, str]]) -> None:
        """Name all steps.

        Args:
            steps: unit ("answer") and name of the step ("with code"), in order.
        """
        self._counts = {step: [0, 0] for step in steps}

    def count(self, unit: str, step: str, *, kept: int = 0, removed: int = 0) -> None:
        """Add to the counts of a step."""
        counts = self._counts[unit, step]
        counts[0] += kept
        counts[1] += removed

    def passes(self, unit: str, step: str, kept: object) -> bool:
        """Count one unit as kept or removed by the truth of ``kept``, and return this truth."""
        self._counts[unit, step][0 if kept else 1] += 1
        return bool(kept)

    def pass_all(self, unit: str, *steps: tuple[str, object]) -> bool:
        """Count a unit in steps, each with its truth, up to a false one; say if all are true."""
        return all(self.passes(unit, step, kept) for step, kept in steps)

    def pass_reason(self, steps: Mapping[str, str], reason: str) -> bool:
        """Count a pair up to the step that removes it; say if the pair passes.

        Args:
            steps: a step for each reason, in order.
            reason: the reason for which the pair is removed; empty for a pair that is kept.
        """
        return self.pass_all("pair", *((step, own != reason) for own, step in steps.items()))

    def rows(self) -> list[dict[str, str]]:
        """Return a row for each step, with ``FUNNEL_COLUMNS``."""
        counts = ((*step, *kept_removed) for step, kept_removed in self._counts.items())
        return name_cells(FUNNEL_COLUMNS, counts)


LEAK_COLUMNS = ("key", "kind", "evaluation_query_id", "stackoverflow_id", "jaccard", "containment")
STACK_OVERFLOW = "stackoverflow"
"""The source of pairs from stackoverflow.com; other sites number their posts anew."""

_STACK_OVERFLOW_NAMES = frozenset({STACK_OVERFLOW, "stackoverflow.com"})

PAIR_STEPS = (
    ("pair", "no evaluation post"),
    ("pair", "no evaluation title"),
    ("pair", "no evaluation snippet"),
    ("pair", "no repeated pair"),
)
STEP_OF_KIND = {
    "id": "no evaluation post",
    "title": "no evaluation title",
    "snippet": "no evaluation snippet",
}
"""The step of a funnel that removes leaks of a kind; kinds are in the order of the checks."""
_CHUNK = 4096


@dataclass(frozen=True)
class Candidate:
    """A pair that may leak.

    Attributes:
        row: row of ``PAIR_SCHEMA``.
        post_ids: ids of the pair's posts on Stack Overflow, if any.
        blocks: the blocks that were joined to the pair's code, if any.
    """

    row: dict[str, str]
    post_ids: tuple[int, ...] = ()
    blocks: tuple[str, ...] = ()


def has_words(text: str, minimum: int) -> bool:
    """Say whether a text has at least a number of words."""
    return minimum == 0 or len(split_words(text)) >= minimum


def open_finder(questions: Path, score_sheet: Path | None) -> LeakFinder:
    """Open the finder of leaks for a table of questions.

    Args:
        questions: Parquet file of ``QUESTION_SCHEMA``.
        score_sheet: published score sheet whose questions count by id, also where their texts
            are not known; None for no further ids.
    """
    further = [] if score_sheet is None else read_score_sheet(score_sheet).stackoverflow_ids
    return LeakFinder(read_table(questions, QUESTION_SCHEMA), further)


@dataclass(frozen=True)
class PairFiles:
    """The files of any set of pairs: evaluation questions that it must not hold, and outputs.

    Attributes:
        questions: evaluation questions, as Parquet.
        output: file of pairs to write.
        funnel: CSV file to write: how many each step kept and removed.
        leaks: CSV file to write: pairs that were removed as leaks.
        score_sheet: published score sheet; its questions are left out by id as well.
    """

    questions: Path
    output: Path
    funnel: Path
    leaks: Path
    score_sheet: Path | None = None

    def write(
        self,
        candidates: Iterable[Candidate],
        counts: Funnel,
        exact_duplicates: Literal["dropped", "kept"] = "kept",
    ) -> None:
        """Write the candidates without leaks, in order, and the counts of each step.

        The file of pairs is checked before it gets its name.

        Args:
            candidates: the pairs.
            counts: counts of the steps, which grow while pairs are made; has ``PAIR_STEPS``.
            exact_duplicates: treatment of a pair whose query and code occurred before.

        Raises:
            DataError: where the file holds a leak nevertheless, or a key twice.
        """
        finder = open_finder(self.questions, self.score_sheet)
        leaks: list[dict[str, str]] = []
        kept = _without_leaks(candidates, finder, counts, leaks, exact_duplicates == "kept")
        with atomic_path(self.output) as temporary:
            write_tables(temporary, _tables(kept), PAIR_SCHEMA)
            for key, leak in check_pairs(temporary, finder):
                raise DataError(
                    f"{self.output}: {describe_leak(key, leak)}; this is a mistake of ncsbench"
                )
        write_rows(self.funnel, FUNNEL_COLUMNS, counts.rows())
        write_rows(self.leaks, LEAK_COLUMNS, leaks)


def check_pairs(path: Path, finder: LeakFinder) -> Iterator[tuple[str, Leak]]:
    """Find the leaks in a file of pairs, in order, from the file alone: ids by its keys and links.

    The file does not separate the blocks of joined code, so only the whole code is checked.

    Raises:
        DataError: for a key that occurs twice, since it would not identify a pair.
    """
    seen: set[bytes] = set()
    columns = ["query", "code", "source", "key", "code_url", "query_url"]
    for table in iterate_tables(path, PAIR_SCHEMA, columns):
        for row in table.to_pylist():
            key = row["key"]
            if _seen_before(seen, key):
                raise DataError(f"{path}: the key {key!r} occurs twice; keys must be unique")
            leak = finder.find(row["query"], row["code"], read_posts_of_pair(row))
            if leak is not None:
                yield key, leak


def read_posts_of_pair(row: dict[str, str]) -> set[int]:
    """Return the ids of the posts on Stack Overflow that a pair names by its key and links.

    Args:
        row: ``key``, ``code_url`` and ``query_url`` of ``PAIR_SCHEMA``.
    """
    ids = read_post_ids(row["code_url"]) | read_post_ids(row["query_url"])
    source, _, rest = row["key"].partition(":")
    number = rest.partition(":")[0]
    if source.casefold() in _STACK_OVERFLOW_NAMES and number.isdecimal() and len(number) < 19:
        ids.add(int(number))
    return ids


def describe_leak(key: str, leak: Leak) -> str:
    """Describe a leak in one line."""
    if leak.kind == "snippet":
        reason = (
            f"its code is nearly the answer (Jaccard {leak.jaccard:.2f}, "
            f"containment {leak.containment:.2f})"
        )
    else:
        reason = "it is one of its posts" if leak.kind == "id" else "it has its title"
    where = f"question {leak.stackoverflow_id}" + (
        f" (query id {leak.query_id})" if leak.query_id else ""
    )
    return f"pair {key} leaks evaluation {where}: {reason}"


def _without_leaks(
    candidates: Iterable[Candidate],
    finder: LeakFinder,
    funnel: Funnel,
    leaks: list[dict[str, str]],
    keep_repeated: bool,
) -> Iterator[dict[str, str]]:
    seen: set[bytes] = set()
    for candidate in candidates:
        row = candidate.row
        leak = finder.find(row["query"], row["code"], candidate.post_ids, candidate.blocks)
        funnel.pass_reason(STEP_OF_KIND, leak.kind if leak else "")
        if leak is not None:
            leaks.append(_leak_row(row["key"], leak))
            continue
        new = keep_repeated or not _seen_before(seen, f"{row['query']}\0{row['code']}")
        if funnel.passes("pair", "no repeated pair", new):
            yield row


def _leak_row(key: str, leak: Leak) -> dict[str, str]:
    snippet = leak.kind == "snippet"
    values = (
        key,
        leak.kind,
        str(leak.query_id) if leak.query_id else "",
        leak.stackoverflow_id,
        f"{leak.jaccard:.4f}" if snippet else "",
        f"{leak.containment:.4f}" if snippet else "",
    )
    return dict(zip(LEAK_COLUMNS, values, strict=True))


def _seen_before(seen: set[bytes], text: str) -> bool:
    """Say whether a text occurred before, and remember it by 16 bytes, so that millions fit."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    known = digest in seen
    seen.add(digest)
    return known


def _tables(rows: Iterable[dict[str, str]]) -> Iterator[pa.Table]:
    left = iter(rows)
    while chunk := list(islice(left, _CHUNK)):
        yield pa.Table.from_pylist(chunk, PAIR_SCHEMA)
