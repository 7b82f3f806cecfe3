"""The tables of a tiny dataset, from runs and judgements on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.trec_files import write_run
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.corpus.layout.corpus_record import CorpusRecord
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS, JUDGEMENT_SCHEMA, UNREAD
from ncsbench.evaluation.measures.per_question import PER_QUESTION_SCHEMA
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.published.ablations import ABLATION_COLUMNS
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.studies.ncsed.dataset_tables import write_judged_tables
from ncsbench.studies.ncsed.judged_results import read_judged_results
from ncsbench.studies.ncsed.table1_files import COLUMNS, read_table1
from ncsbench.studies.ncsed.table_settings import TableSettings
from tests.one_line import ends_in_one_line
from tests.ranked_runs import make_run
from tests.unit.evaluation.test_sensitivity import question

PUBLISHED = Path(__file__).parents[3] / "config" / "published"
SHEET = "No.,StackOverflow ID,NCS FRank\n" + "".join(
    f"{n},{n},{1 if n <= 6 else 'NF'}\n" for n in range(1, 21)
)
QUESTIONS = 20
CORPUS = CorpusRecord(
    corpus_hash="ab" * 32, methods=20, repositories={"taken": 3}, files={}, duplicates="kept",
    left_out={"duplicates": 7},
)  # fmt: skip
HALF = {"reason": "fewer_pairs", "model": "ncs", "whole": ["ncs"], "half": ["ncs-half"]}


def settings(**changes: Any) -> dict[str, Any]:
    models = [
        {"name": "bm25", "trained_on": "none", "published_as": "", "replicates": []}
        | {"weights": None},
        {"name": "ncs", "trained_on": "x", "published_as": "NCS", "replicates": ["ncs-seed1"]}
        | {"weights": "a"},
    ]
    return {
        "dataset": "tiny", "models": models, "comparisons": [["ncs", "bm25"]], "baseline": "bm25",
        "ablations": [{**HALF, "reason": "other_dimension"}],
        "other_judges": ["containment"], "judge": "dice", "threshold": 0.25,
        "strict_judge": "jaccard", "strict_threshold": 0.25, "depth": 50, "seed": 1,
        "bootstrap_samples": 200, **changes,
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Every run retrieves one method per question; what it scores under Dice is its rank."""
    asked = pa.Table.from_pylist([question(n + 1) for n in range(QUESTIONS)], QUESTION_SCHEMA)
    write_table(tmp_path / "questions.parquet", asked, QUESTION_SCHEMA)
    rows = np.arange(1, QUESTIONS + 1, dtype=np.int32)
    answered = {"bm25": 3, "ncs": 20, "ncs-seed1": 18, "ncs-half": 20}
    for name, count in answered.items():
        run = make_run(
            query_ids=rows, ids=np.arange(QUESTIONS), scores=np.ones(QUESTIONS), depth=50
        )
        write_run(tmp_path / "runs" / f"{name}.trec.gz", run, tag=name)
        judged = {similarity: np.zeros(QUESTIONS) for similarity in SIMILARITIES}
        judged["dice"] = np.where(rows <= count, 1.0, 0.0)
        table = pa.table({"query_id": rows, "id": np.arange(QUESTIONS), **judged})
        write_table(tmp_path / f"{name}.parquet", table, JUDGEMENT_SCHEMA)
    (tmp_path / "sheet.csv").write_text(SHEET)
    write_answers(tmp_path, unread=1)
    (tmp_path / "trainings" / "a").mkdir(parents=True)
    (tmp_path / "trainings" / "a" / "about.json").write_text('{"pairs": {"trained": 1234}}')
    return tmp_path


def write_answers(folder: Path, *, unread: int = 0) -> None:
    """Readings of the answers, the first of them none."""
    rows = [
        {"query_id": str(n + 1), "stackoverflow_id": "1", "features": "0"}
        | {"wrapping": UNREAD if n < unread else "unit"}
        for n in range(QUESTIONS)
    ]
    write_rows(folder / "answers.csv", ANSWER_COLUMNS, rows)


