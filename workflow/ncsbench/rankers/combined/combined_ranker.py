"""Rankers that combine others, their parts, and rankers that search only some methods.

A ``CombinedRanker`` saves and loads the parts, or names the places of their indexes. The ranker
that combines them sees parts that are ready to search, and knows nothing of their folders.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import atomic_folder, read_json, write_json
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.top_results import Ranking, collect_run, split_run
from ncsbench.corpus.layout.documents import Documents, load_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions

_OWN, _PARTS, _PLACES = "own", "parts", "parts.json"


@dataclass(frozen=True)
class PartPlace:
    """The folders of a part.

    Attributes:
        index: folder of the part's index.
        words: folder of the words that the part searches; None for the words of the combined
            ranker.
    """

    index: Path
    words: Path | None = None


class CombinedRanker:
    """A ranker with its parts.

    Its index holds the files of the combining ranker, in the folder ``own``, and either the parts'
    indexes, as folders in ``parts``, or the file ``parts.json`` with the paths of these indexes and
    of their words.

    Attributes:
        ranker: the ranker that combines the parts.

    Args:
        ranker: the ranker that combines the parts.
        parts: the parts by name.
    """

    options_type: ClassVar[type[RankerOptions]] = RankerOptions

    def __init__(self, ranker: Ranker, parts: Mapping[str, Ranker]) -> None:
        self.ranker, self._parts = ranker, parts
        self._places: Mapping[str, PartPlace] | None = None

    def refer_to(self, places: Mapping[str, PartPlace]) -> None:
        """Have ``fit`` load existing indexes of the parts, and ``save`` write their paths.

        Raises:
            ConfigurationError: where the names are not those of the parts.
        """
        if sorted(places) != sorted(self._parts):
            raise ConfigurationError(
                f"the parts are {', '.join(self._parts)}, but indexes are given for "
                f"{', '.join(sorted(places)) or 'none'}; name each as --part <name>=<folder>"
            )
        self._places = places

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the parts, or load them, and then fit the combining ranker."""
        if self._places is None:
            for part in self._parts.values():
                part.fit(corpus=corpus, **inputs)
        else:
            self._load_parts(self._places, corpus)
        self.ranker.fit(corpus=corpus, **inputs)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the run of the combining ranker."""
        return self.ranker.search(queries, k=k)

    def save(self, folder: Path) -> None:
        """Write the files of the combining ranker, and the parts or their paths."""
        with atomic_folder(folder) as temporary:
            self.ranker.save(temporary / _OWN)
            if self._places is not None:
                said = {name: _describe(place, folder) for name, place in self._places.items()}
                write_json(temporary / _PLACES, said)
            else:
                for name, part in self._parts.items():
                    part.save(temporary / _PARTS / name)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the parts, each on its own words of the corpus, and the combining ranker."""
        self._load_parts(self._find_parts(folder), corpus)
        self.ranker.load(folder / _OWN, corpus=corpus)

    def _find_parts(self, folder: Path) -> Mapping[str, PartPlace]:
        path = folder / _PLACES
        if not path.exists():
            return {name: PartPlace(folder / _PARTS / name) for name in self._parts}
        said = read_json(path)
        try:
            return {name: _read_place(said[name], folder) for name in self._parts}
        except (KeyError, TypeError) as error:
            raise DataError(f"{path}: does not name the parts; make the index again") from error

    def _load_parts(self, places: Mapping[str, PartPlace], corpus: Documents) -> None:
        # Parts with the same words share them: the words of a large corpus take much memory.
        known: dict[Path | None, Documents] = {None: corpus}
        for name, part in self._parts.items():
            index, words = places[name].index, places[name].words
            words = None if words is None else words.resolve()
            if words is not None and words not in known:
                known[words] = load_documents(words, corpus.methods)
                if known[words].corpus_hash != corpus.corpus_hash:
                    raise DataError(f"{words}: are words of another corpus; make them again")
            part.load(index, corpus=known[words])


