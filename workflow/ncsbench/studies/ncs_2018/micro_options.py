"""Options and settings of the micro-benchmark of the NCS paper (section 3.1)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.evaluation.published.verdict_options import Margin

DEPTH = 9
"""The last rank that counts in the paper, and the depth of the search."""
Choice = Literal["random", "tf_idf"]


class ChangedModel(StrictModel):
    """A model with some of its options changed."""

    model: str = "ncs"
    """Name of a model file in config/models/ that builds on no other model."""
    embedding: dict[str, Any] = Field(default_factory=dict)
    """Changed keys of the model's block `embedding`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Changed keys of the model's block `options`."""


class MicroRow(ChangedModel):
    """A model to compare with a row of the paper's Tables 2 to 5."""

    table: str
    """The published table, by its name in config/published/ncs_2018.csv."""
    row: str
    """The row of the published table."""
    query_words: Choice = "tf_idf"
    """Choice of the words of the queries."""


def list_paper_rows() -> tuple[MicroRow, ...]:
    """List the rows of Tables 2 to 5 of the NCS paper (section 3.2), each with a model of ours."""
    published: dict[str, dict[str, dict[str, Any]]] = {
        "choice of query words": {"random": {"query_words": "random"}, "by TF-IDF": {}},
        "embedding dimension": {
            "100": {"model": "ncs_100", "embedding": {"dimension": 100}},
            "250": {"embedding": {"dimension": 250}},
            "500": {},
            # Fewer n-gram vectors, so that training needs 6 GB as at 500 dimensions (DEV-94).
            "750": {"embedding": {"dimension": 750, "bucket": 1300000}},
        },
        "document vector": {
            "sum of all words": {"options": {"weighting": "sum"}},
            "sum of unique words": {"options": {"weighting": "unique"}},
            "TF-IDF weighted unique words": {},
        },
        "retrieval": {"NCS": {}, "BM25": {"model": "bm25", "embedding": {}}},
    }
    return tuple(
        MicroRow(
            table=f"micro-benchmark: {table}", row=row, **{"embedding": {"dimension": 500}, **keys}
        )
        for table, rows in published.items()
        for row, keys in rows.items()
    )


class MicroBenchmarkOptions(StrictModel):
    """The micro-benchmark of the NCS paper: a method is found again by some of its own words."""

    queries: int = Field(10000, ge=1)
    """Number of methods that are drawn, to be found among all methods; a corpus with fewer methods
    is refused."""
    margin: Margin = 0.03
    """Largest difference from a published figure that counts as equivalent (DEV-95)."""
    rows: tuple[MicroRow, ...] = Field(default_factory=list_paper_rows)
    """Models to compare with published rows, for the target `micro_benchmark`; by default all rows
    of Tables 2 to 5."""


class QuerySettings(StrictModel):
    """Settings of the stage ``micro_queries``."""

    queries: int
    """Number of methods that are drawn."""
    seed: int
    """Seed of the choice of methods and of their words."""


class TableRow(StrictModel):
    """A row of ``micro_benchmark.csv``."""

    table: str
    """The published table."""
    row: str
    """The row of the published table."""
    query_words: Choice
    """Choice of the words of the queries."""
    model: str
    """Name of the run that is compared with the row."""


class MicroTableSettings(StrictModel):
    """Settings of the stage ``micro_benchmark``."""

    dataset: str
    """Name of the dataset."""
    margin: Margin
    """Largest difference from a published figure that counts as equivalent (DEV-95)."""
    rows: tuple[TableRow, ...]
    """Published rows with the runs that are compared with them."""
