"""Options and settings of the micro-benchmark of the NCS paper (section 3.1)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import StrictModel
from ncsbench.evaluation.published.verdict_options import Margin

DEPTH = 9
"""The last rank that the paper looks at."""
Choice = Literal["random", "tf_idf"]


class ChangedModel(StrictModel):
    """A model with some of its options changed."""

    model: str = "ncs"
    """A file in config/models/ that builds on no other model."""
    embedding: dict[str, Any] = Field(default_factory=dict)
    """Keys of its block `embedding` that are others here."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Keys of its block `options` that are others here."""


class MicroRow(ChangedModel):
    """A model beside a row of the paper's Tables 2 to 5."""

    table: str
    """The published table, as config/published/ncs_2018.csv calls it."""
    row: str
    """Its row."""
    query_words: Choice = "tf_idf"
    """How the words of the queries are chosen."""


def list_paper_rows() -> tuple[MicroRow, ...]:
    """Rows of Tables 2 to 5 of the NCS paper (section 3.2) that a model here stands beside."""
    published: dict[str, dict[str, dict[str, Any]]] = {
        "choice of query words": {"random": {"query_words": "random"}, "by TF-IDF": {}},
        "embedding dimension": {
            "100": {"model": "ncs_100", "embedding": {"dimension": 100}},
            "250": {"embedding": {"dimension": 250}},
            "500": {},
            # Fewer n-gram vectors: training keeps to 6 GB as at 500 dimensions (DEV-94).
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
    """Methods that are drawn, to be found among all; a smaller corpus is refused."""
    margin: Margin = 0.03
    """A figure this far from the published one would still do (DEV-95)."""
    rows: tuple[MicroRow, ...] = Field(default_factory=list_paper_rows)
    """What stands beside the published rows, for the target `micro_benchmark`; all rows of Tables 2
    to 5 where it is not given."""


class QuerySettings(StrictModel):
    """Settings of the stage ``micro_queries``."""

    queries: int
    """Methods that are drawn."""
    seed: int
    """Decides which, and which of their words."""


class TableRow(StrictModel):
    """A row of ``micro_benchmark.csv``."""

    table: str
    """The published table."""
    row: str
    """Its row."""
    query_words: Choice
    """How the words of the queries are chosen."""
    model: str
    """Name of the run beside it."""


class MicroTableSettings(StrictModel):
    """Settings of the stage ``micro_benchmark``."""

    dataset: str
    """Name of the dataset."""
    margin: Margin
    """A figure this far from the published one would still do."""
    rows: tuple[TableRow, ...]
    """What stands beside the published rows."""