def _describe(place: PartPlace, folder: Path) -> dict[str, str | None]:
    return {
        "index": os.path.relpath(place.index, folder),
        "words": None if place.words is None else os.path.relpath(place.words, folder),
    }


def _read_place(said: Any, folder: Path) -> PartPlace:
    words = said["words"]
    return PartPlace(folder / said["index"], None if words is None else folder / words)


def place_parts(indexes: Mapping[str, Path], words: Mapping[str, Path]) -> dict[str, PartPlace]:
    """Return the places of parts, given their folders by name.

    Args:
        indexes: folders of the indexes of all parts.
        words: folders of the words of parts that have other words than the combined ranker.

    Raises:
        ConfigurationError: for a name in ``words`` that is no part.
    """
    for name in sorted(words.keys() - indexes.keys()):
        raise ConfigurationError(f"--part-words {name}: is no part; name it as --part, too")
    return {name: PartPlace(index, words.get(name)) for name, index in indexes.items()}


class PartialRanker:
    """A ranker that finds only some methods; other rankers can build on it.

    Attributes:
        ranker: the ranker that searches, not a ``PartialRanker`` itself.
        allowed: True where a method may be found, bool, shape (methods,), index = method id.

    Args:
        ranker: the ranker that searches; with a ``PartialRanker`` the methods that both allow are
            found.
        allowed: the methods that may be found, as in the attribute.
    """

    options_type: ClassVar[type[RankerOptions]] = RankerOptions

    def __init__(self, ranker: Ranker, allowed: NDArray[np.bool_]) -> None:
        if isinstance(ranker, PartialRanker):
            allowed, ranker = ranker.allowed & allowed, ranker.ranker
        self.ranker: Ranker = ranker
        self.allowed: NDArray[np.bool_] = allowed

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the ranker on the whole corpus."""
        self.ranker.fit(corpus=corpus, **inputs)

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Return the ``k`` best of the allowed methods for every query.

        Since a smaller depth gives the beginning of the same ranking, the search is repeated, each
        time twice as deep, until ``k`` allowed methods are found or the ranking ends. The first
        depth would hold 2 * ``k`` allowed methods if they were spread evenly; this costs less than
        ranking all methods.
        """
        found: dict[int, Ranking] = {}
        left, before = list(queries), dict.fromkeys((query.query_id for query in queries), -1)
        depth = max(k, 2 * k * len(self.allowed) // max(1, int(np.count_nonzero(self.allowed))))
        while left:
            rankings = split_run(self.ranker.search(left, k=depth))
            for row, (ids, scores) in rankings.items():
                kept = np.flatnonzero(self.allowed[ids])[:k]
                found[row] = (ids[kept], scores[kept])
            lengths = {row: len(ids) for row, (ids, _) in rankings.items()}
            left = [
                query
                for query in left
                if before[query.query_id] < lengths.get(query.query_id, -1)
                and len(found[query.query_id][0]) < k
            ]
            before |= lengths
            depth *= 2
        return collect_run(found.items())

    def save(self, folder: Path) -> None:
        """Write the index of the whole corpus."""
        self.ranker.save(folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the index of the whole corpus."""
        self.ranker.load(folder, corpus=corpus)


def find_first_alone(ranker: Ranker, first: NDArray[np.int64]) -> PartialRanker:
    """Limit a ranker to one method of each set of equal methods: the first that it may find.

    Args:
        ranker: the ranker that searches all methods or, as a ``PartialRanker``, some of them.
        first: for each method the first of the methods that equal it, shape (methods,).
    """
    members = np.arange(len(first))
    if isinstance(ranker, PartialRanker):
        members = members[ranker.allowed]
    allowed = np.zeros(len(first), dtype=np.bool_)
    allowed[members[np.unique(first[members], return_index=True)[1]]] = True
    return PartialRanker(ranker, allowed)
