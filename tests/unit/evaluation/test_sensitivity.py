"""Table 1 under every similarity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.judgement_schemas import JUDGEMENT_SCHEMA, MATCH_SCHEMA
from ncsbench.evaluation.measures.result_checks import (
    SENSITIVITY_COLUMNS,
    list_judges,
    write_sensitivity,
)
from ncsbench.evaluation.statistics.evaluation_options import StudySettings
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.ranked_runs import make_run

SETTINGS = StudySettings.parse({
    "dataset": "tiny", "models": ["ncs"], "depth": 50, "judge": "dice", "threshold": 0.25,
    "own_judge": "charged_overlap", "own_threshold": 0.28,
}, where="settings")  # fmt: skip


def question(row: int) -> dict[str, object]:
    texts = {
        field.name: "" for field in QUESTION_SCHEMA if field.type == pa.string()
    }  # fmt: skip
    return {
        **texts, "query_id": row, "occurrence": 1, "examples": [], "examples_url": [],
        "stackoverflow_id": str(row),
    }  # fmt: skip


def test_every_measure_has_its_figures_and_a_ceiling(tmp_path: Path) -> None:
    questions = pa.Table.from_pylist([question(1), question(2)], QUESTION_SCHEMA)
    write_table(tmp_path / "questions.parquet", questions, QUESTION_SCHEMA)
    run = make_run(
        query_ids=np.array([1, 1, 2], np.int32), ids=np.array([4, 6, 4]),
        scores=np.array([2.0, 1.0, 1.0]), depth=50,
    )  # fmt: skip
    write_run(tmp_path / "runs" / "ncs.trec.gz", run, tag="ncs")
    judged = {"query_id": [1, 1, 2], "id": [4, 6, 4], **{m: [0.0, 0.0, 0.0] for m in SIMILARITIES}}
    judged |= {"dice": [0.25, 0.3, 0.2], "charged_overlap": [0.27, 0.5, 0.0]}
    write_table(tmp_path / "ncs.parquet", pa.table(judged), JUDGEMENT_SCHEMA)
    matches = pa.table(
        [["dice", "dice", "charged_overlap"], [1, 2, 1], [1, 1, 1], [6, 9, 6], [0.3, 0.4, 0.28]],
        schema=MATCH_SCHEMA,
    )
    write_table(tmp_path / "matches.parquet", matches, MATCH_SCHEMA)
    write_sensitivity(
        settings=SETTINGS,
        questions=tmp_path / "questions.parquet",
        judgements=tmp_path,
        results=tmp_path,
        matches=tmp_path / "matches.parquet",
        output=tmp_path / "out.csv",
    )
    rows = read_rows(tmp_path / "out.csv", SENSITIVITY_COLUMNS)
    assert len(rows) == 2 * (len(SIMILARITIES) + 1)
    found = {
        (r["judge"], r["threshold"], r["model"]): (r["answered_1"], r["answered_5"], r["mrr"])
        for r in rows
    }
    assert found["dice", "0.25", "ncs"] == ("0", "1", "0.250000")
    assert found["dice", "0.25", "ceiling"] == ("2", "2", "1.000000")
    assert found["charged_overlap", "0.25", "ncs"] == ("1", "1", "0.500000")
    assert found["charged_overlap", "0.28", "ncs"] == ("0", "1", "0.250000")
    assert found["charged_overlap", "0.25", "ceiling"] == ("1", "1", "0.500000")
    assert found["charged_overlap", "0.28", "ceiling"] == ("0", "0", "0.000000")
    assert found["jaccard", "0.25", "ncs"] == ("0", "0", "0.000000")


def test_the_own_threshold_is_listed_once() -> None:
    assert len(list_judges(SETTINGS)) == len(SIMILARITIES) + 1
    assert len(list_judges(SETTINGS.changed(own_threshold=0.25))) == len(SIMILARITIES)
