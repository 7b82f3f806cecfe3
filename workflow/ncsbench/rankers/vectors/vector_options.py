"""Options of the rankers that compare vectors of queries and methods, but for ``encoder``."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from ncsbench.rankers.ranker_options import RankerOptions, StopWordOptions


class NCSOptions(StopWordOptions):
    """Choices that the NCS paper compares, or leaves open."""

    needs: ClassVar[tuple[str, ...]] = ("embedding",)
    of_queries: ClassVar[tuple[str, ...]] = (*StopWordOptions.of_queries, "unit_query_words")
    unit_query_words: bool = False
    """True where word vectors of a query are normalised before the average (DEV-15)."""
    weighting: Literal["tf_idf", "sum", "unique"] = "tf_idf"
    """Weight of a word in a document vector: TF-IDF, its number of occurrences in the method
    (``sum``), or 1 (``unique``; DEV-94)."""
    logarithm: Literal["natural", "binary", "decimal"] = "natural"
    """Logarithm of the term frequency in TF-IDF (DEV-94)."""


class UNIFOptions(StopWordOptions):
    """Options of the queries of UNIF."""

    needs: ClassVar[tuple[str, ...]] = ("weights",)


class DeepcsOptions(RankerOptions):
    """Exact search of the vectors of a network that the block ``field_encoder`` trains."""

    needs: ClassVar[tuple[str, ...]] = ("methods", "field_encoder")


class JointEncoderOptions(RankerOptions):
    """Search of the vectors of an encoder that the block ``encoder`` trains."""

    needs: ClassVar[tuple[str, ...]] = ("methods", "encoder")
    of_queries: ClassVar[tuple[str, ...]] = ("neighbours",)
    search: Literal["exact", "annoy"] = "exact"
    """``exact``, or ``annoy`` as in the released code of CodeSearchNet (DEV-161), with a package
    that has to be compiled (``make annoy``)."""
    trees: int = Field(200, ge=1)
    """Number of trees of Annoy: 10 in the published figures, 200 in the later code."""
    neighbours: int = Field(100, ge=1)
    """Number of methods that Annoy is asked for; no ranking is longer."""

    @model_validator(mode="after")
    def _check_search(self) -> Self:
        given = [name for name in ("trees", "neighbours") if name in self.model_fields_set]
        if self.search == "exact" and given:
            raise ValueError(f"{given[0]!r} counts for nothing without 'search: annoy'; remove it")
        return self

    def check_packages(self) -> None:
        """Check the package Annoy where ``search`` asks for it."""
        from ncsbench.corpus.indexes.vector_search import check_annoy

        if self.search == "annoy":
            check_annoy()


OPTIONS: dict[str, type[RankerOptions]] = {
    "ncs": NCSOptions,
    "unif": UNIFOptions,
    "deepcs": DeepcsOptions,
    "joint_encoder": JointEncoderOptions,
}
"""Options classes by kind of ranker."""
