"""BM25F: BM25 over the fields of methods; term frequencies are weighted before they saturate.

Robertson and Zaragoza (2009), section 3.6, equations 3.20 to 3.22. There are N methods, of which
df(t) hold the term t in any field; field f of method d has len(d,f) tokens, avg(f) on average over
the methods that have the field, and tf(t,d,f) occurrences of t::

    tf(t,d) = SUM over fields f: weight(f) * tf(t,d,f) / (1 - b(f) + b(f) * len(d,f) / avg(f))
    idf(t)  = ln(1 + (N - df + 0.5) / (df + 0.5))
    s(d, q) = SUM over distinct terms t of q: idf(t) * tf(t,d) / (tf(t,d) + k1)

As in ``corpus.indexes.text_field``, idf is Lucene's, which is never negative, the constant factor
k1 + 1 is left out, and methods without a field do not count in the average length of the field.

The terms of a query are its split words and its unsplit tokens. Fields are those of
``code.java.search_fields``; a field with weight 0 is as if it were not there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.text.words import split_tokens
from ncsbench.code.java.search_fields import FIELDS, read_search_fields
from ncsbench.corpus.indexes.text_field import FieldBuilder, TextField
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError
from ncsbench.rankers.corpus_ranker import FieldRanker
from ncsbench.rankers.lexical.term_options import BM25FOptions
from ncsbench.rankers.protocol import Ranker

_COLUMNS = ("code", "class_name", "comment", "method_name")


class BM25F(FieldRanker, kind="bm25f", options=BM25FOptions):
    """BM25F scores over the fields of methods.

    Methods without a field do not count in the average length of the field.
    """

    _options: BM25FOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        super().__init__(options=options, seed=seed)
        self._kept = tuple(
            name for name in FIELDS if name != "doc" or self._options.doc == "indexed"
        )
        self._fields = tuple(name for name in self._kept if self._options.weigh(name) > 0)
        if not self._fields:
            raise ConfigurationError("bm25f: all weights are 0; give one field a weight above 0")
        self._averages: dict[str, float] = {}

    def score(self, text: str) -> NDArray[np.float64]:
        """Return the scores of all methods for one query, shape (methods,), float64."""
        scores = np.zeros(len(self._corpus), dtype=np.float64)
        weighted = np.zeros(len(scores), dtype=np.float64)
        for term in self._split_query(text):
            holding = self._weigh_term(term, weighted)
            frequencies = weighted[holding]
            weighted[holding] = 0
            scores[holding] += self._idf(len(holding)) * (
                frequencies / (frequencies + self._options.k1)
            )
        return scores

    @property
    def _made_with(self) -> dict[str, Any]:
        return self._options.model_dump(mode="json", include={"doc"})

    def _attach(self, corpus: Documents) -> None:
        super()._attach(corpus)
        for name, field in self._indexed.items():
            having = int(np.count_nonzero(field.lengths))
            self._averages[name] = int(field.lengths.sum(dtype=np.int64)) / max(having, 1)

    def _split_query(self, text: str) -> list[str]:
        return list(dict.fromkeys([*self._options.split_query(text), *self._split_tokens(text)]))

    def _split_tokens(self, text: str) -> list[str]:
        if "unsplit" not in self._fields:
            return []
        tokens = split_tokens(text)
        if self._options.query_stop_words == "kept":
            return tokens
        return [token for token in tokens if token not in self._options.stop_words]

    def _idf(self, frequency: int) -> float:
        methods = len(self._corpus)
        return math.log(1 + (methods - frequency + 0.5) / (frequency + 0.5))

    def _weigh_term(self, term: str, weighted: NDArray[np.float64]) -> NDArray[np.int32]:
        """Write tf(term, d) into ``weighted``, which holds zeros; return the methods with it."""
        found = [np.zeros(0, np.int32)]
        for name in self._fields:
            field = self._indexed[name]
            postings = field.find_postings(term)
            methods = field.methods[postings]
            found.append(methods[weighted[methods] == 0])
            b, average = self._options.normalise(name), self._averages[name] or 1.0
            norms = 1 - b + b * (field.lengths[methods] / average)
            # A method occurs once among the postings of a term: no addition is lost.
            weighted[methods] += self._options.weigh(name) * (field.frequencies[postings] / norms)
        return np.concatenate(found)

    def _index_fields(self, methods: MethodTexts) -> dict[str, TextField]:
        builders = {name: FieldBuilder() for name in self._kept}
        for table in methods.iterate_methods([*_COLUMNS]):
            values = (table[column].to_pylist() for column in _COLUMNS)
            read = [
                read_search_fields(code, class_name, comment, method_name=name)
                for code, class_name, comment, name in zip(*values, strict=True)
            ]
            for name, builder in builders.items():
                builder.add(fields[name] for fields in read)
        return {name: builder.finish() for name, builder in builders.items()}


RANKER: type[Ranker] = BM25F
