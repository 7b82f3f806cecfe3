"""The common part of rankers with an inverted index for each of some fields of the methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields as list_attributes
from pathlib import Path
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.errors import DataError
from ncsbench.indexes.index_files import Arrays
from ncsbench.indexes.text_field import TextField
from ncsbench.indexes.top_results import Ranking
from ncsbench.rankers.corpus_ranker import ScoringRanker, keep_scored
from ncsbench.rankers.protocol import FitInputs

_ARRAYS = tuple(attribute.name for attribute in list_attributes(TextField))


class FieldRanker(ScoringRanker):
    """Inverted indexes of fields, which are read from the disk as queries need them.

    Ranked are the methods that have a term of the query in one of the fields. A subclass sets
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
        """Scores of all methods for one query, shape (methods,), float64.

        Above 0 are exactly the methods that hold a term of the query.
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
        """The kept fields of a corpus by name."""

    def _attach(self, corpus: Documents) -> None:
        for field in self._indexed.values():
            if len(field.lengths) != len(corpus):
                raise DataError(
                    f"{self.kind}: {len(field.lengths)} methods are indexed, but the corpus "
                    f"has {len(corpus)}; build the corpus and take its words again"
                )
        super()._attach(corpus)

    def _score_methods(self, text: str) -> Ranking:
        scores = self.score(text)
        return keep_scored(scores, scores > 0)
