"""BM25 over two fields, as the ElasticSearch baseline of the CodeSearchNet paper.

The paper names default parameters, the default tokeniser and two fields per function: its name
split into subtokens, and the text of the whole function. So the field ``name`` holds the words of
the method's name and the field ``text`` its comment and its code (DEV-71), both analysed by the
analyzer ``standard``, or by a tokenizer that splits camel case, as in the NCS paper (DEV-101). A
query is a ``multi_match`` of its tokens, any of which may match; its default type ``best_fields``
takes the larger of the two fields' scores (DEV-74).

Not of the paper, and off unless a model file says otherwise: a third field ``class`` has the words
of the class name and the full name of the method, ``class.method``.

Scores are 64-bit numbers where Lucene has 32-bit ones (DEV-72).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ncsbench.artifacts.storage import map_array
from ncsbench.corpus.documents import Documents, MethodTexts
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.indexes.index_files import read_index, write_index
from ncsbench.indexes.text_field import FieldBuilder, FieldScorer, TextField
from ncsbench.indexes.top_results import Ranking, check_depth, collect_run, take_top
from ncsbench.rankers.elasticsearch_like_options import ElasticsearchOptions
from ncsbench.rankers.protocol import FitInputs, Ranker
from ncsbench.rankers.ranker_options import RankerOptions
from ncsbench.runs.rankings import Query, Run
from ncsbench.text.elasticsearch_analyzers import (
    analyze_camel_case,
    analyze_joined,
    analyze_text,
    find_full_names,
    join_name,
)
from ncsbench.text.words import split_words

Analyze = Callable[[str], list[str]]


@dataclass(frozen=True)
class _Analyzers:
    """What cuts names, texts and queries into tokens."""

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
_ARRAYS = tuple(field.name for field in fields(TextField))


class ElasticsearchLike:
    """An inverted index for each field, which are read from the disk as queries need them."""

    options_type: ClassVar[type[RankerOptions]] = ElasticsearchOptions

    def __init__(
        self, *, options: Mapping[str, Any], base: Ranker | None = None, seed: int = 0
    ) -> None:
        self._options = ElasticsearchOptions.parse(options, where="elasticsearch_like")
        self._analyzers = _ANALYZERS[self._options.tokenizer]
        self._fields = ("name", "text", "class")[: 2 + self._options.class_name]
        self._corpus: Documents | None = None
        self._indexed: tuple[TextField, ...] = ()
        self._scorers: tuple[FieldScorer, ...] = ()

    def fit(self, *, corpus: Documents, **inputs: Unpack[FitInputs]) -> None:
        """Index names and texts of the methods, streaming."""
        methods = inputs.get("methods")
        if methods is None:
            raise ConfigurationError(
                "elasticsearch_like: needs the text of the methods; give the model file a line "
                "'source_text: true'"
            )
        if methods.manifest().get("corpus_hash") != corpus.corpus_hash:
            raise DataError(
                f"{methods.path}: is not the corpus that the words were taken from; "
                "take the words again"
            )
        self._attach(corpus, _index_fields(methods, self._analyzers, self._fields))

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Rank the methods that have a token of the query in one of the fields."""
        check_depth(k)
        return collect_run((query.query_id, self._rank(query.text, k)) for query in queries)

    def score(self, text: str) -> NDArray[np.float64]:
        """Scores of all methods for one query, shape (methods,), float64."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before search")
        tokens = self._analyzers.query(text)
        combine = np.maximum if self._options.query == "best_fields" else np.add
        scores, *others = (scorer.score(tokens) for scorer in self._scorers)
        for other in others:
            combine(scores, other, out=scores)
        if self._options.class_name:
            first = scores.max(initial=0.0)  # so that what is named in full comes first
            for token in find_full_names(text):
                scores[self._indexed[-1].find_methods(token)] += first
        return scores

    def save(self, folder: Path) -> None:
        """Write the inverted indexes."""
        if self._corpus is None:
            raise RuntimeError("fit or load comes before save")
        write_index(
            folder,
            corpus=self._corpus,
            options=self._describe_options(),
            arrays={
                f"{name}.{array}": getattr(field, array)
                for name, field in zip(self._fields, self._indexed, strict=True)
                for array in _ARRAYS
            },
        )

    def load(self, folder: Path, *, corpus: Documents) -> None:
        """Open the inverted indexes of ``corpus``; the text of the methods is not needed."""
        read_index(folder, corpus=corpus, options=self._describe_options(), names=())
        opened = [
            TextField(*(map_array(folder / f"{name}.{array}.npy") for array in _ARRAYS))
            for name in self._fields
        ]
        self._attach(corpus, opened)

    def _describe_options(self) -> dict[str, Any]:
        # What indexes without the third field always said.
        unused = () if self._options.class_name else ("class_name",)
        return self._options.model_dump(mode="json", exclude={*unused})

    def _attach(self, corpus: Documents, indexed: Sequence[TextField]) -> None:
        for field in indexed:
            if len(field.lengths) != len(corpus):
                raise DataError(
                    f"elasticsearch_like: {len(field.lengths)} methods are indexed, but the corpus "
                    f"has {len(corpus)}; build the corpus and take its words again"
                )
        self._indexed = tuple(indexed)
        options = self._options
        self._scorers = tuple(
            FieldScorer(field, k1=options.k1, b=options.b, lossy_lengths=options.lossy_lengths)
            for field in indexed
        )
        self._corpus = corpus

    def _rank(self, text: str, k: int) -> Ranking:
        scores = self.score(text)
        methods = np.flatnonzero(scores > 0)  # faster than of the numbers themselves
        return take_top(methods, scores[methods], k=k)


def _index_fields(
    methods: MethodTexts, analyzers: _Analyzers, names: Sequence[str]
) -> list[TextField]:
    """The fields of a corpus that are named, in this order."""
    columns = {
        "name": ["method_name"],
        "text": ["comment", "code"],
        "class": ["class_name", "method_name"],
    }
    fields = {name: FieldBuilder() for name in names}
    wanted = dict.fromkeys(column for name in names for column in columns[name])
    for table in methods.iterate_methods([*wanted]):
        for name, field in fields.items():
            values = [table[column].to_pylist() for column in columns[name]]
            if name == "text":
                texts = (f"{comment or ''}\n{code}" for comment, code in zip(*values, strict=True))
                field.add(map(analyzers.text, texts))
            elif name == "class":
                pairs = zip(*values, strict=True)
                field.add([*analyzers.name(one), join_name(one, method)] for one, method in pairs)
            else:
                field.add(map(analyzers.name, values[0]))
    return [field.finish() for field in fields.values()]


RANKER: type[Ranker] = ElasticsearchLike
