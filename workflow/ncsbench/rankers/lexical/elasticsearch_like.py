"""BM25 over two fields, like the ElasticSearch baseline of the CodeSearchNet paper.

The paper names default parameters, the default tokeniser and two fields per function: its name
split into subtokens, and the text of the whole function. So the field ``name`` holds the words of
the method's name and the field ``text`` its comment and its code (DEV-71). Both are analysed by the
analyzer ``standard``, or by a tokenizer that splits camel case, as in the NCS paper (DEV-101). A
query is a ``multi_match`` of its tokens, any of which may match; its default type ``best_fields``
takes the larger of the two fields' scores (DEV-74).

A third field ``class`` has the words of the class name and the full name of the method,
``class.method``. It is not in the paper, and left out unless a model file asks for it.

Scores are 64-bit numbers, whereas Lucene's have 32 bits (DEV-72).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.text.elasticsearch_analyzers import (
    analyze_camel_case,
    analyze_joined,
    analyze_text,
    find_full_names,
    join_name,
)
from ncsbench.base.text.words import split_words
from ncsbench.corpus.indexes.text_field import FieldBuilder, FieldScorer, TextField
from ncsbench.corpus.layout.documents import Documents, MethodTexts
from ncsbench.rankers.corpus_ranker import FieldRanker
from ncsbench.rankers.lexical.term_options import ElasticsearchOptions
from ncsbench.rankers.protocol import Ranker

Analyze = Callable[[str], list[str]]


@dataclass(frozen=True)
class _Analyzers:
    """The functions that cut names, texts and queries into tokens."""

    name: Analyze
    text: Analyze
    query: Analyze


def _analyze_words(analyze: Analyze) -> Analyze:
    return lambda name: analyze(" ".join(split_words(name)))


_ANALYZERS: Mapping[str, _Analyzers] = {
    **{
        tokenizer: _Analyzers(_analyze_words(analyze), analyze, analyze)
        for tokenizer, analyze in (("standard", analyze_text), ("camel_case", analyze_camel_case))
    },
    "camel_case_joined": _Analyzers(analyze_joined, analyze_camel_case, analyze_joined),
}


class ElasticsearchLike(FieldRanker, kind="elasticsearch_like", options=ElasticsearchOptions):
    """The largest, or the sum, of the BM25 scores of the fields."""

    _options: ElasticsearchOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        super().__init__(options=options, seed=seed)
        self._analyzers = _ANALYZERS[self._options.tokenizer]
        self._kept = ("name", "text", "class")[: 2 + self._options.class_name]
        self._scorers: tuple[FieldScorer, ...] = ()

    def score(self, text: str) -> NDArray[np.float64]:
        """Return the scores of all methods for one query, shape (methods,), float64."""
        tokens = self._analyzers.query(text)
        combine = np.maximum if self._options.query == "best_fields" else np.add
        scores, *others = (scorer.score(tokens) for scorer in self._scorers)
        for other in others:
            combine(scores, other, out=scores)
        if self._options.class_name:
            first = scores.max(initial=0.0)  # so that methods that are named in full come first
            classes = self._indexed["class"]
            for token in find_full_names(text):
                scores[classes.methods[classes.find_postings(token)]] += first
        return scores

    @property
    def _made_with(self) -> dict[str, Any]:
        # An index without the third field does not record the option, as before it existed.
        unused = () if self._options.class_name else ("class_name",)
        return self._options.model_dump(mode="json", exclude={*unused})

    def _attach(self, corpus: Documents) -> None:
        super()._attach(corpus)
        options = self._options
        self._scorers = tuple(
            FieldScorer(field, k1=options.k1, b=options.b, lossy_lengths=options.lossy_lengths)
            for field in self._indexed.values()
        )

    def _index_fields(self, methods: MethodTexts) -> dict[str, TextField]:
        columns = {
            "name": ["method_name"],
            "text": ["comment", "code"],
            "class": ["class_name", "method_name"],
        }
        analyzers, fields = self._analyzers, {name: FieldBuilder() for name in self._kept}
        wanted = dict.fromkeys(column for name in self._kept for column in columns[name])
        for table in methods.iterate_methods([*wanted]):
            for name, field in fields.items():
                values = [table[column].to_pylist() for column in columns[name]]
                pairs = zip(values[0], values[-1], strict=True)
                if name == "text":
                    field.add(analyzers.text(f"{comment or ''}\n{code}") for comment, code in pairs)
                elif name == "class":
                    field.add(
                        [*analyzers.name(one), join_name(one, method)] for one, method in pairs
                    )
                else:
                    field.add(map(analyzers.name, values[0]))
        return {name: field.finish() for name, field in fields.items()}


RANKER: type[Ranker] = ElasticsearchLike
