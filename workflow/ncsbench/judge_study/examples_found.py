"""``examples_found.csv``: would a similarity have picked the published examples?

The released questions name three examples each, the methods most similar to the answer in the
published corpus. Whatever part of that corpus is at hand, an example in it must be among the best
three of the part under the similarity that picked it, ties apart.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.compute as pc

from ncsbench.artifacts.csv_tables import write_rows
from ncsbench.artifacts.storage import read_table
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.judge.match_settings import MatchSettings
from ncsbench.judge_study.study_pairs import EXAMPLES, STUDY_PAIR_SCHEMA

COLUMNS = ["dataset", "judge", "questions", "examples", "questions_found", "examples_found"]
"""Columns of the table, in order."""


def write_examples_found(
    path: Path, *, settings: MatchSettings, pairs: Path, matches: Path
) -> None:
    """Count the published examples that are among the best methods of the corpus.

    Args:
        path: file to write: one row per similarity; questions with an example in the corpus, their
            examples, how many of both are among the matches.
        settings: ``dataset`` and ``limits``: the similarities in order, and what a match must
            exceed; the matches may hold others below that.
        pairs: table of ``judge_study.study_pairs.STUDY_PAIR_SCHEMA``.
        matches: table of ``MATCH_SCHEMA`` under all similarities.
    """
    chosen = read_table(pairs, STUDY_PAIR_SCHEMA, ["subject", "query_id", "id"])
    chosen = chosen.filter(pc.equal(chosen["subject"], EXAMPLES))
    examples = np.unique(np.stack([chosen["query_id"].to_numpy(), chosen["id"].to_numpy()]), axis=1)
    known = set(zip(*examples.tolist(), strict=True))
    found = read_table(matches, MATCH_SCHEMA, ["judge", "query_id", "id", "similarity"])
    rows = []
    for similarity, limit in settings.limits:
        above = pc.greater(found["similarity"], limit)
        best = found.filter(pc.and_(pc.equal(found["judge"], similarity), above))
        picked = known & set(zip(best["query_id"].to_pylist(), best["id"].to_pylist(), strict=True))
        figures = {
            "questions": len({row for row, _ in known}),
            "examples": len(known),
            "questions_found": len({row for row, _ in picked}),
            "examples_found": len(picked),
        }
        rows.append(
            {"dataset": settings.dataset or "", "judge": similarity}
            | {name: str(value) for name, value in figures.items()}
        )
    write_rows(path, COLUMNS, rows)
