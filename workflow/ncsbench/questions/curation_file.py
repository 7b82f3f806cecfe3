"""Curation files: which candidates a reader kept, why not the others, and which matches were seen.

One row per question and match, ``id,repository,path,lines,keep,reason``; further columns help the
reader and are not read. A match is named by its place, since method ids are other ones as soon as
the corpus is another.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ncsbench.artifacts.csv_tables import read_records
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.text.safe_text import show_cell, show_line

HEADER = ("id", "repository", "path", "lines", "keep", "reason")
OLD_HEADER = ("id", "keep", "reason")
"""Of version 0.3.0 and before."""
_KEEP = {"yes": True, "no": False}
_COLUMNS = ["repository", "path", "start_line", "end_line"]


class Place(NamedTuple):
    """The place of a method, as a cell shows it; ``lines`` is the first and the last, ``3-5``."""

    repository: str
    path: str
    lines: str


@dataclass(frozen=True)
class Decision:
    """What a reader decided on a question; ``reason`` may be empty.

    ``seen`` are the matches that were shown, now or with an earlier corpus; none are known of a
    file of version 0.3.0 and before.
    """

    keep: bool
    reason: str = ""
    seen: tuple[Place, ...] = ()

    def covers(self, matches: Iterable[Place]) -> bool:
        """Whether the reader saw all of these matches."""
        return set(matches) <= set(self.seen)

    def with_seen(self, matches: Iterable[Place]) -> Decision:
        """The decision after these matches were seen too."""
        return replace(self, seen=tuple(dict.fromkeys([*self.seen, *matches])))


def read_places(corpus: CorpusFolder, ids: Iterable[int]) -> dict[int, Place]:
    """Places of methods by id; ``DataError`` where the corpus has no method with one of them."""
    return {
        id_: Place(
            show_cell(show_line(row["repository"])),
            show_cell(show_line(row["path"])),
            f"{row['start_line']}-{row['end_line']}",
        )
        for id_, row in corpus.read_methods(ids, _COLUMNS).items()
    }


def read_decisions(path: Path) -> dict[str, Decision]:
    """Decisions by Stack Overflow id, in the order of the file.

    A row with an empty ``keep`` decides nothing, and its match does not count as seen.

    Raises:
        DataError: with the line, where the file is no CSV that begins with the columns of
            ``HEADER`` or ``OLD_HEADER``, ``keep`` is neither yes, no nor empty, an id is missing,
            a match is there twice, or two rows of a question decide differently.
    """
    records = [(line, record) for line, record in read_records(path) if record]
    header = tuple(records[0][1]) if records else ()
    if header[: len(HEADER)] != HEADER and header != OLD_HEADER:
        raise DataError(f"{path}, line 1: the header must be {','.join(HEADER)!r}")
    decisions: dict[str, Decision] = {}
    lines: dict[tuple[str, Place | None], int] = {}
    for line, record in records[1:]:
        where = f"{path}, line {line}"
        if len(record) != len(header):
            raise DataError(
                f"{where}: has {len(record)} cells, not {len(header)}; quote a reason with commas"
            )
        cells = dict(zip(header, record, strict=True))
        id_, keep, reason = (cells[name].strip() for name in OLD_HEADER)
        if not id_:
            raise DataError(f"{where}: has no id")
        if not keep:
            continue
        if keep.lower() not in _KEEP:
            raise DataError(f"{where}: keep must be yes or no, not {keep!r}")
        match = _read_place(cells)
        if (id_, match) in lines:
            twice = f"id {id_!r}" + (" with this match" if match else "")
            raise DataError(
                f"{where}: {twice} stands in line {lines[id_, match]} already; keep one"
            )
        lines[id_, match] = line
        decision = Decision(_KEEP[keep.lower()], reason)
        before = decisions.get(id_, decision)
        if (before.keep, before.reason) != (decision.keep, reason):
            raise DataError(
                f"{where}: id {id_!r} has another keep or reason than in a line before; one "
                "decision stands for all matches of a question"
            )
        decisions[id_] = before.with_seen([match] if match else [])
    return decisions


def adopt_matches(
    decisions: Mapping[str, Decision], matches: Mapping[str, Sequence[Place]]
) -> dict[str, Decision]:
    """Decisions that name no match at all, of an old file, stand for the present matches.

    A line of the log says so.

    Args:
        decisions: by Stack Overflow id.
        matches: the matches of the present corpus by the same ids.

    Returns:
        The decisions, unchanged where one of them names a match.
    """
    if not decisions or any(decision.seen for decision in decisions.values()):
        return dict(decisions)
    logging.getLogger("questions").warning(
        "the curation file names no matches, as those of version 0.3.0 and before: its decisions "
        "are taken for the matches of this corpus; 'ncsbench questions sheet' on the corpus that "
        "it was made with writes them down"
    )
    return {id_: each.with_seen(matches.get(id_, ())) for id_, each in decisions.items()}


def _read_place(cells: Mapping[str, str]) -> Place | None:
    place = Place(*(cells.get(name, "") for name in Place._fields))
    return place if any(place) else None