def write(folder: Path, **changes: Any) -> None:
    write_tables(folder, settings(**changes), np.full(QUESTIONS, 4, np.int32))


def write_tables(folder: Path, used: dict[str, Any], lines: NDArray[np.int32]) -> None:
    options = TableSettings.parse(used, where="settings")
    questions = folder / "questions.parquet"
    judged = read_judged_results(
        options, questions=questions, lines=lines, judgements=folder, results=folder,
        trainings=folder / "trainings",
    )  # fmt: skip
    write_judged_tables(
        judged, settings=options, questions=questions, answers=folder / "answers.csv",
        corpus=CORPUS, matches=None, published=PUBLISHED, score_sheet=folder / "sheet.csv",
        repository_intervals=None, output=folder,
    )  # fmt: skip


def test_runs_and_judgements_become_tables_dev_80(folder: Path) -> None:
    write(folder)
    rows = {row["model"]: row for row in read_rows(folder / "table1.csv", COLUMNS)}
    assert (rows["ncs"]["training_pairs"], rows["bm25"]["training_pairs"]) == ("1234", "")
    assert "| x (1,234 pairs) |" in (folder / "table1.md").read_text()
    ncs = rows["ncs"]
    assert (ncs["answered_1"], ncs["published_answered_1"], ncs["median_lines"]) == ("20", "6", "4")
    # The mean of two seeds is 19, 13 more than published; by containment no method is right.
    assert ncs["verdict_answered_1"] == "different: measure_containment (146 %)"
    assert ncs["verdict_alone_answered_1"] == "different"
    whole, size = read_table1(folder / "table1.csv")
    assert (whole[1]["seeds"], whole[1]["answered_1_mean"]) == ("2", "19")
    assert {row["printed_answered_1"] for row in whole if row["model"] == "UNIF_android"} == {"25"}
    assert (size.methods, size.repositories, size.answers_read, size.left_out) == (20, 3, 19, 7)
    assert "Only 19 of 20 answers can be read" in (folder / "table1.md").read_text()
    found = sorted(path.name for path in (folder / "metrics").iterdir())
    assert found == ["bm25.json", "ncs.json"]
    effects = read_rows(folder / "ablations.csv", ABLATION_COLUMNS)
    assert [(row["reason"], row["runs"], row["explains"]) for row in effects[::4]] == [
        ("other_dimension", "ncs-half", "no"), ("measure_containment", "ncs ncs-seed1", "yes"),
    ]  # fmt: skip
    header = (folder / "score_sheet.csv").read_text().splitlines()[0]
    assert header == "No.,StackOverflow ID,bm25 FRank,ncs FRank"
    assert len((folder / "qrels.txt").read_text().splitlines()) == 20
    assert "different: measure_containment (146 %)" in (folder / "table1.md").read_text()
    assert "measure\\_\\allowbreak{}containment" in (folder / "table1.tex").read_text()


def test_questions_that_are_in_no_sheet_have_no_published_figures(folder: Path) -> None:
    (folder / "sheet.csv").write_text("No.,StackOverflow ID,NCS FRank\n1,none,NF\n")
    write(folder)
    rows = read_rows(folder / "table1.csv", COLUMNS)
    assert [row["model"] for row in rows] == ["bm25", "ncs"]
    assert {row["published_as"] + row["verdict_mrr"] for row in rows} == {""}
    effects = read_rows(folder / "ablations.csv", ABLATION_COLUMNS)
    assert {row["explains"] for row in effects} == {"no"}
    text = (folder / "table1.md").read_text()
    assert "ublished" not in text and "of 3 repositories, 20 questions" in text


def test_the_number_of_the_paper_stands_where_all_questions_are_of_its_sheet(folder: Path) -> None:
    write(folder)
    assert "of 3 repositories (of 24,549 in the paper), 20" in (folder / "table1.md").read_text()
    sheet = (folder / "sheet.csv").read_text().splitlines(keepends=True)
    (folder / "sheet.csv").write_text("".join(sheet[:-1]))
    write(folder)
    assert "of 3 repositories, 20 questions" in (folder / "table1.md").read_text()


