"""The tables of the duplicates of a corpus: their columns, and which methods are duplicates."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.artifacts.corpus_stamps import of_corpus
from ncsbench.artifacts.storage import iterate_tables
from ncsbench.corpus.corpus_settings import DuplicateRule

RULES: tuple[DuplicateRule, ...] = get_args(DuplicateRule)
"""By which methods are compared, in the order of the tables."""

FIRST_SCHEMA = of_corpus(
    pa.schema([pa.field(name, pa.int64(), nullable=False) for name in ("id", *RULES)])
)
"""For every method the id of the first of its duplicates, itself among them, by each rule."""

SIZE_BOUNDS = (2, 3, 6, 21, 101)
"""The least number of members of each class of clusters."""
SIZES = tuple(
    f"size_{low}" if high == low + 1 else f"size_{low}_{high - 1}" if high else f"size_{low}_up"
    for low, high in zip(SIZE_BOUNDS, (*SIZE_BOUNDS[1:], 0), strict=True)
)

DUPLICATE_COLUMNS = (
    *("dataset", "kind", "name", "repositories", "total", "clusters", "across", "copies", "share"),
    *("methods", "methods_share", "largest", *SIZES),
)
"""Columns of ``duplicates.csv`` (docs/duplicates.md)."""


def read_copies(firsts: Path) -> dict[DuplicateRule, NDArray[np.bool_]]:
    """Which methods are duplicates of an earlier one by each rule, bool, shape (methods,)."""
    tables = iterate_tables(firsts, FIRST_SCHEMA)
    table = pa.concat_tables([FIRST_SCHEMA.empty_table(), *tables])
    ids = table["id"].to_numpy()
    return {rule: table[rule].to_numpy() != ids for rule in RULES}
