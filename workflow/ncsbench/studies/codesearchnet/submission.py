"""Predictions in the form in which the CodeSearchNet challenge takes them.

A CSV file has the columns ``language``, ``query`` and ``url`` in any order, and optionally
``identifier``; the rows of a query are in rank order, rows of different queries may alternate.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from ncsbench.base.files.csv_tables import read_records, write_rows
from ncsbench.corpus.function_corpus.annotations import TITLES, Annotations, find_fault
from ncsbench.errors import DataError

COLUMNS = ("language", "query", "url", "identifier")
"""Columns that ``write_predictions`` writes; the last may be absent in files of other authors."""

Duplicates = Literal["once", "as_released"]
"""Treatment of a URL that a query repeats: counted once, or each time as in the released code."""
Ranking = tuple[str, str]
"""The key of a ranking: language and query, both in lower case."""

CUT = 300
"""Number of rows of a query that count: its first rows (``relevanceeval.py``)."""
NOT_SCORED = "not scored"
KEEPS_RANK = "keeps its rank, matches nothing"
_HASH = re.compile(r"[0-9a-f]{40}")
_REWRITTEN = (
    (re.compile(r"%[0-9A-Fa-f]{2}"), "path with escapes, as %20 for a blank"),
    (re.compile(r"//|/\.{1,3}/|\?[\w=&]*$"), "path with //, dots or a query (?...)"),
)
BEHIND_CUT = f"row behind the first {CUT} of its query"


class Remark(NamedTuple):
    """A remark on a row, for the author of the file.

    Attributes:
        kind: kind of the remark, such as ``unknown query``.
        line: line of the file, from 1.
        text: the cell that the remark is about.
        effect: consequence for the row, such as ``not scored``.
    """

    kind: str
    line: int
    text: str
    effect: str


class Prediction(NamedTuple):
    """One result: a function that is ranked for a query."""

    language: str
    query: str
    url: str
    identifier: str = ""


@dataclass(frozen=True)
class Submission:
    """Rankings of a file.

    Attributes:
        rankings: URLs by ``Ranking``, best first.
        rows: number of rows of the file.
        remarks: remarks on rows, in the order of the file.
        ignored_columns: names of columns that nothing reads.
        left_out: numbers of rows of known languages that were not asked for, by language.
    """

    rankings: Mapping[Ranking, Sequence[str]]
    rows: int
    remarks: Sequence[Remark]
    ignored_columns: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)

    def of_language(self, language: str) -> dict[str, Sequence[str]]:
        """Return the rankings of one language, by query."""
        return {query: urls for (one, query), urls in self.rankings.items() if one == language}


def read_submission(
    path: Path,
    annotations: Annotations,
    *,
    duplicates: Duplicates = "once",
    languages: Collection[str] = (),
) -> Submission:
    """Read predictions; a row that cannot be scored is a remark, not an error.

    Of each query the first ``CUT`` rows count; a repeated URL is dropped only after this cut, so
    that no more rows are scored than in the released code (DEV-138).

    Args:
        path: the file.
        annotations: annotations of the challenge; a query that they lack is unknown.
        duplicates: treatment of a URL that a query repeats.
        languages: names in lower case of the languages that are read, without remarks on rows of
            other languages; all languages if empty.

    Raises:
        DataError: for a file that is no CSV file in UTF-8, or lacks a column.
    """
    records = read_records(path)
    header = records[0][1] if records else []
    if missing := [name for name in COLUMNS[:3] if header.count(name) != 1]:
        raise DataError(
            f"{path}, line 1: needs the column {missing[0]!r} once; "
            f"the columns are {', '.join(COLUMNS[:3])} and optionally {COLUMNS[3]}, "
            f"and the line has {repr(','.join(header)[:80]) if header else 'nothing'}"
        )
    places = [header.index(name) for name in COLUMNS[:3]]
    known, addresses = set(annotations.queries), _Addresses(annotations.urls)
    rankings: dict[Ranking, list[str]] = {}
    ranked: dict[Ranking, set[str]] = {}
    taken: dict[Ranking, int] = {}
    remarks: list[Remark] = []
    left_out: Counter[str] = Counter()
    rows = [(line, cells) for line, cells in records[1:] if cells]
    for line, cells in rows:
        if len(cells) != len(header):
            text = f"{len(cells)} cells, not {len(header)}"
            remarks.append(Remark("row of another length", line, text, NOT_SCORED))
            continue
        language, query, url = (cells[place] for place in places)
        if languages and language.lower() in TITLES.keys() - languages:
            left_out[language.lower()] += 1
            continue
        fault = find_fault(language, query, url, known)
        if fault and fault.kind != "malformed URL":
            remarks.append(Remark(fault.kind, line, fault.text, NOT_SCORED))
            continue
        key = (language.lower(), query.lower())
        taken[key] = taken.get(key, 0) + 1
        ranking, known_urls = rankings.setdefault(key, []), ranked.setdefault(key, set())
        if taken[key] > CUT:
            remarks.append(Remark(BEHIND_CUT, line, url, NOT_SCORED))
            continue
        if url in known_urls:
            effect = NOT_SCORED if duplicates == "once" else "counts again, as released"
            remarks.append(Remark("duplicate", line, url, effect))
        elif kind := fault.kind if fault else addresses.find_difference(url):
            remarks.append(Remark(kind, line, url, KEEPS_RANK))
        if url not in known_urls or duplicates == "as_released":
            ranking.append(url)
            known_urls.add(url)
    ignored = [name for name in header if name not in COLUMNS]
    return Submission(rankings, len(rows), remarks, ignored, left_out)


class _Addresses:
    """Addresses of annotated functions, with which predicted addresses are compared literally."""

    def __init__(self, urls: Collection[str]) -> None:
        self._urls = urls
        self._in_small_letters = {url.lower() for url in urls}
        self._commits = {_divide(url)[0] for url in urls}

    def find_difference(self, url: str) -> str:
        """Find the reason why an address of the right form can match no annotated function.

        Returns:
            The reason; empty for the address of an annotated function, and for an address that
            may be that of a function that nobody annotated.
        """
        commit, path = _divide(url)
        if url in self._urls:
            return ""
        if not _HASH.fullmatch(commit) and commit not in self._commits:
            return (
                "commit other than the hash of 40 digits (0-9, a-f) that annotated functions have"
            )
        if url.lower() in self._in_small_letters:
            return "address of an annotated function in another letter case"
        return next((kind for pattern, kind in _REWRITTEN if pattern.search(path)), "")


def _divide(url: str) -> tuple[str, str]:
    """Return commit and path of an address; the path begins with a slash and lacks the lines."""
    commit, _, path = url.split("/blob/", 1)[1].partition("/")
    return commit, "/" + path.rpartition("#")[0]


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Write results in their order, best first within a language and query, atomically."""
    write_rows(path, COLUMNS, (one._asdict() for one in predictions))