def test_a_model_may_stand_for_a_system_without_a_column_in_the_sheet(folder: Path) -> None:
    models = json.loads(json.dumps(settings()["models"]))
    models[1]["published_as"] = "SCS (GitHub-Android-Train)"
    write(folder, models=models)
    ncs = read_rows(folder / "table1.csv", COLUMNS)[1]
    assert (ncs["published_as"], ncs["published_mrr"]) == ("SCS (GitHub-Android-Train)", "")
    assert not ncs["verdict_mrr"]
    assert read_table1(folder / "table1.csv")[0][1]["printed_mrr"]
    table = read_table(folder / "per_question.parquet", PER_QUESTION_SCHEMA)
    assert table["published_rank"].null_count == len(table)


def test_an_unknown_system_is_named_before_anything_is_written(folder: Path) -> None:
    models = json.loads(json.dumps(settings()["models"]))
    models[1]["published_as"] = "SCS"
    with pytest.raises(ConfigurationError, match="there is no published system 'SCS'"):
        write(folder, models=models)
    assert not (folder / "table1.csv").exists() and not (folder / "score_sheet.csv").exists()


def test_first_ranks_of_any_run_under_any_measure(folder: Path) -> None:
    judged = read_judged_results(
        TableSettings.parse(settings(), where="settings"),
        questions=folder / "questions.parquet", lines=np.full(QUESTIONS, 4, np.int32),
        judgements=folder, results=folder,
    )  # fmt: skip
    assert list(judged.first_ranks(judged.judges["lenient"])) == ["bm25", "ncs"]
    assert sorted(judged.rankings) == ["bm25", "ncs", "ncs-half", "ncs-seed1"]
    seed = judged.first_ranks(Judge("dice", 0.25), ["ncs-seed1"])["ncs-seed1"]
    assert seed.tolist() == [1] * 18 + [0] * 2
    assert not judged.first_ranks(Judge("containment", 0.25))["ncs"].any()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ablations": [{**HALF, "reason": "luck"}]}, "ablations.0.reason: 'luck' is not one of"),
        ({"ablations": [{**HALF, "model": "unif"}]}, "there is no model 'unif'; choose from bm25"),
        ({"ablations": [HALF, HALF]}, "model ncs: has two ablations for fewer_pairs; keep one"),
        ({"other_judges": ["dice"]}, "other_judges: dice is the judge itself; remove it"),
        ({"other_judges": ["jaccard"] * 2}, "'jaccard' is there twice; keep one"),
    ],
)
def test_mistakes_end_in_one_line(folder: Path, changes: dict[str, Any], message: str) -> None:
    with ends_in_one_line(ConfigurationError, message):
        write(folder, **changes)


def test_a_replicate_is_another_run(folder: Path) -> None:
    models = json.loads(json.dumps(settings()["models"]))
    models[1]["replicates"] = ["ncs"]
    with pytest.raises(ConfigurationError, match="its replicates must be distinct runs, not ncs"):
        write(folder, models=models)


def test_qrels_serve_every_run_that_the_tables_read(folder: Path) -> None:
    rows, ids = np.arange(1, QUESTIONS + 1, dtype=np.int32), np.arange(QUESTIONS)[::-1]
    run = make_run(query_ids=rows, ids=ids, scores=np.ones(QUESTIONS), depth=50)
    write_run(folder / "runs" / "ncs-seed1.trec.gz", run, tag="x")
    judged = {similarity: np.ones(QUESTIONS) for similarity in SIMILARITIES}
    table = pa.table({"query_id": rows, "id": ids, **judged})
    write_table(folder / "ncs-seed1.parquet", table, JUDGEMENT_SCHEMA)
    write(folder)
    pairs = {tuple(line.split()[::2]) for line in (folder / "qrels.txt").read_text().splitlines()}
    assert {(str(row), str(id_)) for row, id_ in zip(rows, ids, strict=True)} <= pairs
