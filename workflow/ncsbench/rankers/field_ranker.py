"""The common part of rankers with an inverted index for each of some fields of the methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import fields as list_attributes
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import map_array
from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.errors import DataError
from ncsbench.indexes.index_files import read_index, write_index
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
        self._attach(corpus, self._index_fields(self._take_methods(inputs, corpus)))

    @abstractmethod
    def score(self, text: str) -> NDArray[np.float64]:
        """Scores of all methods for one query, shape (methods,), float64.

        Above 0 are exactly the methods that hold a term of the query.
        """

    def save(self, folder: Path) -> None:
        """Write the inverted indexes."""
        write_index(
            folder,
            corpus=self._corpus,
            options=self._describe_options(),
            arrays={
                f"{name}.{array}": getattr(field, array)
                for name, field in self._indexed.items()
                for array in _ARRAYS
            },
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Open the inverted indexes of ``corpus``; the text of the methods is not needed."""
        read_index(folder, corpus=corpus, options=self._describe_options(), names=())
        opened = {
            name: TextField(*(map_array(folder / f"{name}.{array}.npy") for array in _ARRAYS))
            for name in self._kept
        }
        self._attach(corpus, opened)

    @abstractmethod
    def _index_fields(self, methods: MethodTexts) -> dict[str, TextField]:
        """The kept fields of a corpus by name."""

    @abstractmethod
    def _describe_options(self) -> dict[str, Any]:
        """The options that decide what the index holds."""

    def _attach(self, corpus: Documents, indexed: Mapping[str, TextField]) -> None:
        for field in indexed.values():
            if len(field.lengths) != len(corpus):
                raise DataError(
                    f"{self.kind}: {len(field.lengths)} methods are indexed, but the corpus "
                    f"has {len(corpus)}; build the corpus and take its words again"
                )
        self._indexed, self._corpus = indexed, corpus

    def _score_methods(self, text: str) -> Ranking:
        scores = self.score(text)
        return keep_scored(scores, scores > 0)
