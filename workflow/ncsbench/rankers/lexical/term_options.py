"""Options of the rankers that compare words of queries with words of methods."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions, StopWordOptions


class BM25Options(RankerOptions):
    """Numbers are those of rank-bm25 by default."""

    k1: float = Field(1.5, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    epsilon: float = Field(0.25, ge=0)
    """Share of the average idf that words in more than half of the methods get."""
    query: Literal["one_hot", "counts"] = "one_hot"
    """Whether a word that a query repeats counts once, or as often as it stands there (DEV-88)."""
    engine: Literal["own", "rank_bm25"] = "own"
    """What computes the scores: ``bm25``, or the package rank-bm25. Rankings are equal."""


FieldName = Literal["name", "class", "calls", "types", "constants", "strings", "doc", "unsplit"]


class BM25FOptions(StopWordOptions):
    """Fields that a block leaves out keep their defaults, which are fitted on nothing."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "k1", "weights", "b")
    k1: float = Field(1.2, ge=0)
    """Saturation of the weighted frequency."""
    weights: dict[FieldName, Annotated[float, Field(ge=0)]] = Field({})
    """Weight of each field (docs/ranker.md): 3 for `name`, 2 for `doc`, 0.5 for `strings`, 1
    for the others. A field with 0 is as if it were not there."""
    b: dict[FieldName, Share] = Field({})
    """Weight of the length normalisation of each field: 0.75 for every one."""
    doc: Literal["indexed", "left_out"] = "indexed"
    """Whether the comment of a method is a field. Left out where something is fitted on pairs whose
    queries are comments."""

    def weigh(self, field: str) -> float:
        """The weight of a field."""
        given = dict[str, float](self.weights.items())
        return given.get(field, _WEIGHTS.get(field, 1.0))

    def normalise(self, field: str) -> float:
        """The weight of the length normalisation of a field."""
        return dict[str, float](self.b.items()).get(field, 0.75)


_WEIGHTS: dict[str, float] = {"name": 3.0, "doc": 2.0, "strings": 0.5}


class ElasticsearchOptions(RankerOptions):
    """The defaults are Elasticsearch's."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    k1: float = Field(1.2, ge=0)
    """Saturation of the term frequency."""
    b: float = Field(0.75, ge=0, le=1)
    """Weight of the length normalisation."""
    lossy_lengths: bool = True
    """Whether lengths of fields are rounded as Lucene's single byte does."""
    tokenizer: Literal["standard", "camel_case", "camel_case_joined"] = "standard"
    """``standard``: that of the default analyzer; ``camel_case``: one that splits camel case, as
    in the NCS paper (DEV-101); ``camel_case_joined``: in names and queries neighbouring parts of a
    word are tokens joined, too, and so is the whole word. All lower-case."""
    class_name: bool = False
    """Whether the name of the class is a third field. Methods that a query names in full, as
    ``Keyboard.hide``, then come first."""
    query: Literal["best_fields", "most_fields"] = "best_fields"
    """Whether the largest score of the fields counts or their sum."""


class TranslationRankerOptions(StopWordOptions):
    """The likelihood of a query, given the words of a method and what they are translations of."""

    needs: ClassVar[tuple[str, ...]] = ("translation",)
    of_queries: ClassVar[tuple[str, ...]] = (
        *StopWordOptions.of_queries,
        *("background", "own_word"),
    )
    background: float = Field(0.5, ge=0.001, lt=1)
    """Share of the corpus in what is likely of a method (lambda)."""
    own_word: Share = 0.5
    """Share of a query word that stands for itself, whatever the table says."""


class TranslationMemoryOptions(StopWordOptions):
    """How like a method is to the code that answered queries like this one."""

    needs: ClassVar[tuple[str, ...]] = ("memory", "methods")
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "recalled")
    recalled: int = Field(100, ge=1)
    """How many remembered pairs count, those with the most similar queries."""


OPTIONS: dict[str, type[RankerOptions]] = {
    "bm25": BM25Options,
    "bm25f": BM25FOptions,
    "elasticsearch_like": ElasticsearchOptions,
    "translation": TranslationRankerOptions,
    "translation_memory": TranslationMemoryOptions,
}
"""By kind."""
