"""The queries and annotations of the CodeSearchNet challenge (Husain et al. 2019, section 3).

Training may see neither annotated functions nor functions that answer an evaluation query.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import read_typed
from ncsbench.code.functions.registry import LANGUAGES
from ncsbench.errors import ConfigurationError, DataError, nearest

TITLES = {name: language.title for name, language in LANGUAGES.items()}
"""Titles of the languages in the annotations, by lower-case name, in the order of tables."""
GRADES = (0, 1, 2, 3)
COLUMNS = ("Language", "Query", "GitHubUrl", "Relevance", "Notes")
"""Columns of the annotations, in order."""

_URL = re.compile(
    r"https://github\.com/[^/\s]+/[^/\s]+/blob/[^/\s]+/[^\r\n]+#L([1-9]\d{0,8})-L([1-9]\d{0,8})"
)
_FORM = "https://github.com/OWNER/NAME/blob/COMMIT/PATH#L1-L2"
_SHOWN = 80

FaultKind = Literal["unknown language", "unknown query", "malformed URL"]
Relevances = Mapping[str, Mapping[str, float]]
"""The mean of the grades, by query in lower case and URL."""
_ADDRESS = re.compile(
    r"(?:https?://)?github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{7,64})/(.+)#L(\d+)-L(\d+)"
)
_WORD = re.compile(r"\w+")


class Fault(NamedTuple):
    """A fault of a row: its kind, the text at fault, and the remedy."""

    kind: FaultKind
    text: str
    remedy: str

    @property
    def shown(self) -> str:
        """The text, cut and safe to show."""
        return repr(self.text[:_SHOWN])


@dataclass(frozen=True)
class Annotations:
    """The grades that annotators gave to functions.

    Attributes:
        queries: all queries in lower case, in the order of their file.
        grades: the grades in the order of the file, by language and query, both in lower case,
            and by URL. A language without annotations is missing.
    """

    queries: tuple[str, ...]
    grades: Mapping[str, Mapping[str, Mapping[str, Sequence[int]]]]

    @property
    def languages(self) -> list[str]:
        """The languages that have annotations, in the order of tables."""
        return [language for language in TITLES if language in self.grades]

    @property
    def urls(self) -> frozenset[str]:
        """Addresses of all annotated functions."""
        by_query = (urls for queries in self.grades.values() for urls in queries.values())
        return frozenset(url for urls in by_query for url in urls)

    def of_languages(self, languages: Collection[str]) -> Annotations:
        """The annotations of some languages, by their names in lower case.

        Raises:
            ConfigurationError: for a language without annotations.
        """
        if missing := sorted(one for one in languages if one not in self.grades):
            there = ", ".join(self.languages)
            raise ConfigurationError(f"no function in {missing[0]} is annotated; there are {there}")
        kept = {one: queries for one, queries in self.grades.items() if one in languages}
        return Annotations(self.queries, kept)

    def relevances(self, language: str) -> dict[str, dict[str, float]]:
        """The relevance of every judged function of a language, as ``Relevances`` has it.

        It is the mean over the annotations, so it may be fractional, as in the released
        ``relevanceeval.py``.
        """
        return {
            query: {url: sum(grades) / len(grades) for url, grades in urls.items()}
            for query, urls in self.grades.get(language, {}).items()
        }

    def pairs(self, language: str) -> Iterator[tuple[int, ...]]:
        """The grades of every (query, URL) of a language."""
        for urls in self.grades.get(language, {}).values():
            yield from map(tuple, urls.values())


def read_queries(path: Path) -> tuple[str, ...]:
    """The queries of the challenge in lower case, in the order of the file.

    Raises:
        DataError: naming file and line, for what is no such file, an empty query, or one that is
            there twice in any letter case.
    """
    _, rows = read_typed(path, ("query",))
    found: dict[str, str] = {}
    for where, (query,) in rows:
        if not query.strip():
            raise DataError(f"{where}: query is empty")
        if query.lower() in found:
            raise DataError(f"{where}: {query[:_SHOWN]!r} is there twice; keep one")
        found[query.lower()] = query
    if not found:
        raise DataError(f"{path}: has no query")
    return tuple(found)


def read_annotations(path: Path, queries: tuple[str, ...]) -> Annotations:
    """Read ``annotationStore.csv``, or its grades alone.

    Args:
        path: with the columns ``COLUMNS``; ``Notes`` may have quotes, commas and line ends, or be
            left out. A whole number in place of a query is its place among the queries, from 1.
        queries: those that ``read_queries`` gave.

    Raises:
        DataError: naming file and line, for a file of another kind, a grade that is not in
            ``GRADES``, an unknown language or query, and a malformed URL.
    """
    known = set(queries)
    numbered = {str(number): query for number, query in enumerate(queries, 1)}
    read: dict[str, dict[str, dict[str, list[int]]]] = {}
    for where, (title, said, url, grade, *_) in read_typed(path, COLUMNS, COLUMNS[:-1])[1]:
        query = said if said.lower() in known else numbered.get(said, said)
        if fault := find_fault(title, query, url, known):
            raise DataError(f"{where}: {fault.kind} {fault.shown}; {fault.remedy}")
        if grade.strip() not in {str(one) for one in GRADES}:
            raise DataError(f"{where}: Relevance {grade[:_SHOWN]!r} is not one of 0, 1, 2, 3")
        urls = read.setdefault(title.lower(), {}).setdefault(query.lower(), {})
        urls.setdefault(url, []).append(int(grade))
    if not read:
        raise DataError(f"{path}: has no annotation")
    return Annotations(queries, read)


def find_fault(language: str, query: str, url: str, queries: Container[str]) -> Fault | None:
    """Find the fault of a row of annotations or predictions; None if the row is right.

    Args:
        language: in any letter case, as the query.
        query: its text.
        url: must have the form of ``corpus.function_corpus.function_schema.make_url``. Letter case
            counts in it, and blanks stay blanks: it is compared as it is, as in the released code.
        queries: known ones in lower case.
    """
    if language.lower() not in TITLES:
        return Fault("unknown language", language, nearest(language, list(TITLES.values())))
    if query.lower() not in queries:
        return Fault("unknown query", query, "the file of the queries does not have it")
    found = _URL.fullmatch(url)
    if not found or int(found[1]) > int(found[2]):
        return Fault("malformed URL", url, f"write {_FORM}")
    return None


class Place(NamedTuple):
    """The place of a function, as its address names it."""

    repo: str
    sha: str
    path: str
    start_line: int
    end_line: int


def read_url(url: str) -> Place | None:
    """The place that an address of ``make_url`` names; None for any other text."""
    found = _ADDRESS.fullmatch(url.strip())
    if found is None:
        return None
    repo, sha, path, start, end = found.groups()
    if max(len(start), len(end)) > 9:
        return None
    return Place(repo, sha, path, int(start), int(end))


def find_annotated(annotations: Path, queries: tuple[str, ...], language: str) -> list[Place]:
    """The places of annotated functions of a language, each once, in the order of the queries.

    Args:
        annotations: file in the published form.
        queries: as ``read_queries`` gave them.
        language: its name, such as ``go``.

    Raises:
        DataError: naming the file, where an address is not that of a function.
    """
    by_query = read_annotations(annotations, queries).grades.get(language, {})
    places: dict[Place, None] = {}
    for url in (url for urls in by_query.values() for url in urls):
        place = read_url(url)
        if place is None:
            raise DataError(
                f"{annotations}: {url[:100]!r} is no https://github.com/OWNER/NAME/blob/COMMIT/"
                "PATH#L1-L2 with the hash of a commit; mend or remove it"
            )
        places[place] = None
    return list(places)


class AnnotatedFunctions:
    """Finds functions at annotated places."""

    def __init__(self, places: Iterable[Place]) -> None:
        """Take in the places; letter case does not count in names of repositories."""
        lowered = [one._replace(repo=one.repo.lower()) for one in places]
        self._exact = set(lowered)
        self._lines: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for one in lowered:
            self._lines[one.repo, one.path].append((one.start_line, one.end_line))
        self._repos = pa.array(sorted({one.repo for one in lowered}), pa.string())

    def find(self, table: pa.Table) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Say which functions are annotated, and which share a line of a file with such a one.

        The second result does not depend on the commit: training may read another version.
        """
        exact, shared = np.zeros(len(table), bool), np.zeros(len(table), bool)
        known = pc.is_in(pc.utf8_lower(table["repo"]), self._repos).to_numpy()
        rows = table.select(Place._fields).filter(pa.array(known)).to_pylist()
        for position, row in zip(np.flatnonzero(known).tolist(), rows, strict=True):
            place = Place(**row | {"repo": row["repo"].lower()})
            exact[position] = place in self._exact
            shared[position] = any(
                start <= place.end_line and place.start_line <= end
                for start, end in self._lines.get((place.repo, place.path), ())
            )
        return exact, shared


class QueryWords:
    """Finds documentation that has all words of a query, in any order and letter case."""

    def __init__(self, queries: Sequence[str]) -> None:
        """Take in the queries; one without a word is in no documentation."""
        # A query is looked for by its longest word, which few texts have.
        self._by_word: dict[str, list[frozenset[str]]] = defaultdict(list)
        for query in queries:
            words = _WORD.findall(query.lower())
            if words:
                self._by_word[max(words, key=len)].append(frozenset(words))

    def occur_in(self, text: str) -> bool:
        """Say whether a text has all words of any query."""
        words = set(_WORD.findall(text.lower()))
        return any(
            query <= words for word in words & self._by_word.keys() for query in self._by_word[word]
        )
