"""The page on the ranker: why the sum is behind BM25 where documentation is the query."""

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

BOUNDS = {"1": (1, 1), "2 to 20": (2, 20), "21 to 999": (21, 999), "not found": (1000, 1000)}


def read_ranks(root: Path, run: str) -> NDArray[np.int64]:
    """Ranks of the right function among 1,000; 1000 where a ranker does not find it."""
    table = pq.read_table(root / f"results/csn_java/ranks/{run}.parquet").to_pandas()
    ranks: NDArray[np.int64] = table[table.scope == "java"].sort_values("function_id").code_rank
    return np.array(ranks)


def test_the_difference_by_the_rank_of_bm25_is_that_of_the_ranks(root: Path) -> None:
    page = (root / "docs/ranker.md").read_text(encoding="utf-8")
    bm25 = read_ranks(root, "bm25")
    sums = [read_ranks(root, f"fused_parts-seed{seed}") for seed in (2019, 2020, 2021)]
    for name, (low, high) in BOUNDS.items():
        row = re.search(rf"^\| {name} \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", page, re.MULTILINE)
        assert row
        rows = (bm25 >= low) & (bm25 <= high)
        own = np.mean([1 / ranks[rows] for ranks in sums])
        other = np.mean(1 / bm25[rows])
        found = [rows.sum(), other, own, (own - other) * rows.mean()]
        assert [float(cell) for cell in row.groups()] == pytest.approx(found, abs=5.1e-4)
