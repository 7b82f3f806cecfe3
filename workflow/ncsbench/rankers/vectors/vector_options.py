"""Options of the rankers that compare vectors of queries and methods, but for ``encoder``."""

from __future__ import annotations

from typing import ClassVar, Literal

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
    """Exact search of the vectors of an encoder that the block ``encoder`` trains."""

    needs: ClassVar[tuple[str, ...]] = ("methods", "encoder")


OPTIONS: dict[str, type[RankerOptions]] = {
    "ncs": NCSOptions,
    "unif": UNIFOptions,
    "deepcs": DeepcsOptions,
    "joint_encoder": JointEncoderOptions,
}
"""Options classes by kind of ranker."""
