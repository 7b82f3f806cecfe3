"""Two runs on the same questions are compared question by question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.errors import DataError
from ncsbench.evaluation.measures.per_question import write_per_question
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.measures.run_differences import compare_runs_by_question

JUDGE = Judge("dice", 0.25)
SETTINGS: dict[str, Any] = {"seed": 1, "resamples": 100, "depth": 50}


def write_run(folder: Path, ranks: dict[str, list[int]], first: int = 10) -> Path:
    count = len(next(iter(ranks.values())))
    questions = pa.table(
        {
            "query_id": pa.array(range(count), pa.int32()),
            "stackoverflow_id": [str(first + number) for number in range(count)],
        }
    )
    write_per_question(
        folder / "per_question.parquet",
        questions=questions,
        first_ranks={JUDGE: {name: np.array(found, np.int32) for name, found in ranks.items()}},
        replicate_of={name: "a" for name in ranks if name.startswith("a-seed")},
        published_ranks={},
    )
    return folder


def test_models_of_both_runs_are_compared_and_replicates_left_out(tmp_path: Path) -> None:
    old = write_run(tmp_path / "old", {"a": [1, 0, 2], "a-seed1": [1, 1, 1], "gone": [0, 0, 0]})
    new = write_run(tmp_path / "new", {"a": [1, 1, 0], "b": [2, 2, 2], "new": [1, 1, 1]})
    rows = compare_runs_by_question(old, new, renamed={"b": "gone"}, **SETTINGS)
    told = {(row["model"], row["measure"]): row for row in rows}
    assert {model for model, _ in told} == {"a", "b"}
    row = told["a", "mrr"]
    assert (row["baseline_value"], row["value"], row["difference"]) == (
        "0.500000",
        "0.666667",
        "0.166667",
    )
    assert float(row["difference_low"]) < 0 < float(row["difference_high"])
    assert told["b", "answered_5"]["difference"] == "3"
    assert told["b", "answered_5"]["baseline"] == "gone"


def test_other_questions_and_no_common_model_end_in_a_line(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"a": [1, 2]})
    others = write_run(tmp_path / "others", {"a": [1, 2]}, first=11)
    with pytest.raises(DataError, match="has other questions than"):
        compare_runs_by_question(run, others, renamed={}, **SETTINGS)
    with pytest.raises(DataError, match="has no model and judge in common"):
        compare_runs_by_question(
            run, write_run(tmp_path / "b", {"b": [1, 2]}), renamed={}, **SETTINGS
        )
