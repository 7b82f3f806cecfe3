"""The whole workflow on the embedded sample."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from ncsbench.evaluation.questions import read_questions
from ncsbench.records import MEASURES, PAIR_SCHEMA
from ncsbench.storage import read_table
from ncsbench.tables.table1 import COLUMNS
from tests.verify.comparing import hash_artifacts, read_patterns
from tests.workflow.conftest import copy_project, run_snakemake

pytestmark = pytest.mark.workflow
MODELS = [
    "random", "random_long", "longest_first", "bm25", "elasticsearch_like", "ncs", "ncs_postrank",
    "ncs_without_stop_words", "ncs_expanded", "unif_github", "unif_stackoverflow",
    "unif_both_softmax", "ceiling",
]  # fmt: skip


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def artifacts(folder: Path) -> dict[str, str]:
    """Hash of every file a run made, except those that hold times."""
    volatile = Path(__file__).parent.parent / "verify" / "volatile.txt"
    return hash_artifacts(folder, read_patterns(volatile))


def test_table_1_has_its_schema_controls_models_and_ceiling(sample_run: Path) -> None:
    table = rows(sample_run / "results" / "table1.csv")
    assert list(table[0]) == list(COLUMNS)
    assert [row["model"] for row in table] == MODELS
    assert {row["dataset"] for row in table} == {"sample"}
    assert {row["questions"] for row in table} == {"40"}


def test_the_sample_separates_chance_from_models(sample_run: Path) -> None:
    """Random answers under 10 % under both measures, the best model 40 to 85 % strictly."""
    table = {row["model"]: row for row in rows(sample_run / "results" / "table1.csv")}
    for column in ("answered_10", "strict_answered_10"):
        assert int(table["random"][column]) < 4
    best = max(int(row["strict_answered_10"]) for name, row in table.items() if name != "ceiling")
    assert 16 <= best <= 34
    assert int(table["ceiling"]["strict_answered_10"]) == 40


def test_the_published_table_differs_from_its_sheet_in_two_cells(sample_run: Path) -> None:
    table = rows(sample_run / "results" / "published_table1.csv")
    unequal = [(row["model"], row["metric"]) for row in table if row["equal"] == "no"]
    assert len(table) == 16
    assert unequal == [("UNIF_android", "answered_5"), ("UNIF_stackoverflow", "mrr")]


def test_every_answer_of_the_sample_parses(sample_run: Path) -> None:
    answers = rows(sample_run / "results" / "sample" / "answers.csv")
    assert len(answers) == 40
    assert {row["wrapping"] for row in answers} <= {"statements", "members", "unit"}


def test_every_question_of_the_sample_has_examples(sample_run: Path) -> None:
    examples = rows(sample_run / "results" / "sample" / "examples.csv")
    best = [row for row in examples if row["measure"] == "dice" and row["rank"] == "1"]
    assert len(best) == 40
    assert all(float(row["similarity"]) > 0.25 for row in examples)


def test_every_post_of_the_sample_is_read_and_some_become_questions_and_pairs(
    sample_run: Path,
) -> None:
    data, results = sample_run / "data/sample", sample_run / "results/sample"
    counts = json.loads((data / "posts/counts.json").read_text())
    assert counts["rows"] == 320 and counts["ledger"] == {}
    funnel = {row["step"]: row for row in rows(results / "selected/funnel.csv")}
    assert funnel["a match in the corpus"]["published"] == "518"
    assert read_questions([results / "selected/questions.json"]).num_rows == int(
        funnel["a match in the corpus"]["kept"]
    )
    for name in ("stackoverflow_android", "stackoverflow_java", "github_android"):
        pairs = read_table(data / f"pairs/{name}.parquet", PAIR_SCHEMA)
        assert len(pairs) == int(rows(results / f"pairs/{name}_funnel.csv")[-1]["kept"]) > 50


def test_the_study_judges_every_ranking_under_every_measure(sample_run: Path) -> None:
    sensitivity = rows(sample_run / "results" / "sample" / "table1_sensitivity.csv")
    # Our own measure stands under its own threshold too.
    assert [row["model"] for row in sensitivity] == MODELS * (len(MEASURES) + 1)
    assert list(dict.fromkeys(row["measure"] for row in sensitivity)) == list(MEASURES)
    table = {row["model"]: row for row in rows(sample_run / "results" / "table1.csv")}
    for row in sensitivity:
        if row["measure"] == "pruned_jaccard_leaf":
            assert row["answered_10"] == table[row["model"]]["answered_10"]


def test_one_core_gives_the_same_bytes_as_two(sample_run: Path, root: Path, tmp_path: Path) -> None:
    """Table 1 and all behind it; ``make verify`` compares the rest too."""
    folder = copy_project(root, tmp_path / "elsewhere")
    done = run_snakemake(
        folder,
        "results/table1.csv",
        cores=1,
        environment={"PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Pacific/Apia"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made, whole = artifacts(folder), artifacts(sample_run)
    assert "results/table1.csv" in made
    assert made == {name: whole[name] for name in made}


def test_nothing_is_left_to_do_and_another_option_reruns_what_depends_on_it(
    sample_run: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(sample_run, tmp_path / "project", symlinks=True)
    done = run_snakemake(folder, "--dry-run", "results/table1.csv")
    assert "Nothing to be done" in done.stdout + done.stderr
    done = run_snakemake(folder, "--dry-run", "results/table1.csv", "--config", "depth=20")
    planned = done.stdout + done.stderr
    assert "rule retrieve" in planned
    for rule in ("extract", "embedding", "index", "judge_index", "match"):
        assert f"rule {rule}" not in planned
