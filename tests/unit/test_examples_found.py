"""Published examples among the best methods of the corpus."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.artifacts.storage import write_table
from ncsbench.judge.judgement_schemas import MATCH_SCHEMA
from ncsbench.judge.match_settings import MatchSettings
from ncsbench.judge_study.examples_found import COLUMNS, write_examples_found
from ncsbench.judge_study.study_pairs import STUDY_PAIR_SCHEMA


def test_examples_among_the_matches_are_counted(tmp_path: Path) -> None:
    # Question 1 has the examples 5 and 6, one of them linked twice; question 2 has 7.
    chosen = [("examples", 1, 1, 5), ("examples", 1, 2, 6), ("examples", 1, 3, 5),
              ("examples", 2, 1, 7), ("pairs_any", 3, 1, 8)]  # fmt: skip
    found = [("dice", 1, 1, 6, 0.9), ("dice", 3, 1, 8, 0.9), ("jaccard", 2, 1, 7, 0.3),
             ("jaccard", 1, 1, 5, 0.4), ("jaccard", 1, 2, 6, 0.3)]  # fmt: skip
    for name, rows, schema in (
        ("pairs", chosen, STUDY_PAIR_SCHEMA),
        ("matches", found, MATCH_SCHEMA),
    ):
        columns = list(zip(*rows, strict=True))
        write_table(tmp_path / name, pa.table(columns, schema=schema), schema)
    limits = [["dice", 0.25], ["jaccard", 0.25], ["containment", 0.25]]
    write_examples_found(
        tmp_path / "found.csv",
        settings=MatchSettings.parse({"dataset": "d", "limits": limits, "count": 1}, where="s"),
        pairs=tmp_path / "pairs",
        matches=tmp_path / "matches",
    )
    rows = read_rows(tmp_path / "found.csv", COLUMNS)
    assert [list(row.values()) for row in rows] == [
        ["d", "dice", "2", "3", "1", "1"],
        ["d", "jaccard", "2", "3", "2", "3"],
        ["d", "containment", "2", "3", "0", "0"],
    ]
