"""Options of the rankers that compare words of queries with words of methods."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions, StopWordOptions


class BM25Options(RankerOptions):
    """Options of BM25; the default numbers are those of rank-bm25."""

    k1: float = Field(1.5, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    epsilon: float = Field(0.25, ge=0)
    """Share of the average idf that is the idf of words in more than half of the methods."""
    query: Literal["one_hot", "counts"] = "one_hot"
    """Count of a word that a query repeats: once, or as often as it occurs there (DEV-88)."""
    engine: Literal["own", "rank_bm25"] = "own"
    """The code that computes the scores: ours, or the package rank-bm25. Rankings are equal."""


FieldName = Literal["name", "class", "calls", "types", "constants", "strings", "doc", "unsplit"]


class BM25FOptions(StopWordOptions):
    """Options of fields; a field that is left out has its default, which was fitted on no data."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "k1", "weights", "b")
    k1: float = Field(1.2, ge=0)
    """Saturation of the weighted term frequency."""
    weights: dict[FieldName, Annotated[float, Field(ge=0)]] = Field({})
    """Weight of each field (docs/ranker.md): by default 3 for `name`, 2 for `doc`, 0.5 for
    `strings`, 1 for the others. A field with weight 0 is left out."""
    b: dict[FieldName, Share] = Field({})
    """Weight of the length normalisation of each field: by default 0.75 for every field."""
    doc: Literal["indexed", "left_out"] = "indexed"
    """Use of a method's comment as a field. It is left out where options are fitted on pairs whose
    queries are comments."""

    def weigh(self, field: str) -> float:
        """Return the weight of a field."""
        given = dict[str, float](self.weights.items())
        return given.get(field, _WEIGHTS.get(field, 1.0))

    def normalise(self, field: str) -> float:
        """Return the weight of the length normalisation of a field."""
        return dict[str, float](self.b.items()).get(field, 0.75)


_WEIGHTS: dict[str, float] = {"name": 3.0, "doc": 2.0, "strings": 0.5}


class ElasticsearchOptions(RankerOptions):
    """Options of BM25 over two or three fields; the defaults are Elasticsearch's."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    k1: float = Field(1.2, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    lossy_lengths: bool = True
    """True where lengths of fields are rounded as in Lucene, which stores each in one byte."""
    tokenizer: Literal["standard", "camel_case", "camel_case_joined"] = "standard"
    """``standard``: the tokenizer of the default analyzer; ``camel_case``: a tokenizer that splits
    camel case, as in the NCS paper (DEV-101); ``camel_case_joined``: the same, but in names and
    queries any two neighbouring parts of a word, joined, are a token, too, and so is the whole
    word. All tokens are lower-case."""
    class_name: bool = False
    """True where the name of the class is a third field. Methods that a query names in full, such
    as ``Keyboard.hide``, then come first."""
    query: Literal["best_fields", "most_fields"] = "best_fields"
    """Combination of the scores of the fields: the largest one, or their sum."""


class TranslationRankerOptions(StopWordOptions):
    """The likelihood of a query, given the words of a method and their translations."""

    needs: ClassVar[tuple[str, ...]] = ("translation",)
    of_queries: ClassVar[tuple[str, ...]] = (
        *StopWordOptions.of_queries,
        *("background", "own_word"),
    )
    background: float = Field(0.5, ge=0.001, lt=1)
    """Share of the corpus in the probability of a query word given a method (lambda)."""
    own_word: Share = 0.5
    """Share of the probability of a query word that the word itself has as its own translation,
    whatever the table says."""


class TranslationMemoryOptions(StopWordOptions):
    """The similarity of methods to the code that answered queries like the present one."""

    needs: ClassVar[tuple[str, ...]] = ("memory", "methods")
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "recalled")
    recalled: int = Field(100, ge=1)
    """Number of remembered pairs that count: the pairs with the most similar queries."""


class CodeBM25Options(RankerOptions):
    """Options of BM25 over definitions; the defaults were chosen on public queries."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = ("k1", "b", "names", "aside")
    k1: float = Field(1.2, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    name_weight: int = Field(2, ge=0, le=10)
    """Times that the words of a name count, beside those in the code."""
    path_weight: int = Field(2, ge=0, le=10)
    """Times that the words of the path count."""
    stemmer: Literal["english", "none"] = "english"
    """Stemming of words: by the Snowball stemmer for English, or as they are."""
    names: Literal["first", "like_words"] = "first"
    """Definitions whose name a question writes as code does: before all others, or by their words
    alone."""
    aside: Share = Field(0.5)
    """Factor of the scores of tests, examples and code that programs wrote."""


OPTIONS: dict[str, type[RankerOptions]] = {
    "bm25": BM25Options,
    "bm25f": BM25FOptions,
    "code_bm25": CodeBM25Options,
    "elasticsearch_like": ElasticsearchOptions,
    "translation": TranslationRankerOptions,
    "translation_memory": TranslationMemoryOptions,
}
"""Options classes by kind of ranker."""
