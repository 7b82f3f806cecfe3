"""What no training may see: annotated functions, and those that answer an evaluation query."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.errors import DataError
from ncsbench.function_corpus.annotations import read_annotations

_URL = re.compile(
    r"(?:https?://)?github\.com/([^/]+/[^/]+)/blob/([0-9a-f]{7,64})/(.+)#L(\d+)-L(\d+)"
)
_WORD = re.compile(r"\w+")


class Place(NamedTuple):
    """Where a function stands, as its address says."""

    repo: str
    sha: str
    path: str
    start_line: int
    end_line: int


def read_url(url: str) -> Place | None:
    """The place that an address of ``make_url`` names; None for any other text."""
    found = _URL.fullmatch(url.strip())
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
        DataError: naming the file, where an address is none of a function.
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


@dataclass
class AnnotatedFunctions:
    """Finds functions at annotated places."""

    places: Iterable[Place]
    _exact: set[Place] = field(default_factory=set, init=False)
    _lines: dict[tuple[str, str], list[tuple[int, int]]] = field(init=False)

    def __post_init__(self) -> None:
        self._lines = defaultdict(list)
        for one in self.places:
            self._exact.add(one._replace(repo=one.repo.lower()))
            self._lines[one.repo.lower(), one.path].append((one.start_line, one.end_line))
        self._repos = pa.array(sorted({repo for repo, _ in self._lines}), pa.string())

    def find(self, table: pa.Table) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which functions are annotated, and which share a line of a file with one that is.

        The second does not ask for the commit: what is trained on may be another version.
        """
        exact, shared = np.zeros(len(table), bool), np.zeros(len(table), bool)
        known = pc.is_in(pc.utf8_lower(table["repo"]), self._repos).to_numpy()
        rows = table.select(Place._fields).filter(pa.array(known)).to_pylist()
        for position, row in zip(np.flatnonzero(known).tolist(), rows, strict=True):
            place = Place(**row)
            repo = place.repo.lower()
            exact[position] = place._replace(repo=repo) in self._exact
            shared[position] = any(
                start <= place.end_line and place.start_line <= end
                for start, end in self._lines.get((repo, place.path), ())
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
        """Whether a text has all words of any query."""
        words = set(_WORD.findall(text.lower()))
        return any(
            query <= words for word in words & self._by_word.keys() for query in self._by_word[word]
        )
