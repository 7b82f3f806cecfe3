"""The whole workflow on the embedded sample."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ncsbench.apps.shown_tables.shown_table import format_table1
from ncsbench.base.files.storage import read_table
from ncsbench.evaluation.measures.metrics import METRICS
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.provenance.explanation import describe_cell, explain_table
from ncsbench.posts.questions.questions_file import read_questions
from ncsbench.studies.ncs_2018.micro_tables import MICRO_COLUMNS
from ncsbench.studies.ncsed.table1_files import COLUMNS, LONG_COLUMNS
from tests.oracle.test_per_question_oracle import (
    average_by_ir_measures,
    average_by_ranx,
    check_results,
)
from tests.verify.comparing import hash_artifacts, read_patterns
from tests.workflow.conftest import call_ncsbench, copy_project, read_csv, run_snakemake

pytestmark = pytest.mark.workflow
MODELS = [
    "random", "random_long", "longest_first", "bm25", "elasticsearch_like", "ncs", "ncs_postrank",
    "ncs_without_stop_words", "ncs_expanded", "ncs_without_stop_words_postrank", "unif_github_c",
    "unif_stackoverflow_c", "unif_both_c", "ceiling",
]  # fmt: skip


def artifacts(folder: Path) -> dict[str, str]:
    """Hash of every file a run made, except those that hold times."""
    volatile = Path(__file__).parent.parent / "verify" / "volatile.txt"
    return hash_artifacts(folder, read_patterns(volatile))


def test_table_1_has_its_schema_controls_models_and_ceiling(sample_run: Path) -> None:
    table = read_csv(sample_run / "results" / "table1.csv")
    assert list(table[0]) == list(COLUMNS)
    assert [row["model"] for row in table] == MODELS
    assert {row["dataset"] for row in table} == {"sample"}
    assert {row["questions"] for row in table} == {"40"}


def test_the_long_table_stands_beside_table_1_wherever_that_is(sample_run: Path) -> None:
    for folder in ("results", "results/sample"):
        long = read_csv(sample_run / folder / "table1_long.csv")
        assert list(long[0]) == list(LONG_COLUMNS)
        counts = {row["measure"]: row["value"] for row in long if not row["model"]}
        assert counts["questions"] == counts["answers_read"] == "40"
        shown = format_table1(sample_run / folder / "table1.csv")
        assert shown.startswith("Table 1 of sample: ")
        assert max(map(len, shown.splitlines())) <= 100


def test_methods_of_the_sample_are_found_again_by_their_own_words(sample_run: Path) -> None:
    results = sample_run / "results" / "sample"
    table = read_csv(results / "micro_benchmark.csv")
    assert list(table[0]) == list(MICRO_COLUMNS)
    models = ["ncs", "ncs-weighting-sum", "bm25"]
    assert [row["model"] for row in table[::8]] == models and len(table) == 8 * len(models)
    assert {row["queries"] for row in table} == {"300"}
    assert {row["verdict"] for row in table} <= {"equivalent", "different", "inconclusive"}
    shares = {(row["model"], row["share_of"], row["measure"]): float(row["value"]) for row in table}
    assert shares["bm25", "occurrences", "top_9"] >= shares["bm25", "occurrences", "top_1"] > 0.8


def test_ir_measures_and_ranx_find_the_figures_of_what_the_workflow_wrote(
    sample_run: Path,
) -> None:
    judges = {"": "pruned_jaccard_leaf", "strict_": "dice", "charged_": "charged_overlap"}
    tools = [average_by_ir_measures, average_by_ranx]
    runs = check_results(sample_run / "results" / "sample", judges, tools)
    assert runs >= len(MODELS) - 1  # all but the ceiling, and replicates where there are some


def test_the_line_of_the_docs_gives_the_figures_of_table_1(sample_run: Path, root: Path) -> None:
    page = (root / "docs" / "statistics.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n\$ (ir_measures .*?)```", page, re.DOTALL)
    command, *printed = block.splitlines()
    program = Path(sys.executable).with_name("ir_measures")
    done = subprocess.run(
        [str(program), *command.split()[1:]],
        cwd=sample_run, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == printed
    row = {row["model"]: row for row in read_csv(sample_run / "results" / "table1.csv")}["ncs"]
    figures = [float(row["mrr"]), *(int(row[f"answered_{k}"]) / 40 for k in (1, 5, 10))]
    assert [line.split()[1] for line in printed] == [f"{value:.4f}" for value in figures]


def test_the_comparison_of_the_docs_is_that_of_the_sample(sample_run: Path, root: Path) -> None:
    page = (root / "docs" / "statistics.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n\$ (ncsbench compare .*?)\n```", page, re.DOTALL)
    command, _, printed = block.partition("\n")
    done = call_ncsbench(sample_run, *command.split()[1:])
    assert done.stdout.startswith(f"{printed}\n\ndice > 0.25\n")


def test_the_data_card_counts_the_sample(sample_run: Path) -> None:
    results = sample_run / "results/sample"
    page = (results / "data_card.md").read_text()
    assert "| repositories read | 12 |" in page and "| questions | 40 |" in page
    assert "| training pairs stackoverflow_android |" in page
    assert len(read_csv(results / "attribution_repositories.csv")) == 12
    assert str(sample_run) not in page


def test_dvc_shows_table_1(sample_run: Path, root: Path, tmp_path: Path) -> None:
    """Metrics in 100 columns, a line a model; plots with the MRR of Table 1 and its interval."""
    for part in ("results/sample", "config"):
        shutil.copytree(sample_run / part, tmp_path / part)
    for part in ("dvc.yaml", ".dvcignore"):
        shutil.copy2(root / part, tmp_path / part)

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "dvc", *arguments], cwd=tmp_path,
            capture_output=True, text=True, check=True, env={**os.environ, "DVC_NO_ANALYTICS": "1"},
        )  # fmt: skip
        return done.stdout

    call("init", "--no-scm", "--quiet")
    shutil.copytree(root / ".dvc" / "plots", tmp_path / ".dvc" / "plots")
    header, *lines = call("metrics", "show").splitlines()
    assert header.split() == ["Path", "answered_10", "mrr", "strict_mrr"]
    assert {Path(line.split()[0]).stem for line in lines} == set(MODELS)
    assert max(map(len, [header, *lines])) <= 100
    call("plots", "show")
    page = (tmp_path / "dvc_plots" / "index.html").read_text()
    table = {row["model"]: row for row in read_csv(sample_run / "results" / "table1.csv")}
    assert "Table 1, mean reciprocal rank" in page and "mrr_high" in page
    assert all(f'"mrr": "{row["mrr"]}"' in page for row in table.values())


def test_every_figure_of_a_model_follows_from_its_questions(sample_run: Path) -> None:
    table = sample_run / "results" / "table1.csv"
    columns = [f"{prefix}{metric}" for prefix in ("", "strict_") for metric in METRICS]
    questions = sample_run / "results" / "sample" / "per_question.parquet"
    for row in read_csv(table):
        cells = [describe_cell(questions, row, column) for column in columns]
        if row["model"] == "ceiling":
            assert not any(cells)
            continue
        assert [cell and cell[0] for cell in cells] == [row[column] for column in columns]
    explanation = explain_table(table, row="ncs", column="mrr")
    assert explanation.arithmetic
    assert explanation.troubles == ()
    published = explain_table(table.with_name("published_table1.csv"), row=None, column=None)
    assert "config/published/score_sheet.csv" in published.paths


def test_every_post_of_the_sample_is_read_and_some_become_questions_and_pairs(
    sample_run: Path,
) -> None:
    data, results = sample_run / "data/sample", sample_run / "results/sample"
    counts = json.loads((data / "posts/counts.json").read_text())
    assert counts["rows"] == 320 and counts["ledger"] == {}
    funnel = {row["step"]: row for row in read_csv(results / "selected/funnel.csv")}
    assert funnel["a match in the corpus"]["published"] == "518"
    assert read_questions([results / "selected/questions.json"]).num_rows == int(
        funnel["a match in the corpus"]["kept"]
    )
    for name in ("stackoverflow_android", "stackoverflow_java", "github_android"):
        pairs = read_table(data / f"pairs/{name}.parquet", PAIR_SCHEMA)
        assert len(pairs) == int(read_csv(results / f"pairs/{name}_funnel.csv")[-1]["kept"]) > 50


def test_threads_of_the_sample_have_parts_and_leave_pairs_that_they_are_in(
    sample_run: Path,
) -> None:
    data, results = sample_run / "data/sample", sample_run / "results/sample"
    counts = json.loads((data / "threads/counts.json").read_text())
    assert counts["threads"] == int(read_csv(data / "threads/funnel.csv")[-1]["kept"]) > 50
    assert all(part["threads"] for part in counts["parts"].values())
    funnel = read_csv(results / "pairs/threads_android_funnel.csv")
    assert int(funnel[1]["removed"]) > 20 and int(funnel[-1]["kept"]) > 20


def test_one_core_gives_the_same_bytes_as_two(
    sample_copy: Path, root: Path, tmp_path: Path
) -> None:
    """Table 1 of three models and all behind it; ``make verify`` compares the rest too."""
    asked = ("results/table1.csv", "--config", "models=[bm25,ncs,unif_stackoverflow_c]")
    alone = copy_project(root, tmp_path / "on_one_core" / "deeper")
    circumstances = {"PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Pacific/Apia"}
    # On two cores all but the tables of the three is made.
    for folder, cores, environment in ((alone, 1, circumstances), (sample_copy, 2, {})):
        done = run_snakemake(folder, *asked, cores=cores, environment=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    made, other = artifacts(alone), artifacts(sample_copy)
    assert "results/table1.csv" in made
    assert made == {path: other.get(path) for path in made}


ORDERED_ANEW = {"bm25": {"longest_first"}}
"""Models that order the candidates of another."""
DEEP = ("retrieve_deep", "repository_intervals")


@pytest.mark.parametrize(
    ("model", "option", "other", "repeated"),
    [
        ("bm25", "k1: 1.5", "k1: 1.4", {"index", "retrieve", "judge", *DEEP}),
        (
            "unif_both_c", "batch_size: 128", "batch_size: 64",
            {"weights", "index", "retrieve", "judge", *DEEP},
        ),
    ],
)  # fmt: skip
def test_another_option_of_one_model_repeats_only_that_model(
    sample_copy: Path, model: str, option: str, other: str, repeated: set[str]
) -> None:
    path = sample_copy / "config" / "models" / f"{model}.yaml"
    assert option in path.read_text()
    path.write_text(path.read_text().replace(option, other))
    done = run_snakemake(sample_copy, "--dry-run", "results/table1.csv")
    jobs = re.split(r"^(?:local)?rule (?=\w+:$)", done.stdout + done.stderr, flags=re.MULTILINE)[1:]
    rules = [job.partition(":")[0] for job in jobs]
    assert sorted(set(rules)) == sorted({*repeated, "dataset_tables", "provenance", "table1"})
    assert rules.count("index") == 1
    assert rules.count("weights") == ("weights" in repeated)
    # Its variants, such as with a part of the repositories, are searched for and judged too.
    models = {found[1] for job in jobs if (found := re.search(r"wildcards: model=(\w+)", job))}
    assert models - ORDERED_ANEW.get(model, set()) == {model}


def test_nothing_is_left_to_do_and_another_option_reruns_what_depends_on_it(
    sample_copy: Path,
) -> None:
    done = run_snakemake(sample_copy, "--dry-run", "results/table1.csv")
    assert "Nothing to be done" in done.stdout + done.stderr
    done = run_snakemake(sample_copy, "--dry-run", "results/table1.csv", "--config", "depth=20")
    planned = done.stdout + done.stderr
    assert "rule retrieve" in planned
    for rule in ("extract", "embedding", "index", "judge_index", "match"):
        assert f"rule {rule}" not in planned


def test_the_number_that_the_architecture_page_follows_is_the_samples(
    root: Path, sample_run: Path
) -> None:
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    [row] = [row for row in read_csv(sample_run / "results/table1.csv") if row["model"] == "bm25"]
    mrr, low, high = (f"{float(row[name]):.3f}"[1:] for name in ("mrr", "mrr_low", "mrr_high"))
    assert f"MRR {mrr}, with an interval from {low} to {high}" in page
    judged = pq.read_table(sample_run / "data/sample/judgements/bm25.parquet").to_pylist()
    [score] = [
        one["pruned_jaccard_leaf"] for one in judged if (one["query_id"], one["id"]) == (3, 579)
    ]
    assert f"resembles the answer's by {score:.3f}".replace("0.", ".") in page
    with gzip.open(sample_run / "results/sample/runs/bm25.trec.gz", "rt") as file:
        [line] = [line for line in file if line.startswith("3 Q0 579 ")]
    assert line.split()[3] == "5" and f"`{line[:19]}... {line.split()[5]}`" in page
