"""The base classes of the rankers of this package: options, base, corpus, index and search."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields as list_attributes
from pathlib import Path
from typing import Any, ClassVar, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.indexes.index_files import Arrays, read_index, write_index
from ncsbench.corpus.indexes.text_field import TextField
from ncsbench.corpus.indexes.top_results import Ranking, check_depth, collect_run, take_positive
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions

_Input = TypeVar("_Input")


class CorpusRanker:
    """A ranker of this package, which keeps the corpus that it was fitted on or loaded for.

    A subclass names its ``kind`` and its ``options`` as class arguments; a user's subclass that
    names none has those of the class that it derives from.
    """

    kind: ClassVar[str]
    options_type: ClassVar[type[RankerOptions]]
    _options: RankerOptions
    _corpus: Documents

    def __init_subclass__(
        cls, kind: str | None = None, options: type[RankerOptions] | None = None
    ) -> None:
        super().__init_subclass__()
        if kind is not None:
            cls.kind = kind
        if options is not None:
            cls.options_type = options

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = self.options_type.parse(options, where=self.kind)
        self._seed = seed

    def _attach(self, corpus: Documents) -> None:
        """Take the corpus, after the ranker was fitted or its index was opened."""
        self._corpus = corpus

    def _take(self, given: _Input | None, name: str) -> _Input:
        """Return an input of ``fit``; raise ``ConfigurationError`` where it is None."""
        if given is None:
            raise ConfigurationError(
                f"{self.kind}: fit needs the input {name!r}; docs/add-a-model.md says how a model "
                "file gives it"
            )
        return given

    def _take_methods(self, inputs: FitInputs, corpus: Documents) -> MethodTexts:
        """Return the text of the methods.

        Raises:
            ConfigurationError: where the text is missing.
            DataError: where the text is that of another corpus.
        """
        methods = self._take(inputs.get("methods"), "methods")
        if methods.manifest().get("corpus_hash") != corpus.corpus_hash:
            raise DataError(
                f"{methods.path}: is not the corpus that the words were taken from; "
                "take the words again"
            )
        return methods


class IndexedRanker(CorpusRanker):
    """A ranker with an index of its own: arrays, and the files that ``_save_rest`` adds.

    A subclass names the arrays in ``_arrays``; each is an attribute with ``_`` before its name. Or
    the subclass overrides ``_list_arrays`` and ``_take_arrays``. ``_attach`` is called when the
    arrays are there.
    """

    _arrays: Sequence[str] = ()

    def save(self, folder: Path) -> None:
        """Write the index: the arrays, its words if it has some, and its further files."""
        write_index(
            folder,
            corpus=self._corpus,
            options=self._made_with,
            arrays=self._list_arrays(),
            words=self._list_words(),
            write_rest=self._save_rest,
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Open what ``save`` wrote for ``corpus``.

        Raises:
            DataError: where the index is damaged or was made for another corpus or other options.
        """
        names = self._arrays
        found = read_index(folder, corpus=corpus, options=self._made_with, names=names)
        self._take_arrays(dict(zip(names, found, strict=True)), folder)
        self._attach(corpus)
        self._load_rest(folder)

    @property
    def _made_with(self) -> dict[str, Any]:
        """The options that decide what the index holds."""
        return {}

    def _list_arrays(self) -> Arrays:
        return {name: getattr(self, f"_{name}") for name in self._arrays}

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        for name, array in arrays.items():
            setattr(self, f"_{name}", array)

    def _list_words(self) -> Sequence[str] | None:
        return None

    def _save_rest(self, folder: Path) -> None:
        """Write further files into the folder of the index."""

    def _load_rest(self, folder: Path) -> None:
        """Read the files of ``_save_rest``, after everything else was loaded."""


class ScoringRanker(IndexedRanker):
    """A ranker that ranks methods for one query at a time; a subclass gives ``_rank``."""

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that each query finds."""
        check_depth(k)
        return collect_run((query.query_id, self._rank(query.text, k)) for query in queries)

    def _rank(self, text: str, k: int) -> Ranking:
        """Return the ``k`` best methods for a query."""
        raise NotImplementedError


class BasedRanker(CorpusRanker):
    """A ranker that orders the candidates of its base.

    This class has no index of its own: ``save`` and ``load`` are the base's, and an index that
    the base wrote can be loaded. A subclass may have one.
    """

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        if base is None:
            raise ValueError(f"{self.kind} needs a base")
        super().__init__(options=options, seed=seed)
        self._base = base

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Fit the base."""
        self._base.fit(corpus=corpus, **inputs)
        self._attach(corpus)

    def save(self, folder: Path) -> None:
        """Write the base's index."""
        self._base.save(folder)

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Read the base's index."""
        self._base.load(folder, corpus=corpus)
        self._attach(corpus)


_ARRAYS = tuple(attribute.name for attribute in list_attributes(TextField))


class FieldRanker(ScoringRanker):
    """A ranker with an inverted index for each field, read from the disk as queries need them.

    A ranking holds the methods that have a term of the query in one of the fields. A subclass sets
    ``_kept``, the names of the fields of the index.
    """

    _kept: tuple[str, ...]
    _indexed: Mapping[str, TextField]

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Index the fields of the methods, streaming."""
        self._indexed = self._index_fields(self._take_methods(inputs, corpus))
        self._attach(corpus)

    @abstractmethod
    def score(self, text: str) -> NDArray[np.float64]:
        """Return the scores of all methods for one query, shape (methods,), float64.

        Exactly the methods that hold a term of the query have a score above 0.
        """

    @property
    def _arrays(self) -> Sequence[str]:  # type: ignore[override]
        return [f"{name}.{array}" for name in self._kept for array in _ARRAYS]

    def _list_arrays(self) -> Arrays:
        return {
            f"{name}.{array}": getattr(field, array)
            for name, field in self._indexed.items()
            for array in _ARRAYS
        }

    def _take_arrays(self, arrays: Arrays, folder: Path) -> None:
        self._indexed = {
            name: TextField(*(arrays[f"{name}.{array}"] for array in _ARRAYS))
            for name in self._kept
        }

    @abstractmethod
    def _index_fields(self, methods: MethodTexts) -> dict[str, TextField]:
        """Index the fields ``_kept`` of a corpus; return them by name."""

    def _attach(self, corpus: Documents) -> None:
        for field in self._indexed.values():
            if len(field.lengths) != len(corpus):
                raise DataError(
                    f"{self.kind}: {len(field.lengths)} methods are indexed, but the corpus "
                    f"has {len(corpus)}; build the corpus and take its words again"
                )
        super()._attach(corpus)

    def _rank(self, text: str, k: int) -> Ranking:
        return take_positive(self.score(text), k=k)
