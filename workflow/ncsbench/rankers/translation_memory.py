"""Methods like the code that answered queries like this one.

Pairs of queries and code are remembered one by one, as by a translator's memory of sentences that
were translated before. A query recalls the pairs whose queries are most like it
(``remembered_pairs``), and with share(n) of a name n in their code, their expected number of names
and the names of a method d::

    s(d, Q)  =  2 * SUM over names n of d: share(n) / (number of names of d + expected number)

the Dice coefficient with the expected answer. Posts of Stack Overflow serve as feedback for code
search in QECK (Nie et al., IEEE Transactions on Services Computing 2016), whose best words of
answers are added to the query; here whole answers are compared, so that long methods gain nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import Documents, MethodTexts, TokenLists
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.indexes.index_files import read_index, read_index_words, write_index
from ncsbench.indexes.top_results import check_depth, collect_run, take_top
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.rankers.remembered_pairs import (
    ARRAYS,
    Recalled,
    RememberedPairs,
    invert,
    read_remembered_pairs,
)
from ncsbench.rankers.translation_memory_options import TranslationMemoryOptions
from ncsbench.runs.rankings import Query, Run
from ncsbench.training.translation_tables import find_names
from ncsbench.training.word_sets import WordListBuilder

_OF_CORPUS = ("offsets", "names_of_methods", "postings", "methods")
_COLUMNS = ["code", "class_name", "method_name"]

Floats = NDArray[np.float64]


class TranslationMemoryRanker:
    """Names of the methods, method by method and inverted, and the remembered pairs."""

    options_type: ClassVar[type[RankerOptions]] = TranslationMemoryOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = TranslationMemoryOptions.parse(options, where="translation_memory")
        self._corpus: Documents | None = None
        self._names: TokenLists
        self._postings: NDArray[np.int64]
        self._methods: NDArray[np.int32]
        self._pairs: RememberedPairs

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Read the names of the methods, streaming, and the remembered pairs."""
        memory, methods = inputs.get("memory"), inputs.get("methods")
        if memory is None:
            raise ConfigurationError(
                "translation_memory: needs remembered pairs; give the model file a block "
                "'translation' that names some in 'memory'"
            )
        if methods is None:
            raise ConfigurationError(
                "translation_memory: needs the text of the methods; give the model file a line "
                "'source_text: true'"
            )
        names = _collect_names(methods)
        if len(names) != len(corpus) or methods.manifest()["corpus_hash"] != corpus.corpus_hash:
            raise DataError(
                f"{methods.path}: is not the corpus that the words were taken from; "
                "take the words again"
            )
        self._names = names
        self._postings, self._methods = invert(names)
        self._pairs = read_remembered_pairs(memory, names.vocabulary)
        self._corpus = corpus

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that hold a name of a recalled answer."""
        check_depth(k)
        return collect_run(
            (query.query_id, take_top(*self.score(query.text), k=k)) for query in queries
        )

    def score(self, text: str) -> tuple[NDArray[np.int64], Floats]:
        """The methods that hold a name of a recalled answer, ascending, and their scores.

        Both have the shape (such methods,), int64 and float64.
        """
        self._fitted()
        words = self._options.split_query(text)
        recalled = self._pairs.recall(words, recalled=self._options.recalled)
        overlaps = np.zeros(len(self._names), dtype=np.float64)
        for name, share in zip(recalled.names.tolist(), recalled.shares.tolist(), strict=True):
            # A method stands once among the postings of a name: no addition is lost.
            overlaps[self._methods[self._postings[name] : self._postings[name + 1]]] += share
        found = np.flatnonzero(overlaps)
        return found, self._compare(overlaps[found], found, recalled)

    def save(self, folder: Path) -> None:
        """Write the names of the methods and the remembered pairs."""
        corpus, names = self._fitted(), self._names
        arrays: list[NDArray[Any]] = [names.offsets, names.tokens, self._postings, self._methods]
        write_index(
            folder,
            corpus=corpus,
            options={},
            arrays={**dict(zip(_OF_CORPUS, arrays, strict=True)), **self._pairs.arrays},
            words=self._pairs.words,
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Open the index of ``corpus``; the text of the methods is not needed."""
        names = (*_OF_CORPUS, *ARRAYS)
        arrays = dict(
            zip(names, read_index(folder, corpus=corpus, options={}, names=names), strict=True)
        )
        self._names = TokenLists([], arrays["offsets"], arrays["names_of_methods"])
        self._postings, self._methods = arrays["postings"], arrays["methods"]
        words = read_index_words(folder, len(arrays["word_offsets"]) - 1)
        self._pairs = RememberedPairs(words, {name: arrays[name] for name in ARRAYS})
        self._corpus = corpus

    def _fitted(self) -> Documents:
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        return self._corpus

    def _compare(self, overlaps: Floats, methods: NDArray[np.int64], recalled: Recalled) -> Floats:
        offsets = self._names.offsets
        sizes = offsets[methods + 1] - offsets[methods] + recalled.size
        return np.asarray(2 * overlaps / np.maximum(sizes, 1.0))


def _collect_names(methods: MethodTexts) -> TokenLists:
    """The distinct names of all methods, ascending within each."""
    sets = WordListBuilder()
    for table in methods.iterate_methods(_COLUMNS):
        for method in table.to_pylist():
            names = find_names(method["code"], method["class_name"], method["method_name"])
            sets.append(names)
    return sets.finish()


RANKER: type[Ranker] = TranslationMemoryRanker
