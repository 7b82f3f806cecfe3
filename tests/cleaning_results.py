"""Made-up ranks of a cleaning experiment, and tables of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ncsbench.base.files.csv_tables import Row
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.pairs.cleaned_pairs.benchmark_files import RANK_SCHEMA
from ncsbench.studies.icse_2022.cell_results import ResultFiles
from ncsbench.studies.icse_2022.main_tables import COLUMNS, build_table
from ncsbench.studies.icse_2022.table_settings import TableSettings

PRINTED = {
    ("Table 2", "CSN-v", "queries"): "4",
    ("Table 2", "DeepCS, CSN-v, all", "pairs"): "100",
    ("Table 2", "DeepCS, CSN-v, all", "mrr"): "0.500",
    ("Table 2", "DeepCS, CSN-v, controlled", "pairs"): "50",
    ("Table 2", "DeepCS, CSN-v, controlled", "mrr"): "0.300",
    ("Table 2", "DeepCS, CSN-v, filtered", "pairs"): "50",
    ("Table 2", "DeepCS, CSN-v, filtered", "hours"): "4",
    ("Table 2", "DeepCS, CSN-v, filtered", "answered_10"): "3",
    ("Table 2", "DeepCS, CSN-v, filtered", "mrr"): "0.600",
}
PRIMARY = {
    "model": "deepcs",
    "benchmark": "codesearchnet",
    "better": "filtered",
    "than": "controlled",
}


def write_cell(
    folder: Path,
    training_set: str,
    ranks: Sequence[int],
    *,
    model: str = "deepcs",
    seed: int = 1,
    pairs: int = 50,
    benchmark: str = "codesearchnet",
    groups: str = "abcd",
    positives: int = 1,
    seconds: float = 3600.0,
    **about: Any,
) -> None:
    name = f"{training_set}-{model}-seed{seed}"
    rows = [
        {
            **{"benchmark": benchmark, "query": query, "group": groups[query]},
            **{"positives": positives, "candidates": positives + 999, "first_rank": rank},
        }
        for query, rank in enumerate(ranks)
    ]
    path = folder / "ranks" / f"{name}.parquet"
    write_table(path, pa.Table.from_pylist(rows, RANK_SCHEMA), RANK_SCHEMA)
    record = {"set": training_set, "model": model, "seed": seed, "pairs": pairs}
    record |= {"processor_seconds": seconds, "kept_epoch": 1}
    write_json(folder / "cells" / f"{name}.json", record | about)


def settings(**changes: Any) -> TableSettings:
    values = {
        "table": "table2",
        "models": ["deepcs"],
        "benchmarks": ["codesearchnet"],
        "sets": {"raw": ["raw"], "filtered": ["filtered"], "controlled": ["controlled"]},
        "seeds": [1],
        "bootstrap_samples": 500,
    }
    return TableSettings.parse(values | changes, where="settings")


def build(folder: Path, printed: Any = PRINTED, **changes: Any) -> dict[str, Row]:
    rows = build_table(settings(**changes), find_files(folder), printed)
    assert all(tuple(row) == COLUMNS for row in rows)
    assert not any("nan" in cell.lower() for row in rows for cell in row.values() if len(cell) < 9)
    return {row["training_set"] or row["model"]: row for row in rows}


def find_files(folder: Path) -> ResultFiles:
    """Ranks and records in a folder, as the command gets them."""
    return {(path.parent.name, path.stem): path for path in sorted(folder.glob("*/*"))}
