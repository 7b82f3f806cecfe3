"""``examples_found.csv``: would a measure have picked the published examples?

The released questions name three examples each, the methods most similar to the answer in the
published corpus. Whatever part of that corpus is at hand, an example in it must be among the best
three of the part under the measure that picked it, ties apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ncsbench.judge.study_pairs import EXAMPLES, STUDY_PAIR_SCHEMA
from ncsbench.records import MATCH_SCHEMA
from ncsbench.storage import read_table
from ncsbench.tables.csv_rows import write_rows

COLUMNS = ["dataset", "measure", "questions", "examples", "questions_found", "examples_found"]
"""Columns of the table, in order."""


def write_examples_found(
    path: Path, *, settings: dict[str, Any], pairs: Path, matches: Path
) -> None:
    """Count the published examples that are among the best methods of the corpus.

    Args:
        path: file to write: one row per measure; questions with an example in the corpus, their
            examples, how many of both are among the matches.
        settings: ``dataset`` and ``limits``, the measures in order.
        pairs: table of ``judge.study_pairs.STUDY_PAIR_SCHEMA``.
        matches: table of ``records.MATCH_SCHEMA`` under all measures.
    """
    chosen = read_table(pairs, STUDY_PAIR_SCHEMA, ["subject", "row", "id"])
    chosen = chosen.filter(pc.equal(chosen["subject"], EXAMPLES))
    examples = np.unique(np.stack([chosen["row"].to_numpy(), chosen["id"].to_numpy()]), axis=1)
    known = set(zip(*examples.tolist(), strict=True))
    found = read_table(matches, MATCH_SCHEMA, ["measure", "row", "id"])
    rows = []
    for measure, _ in settings["limits"]:
        best = found.filter(pc.equal(found["measure"], measure))
        picked = known & set(zip(best["row"].to_pylist(), best["id"].to_pylist(), strict=True))
        figures = {
            "questions": len({row for row, _ in known}),
            "examples": len(known),
            "questions_found": len({row for row, _ in picked}),
            "examples_found": len(picked),
        }
        rows.append(
            {"dataset": settings["dataset"], "measure": measure}
            | {name: str(value) for name, value in figures.items()}
        )
    write_rows(path, COLUMNS, rows)
