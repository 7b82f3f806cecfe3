"""A cleaning experiment in its smallest form, through the workflow."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ncsbench.base.files.csv_tables import read_headed_rows
from tests.workflow.conftest import copy_project, run_snakemake

TINY = """\
sources: {csn: {corpus: cleaning_corpus_sample, maximum_pairs: 40}}
titles: resources/cleaning_sample/titles.txt
phrases: all
model: {state_size: 8, latent_size: 8, epochs: 1}
benchmarks:
  codesearchnet:
    kind: annotations
    corpus: csn_sample
    annotations: resources/csn_sample/annotationStore.csv
    queries: resources/csn_sample/queries.csv
distractors: 5
sets:
  raw: {kind: raw}
  filtered: {kind: filtered, cut: {method: percentile, share: 0.7}}
  controlled: {kind: controlled, size_of: filtered}
models: {deepcs: deepcs_keras}
training: {epochs: 1, embedding: 4, cells: 4, output: 8, vocabulary_size: 50, batch_size: 8,
           minimum_held_out: 4}
seeds: [1]
finished: kept
bootstrap_samples: 100
"""
CELLS = [f"{name}-deepcs-seed1" for name in ("raw", "filtered", "controlled")]
TABLE = "results/cleaning_tiny/table2.csv"


@pytest.fixture(scope="module")
def tiny(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = copy_project(root, tmp_path_factory.mktemp("cleaning") / "project")
    (project / "config/cleaning/cleaning_tiny.yaml").write_text(TINY)
    done = run_snakemake(project, TABLE, "results/cleaning_tiny/table4.csv")
    assert done.returncode == 0, done.stderr
    # As docs/cleaning.md says: what is finished is kept.
    data, results = (project / top / "cleaning_tiny" for top in ("data", "results"))
    shutil.copytree(data / "results", results, dirs_exist_ok=True)
    (results / "sets").mkdir()
    for record in (data / "sets").glob("*.json"):
        shutil.copy(record, results / "sets")
    return project


def plan(project: Path) -> str:
    done = run_snakemake(project, "-n", "--", TABLE)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_sets_cells_and_tables_are_made(tiny: Path) -> None:
    results = tiny / "results/cleaning_tiny"
    for cell in CELLS:
        assert (results / "ranks" / f"{cell}.parquet").is_file()
        about = json.loads((results / "cells" / f"{cell}.json").read_text())
        assert about["benchmarks"]["codesearchnet"]["distractors"] == 5
    pairs = {
        name: json.loads((results / "sets" / f"{name}.json").read_text())["pairs"]
        for name in ("raw", "filtered", "controlled")
    }
    assert 40 == pairs["raw"] > pairs["filtered"] == pairs["controlled"] > 0
    _, rows = read_headed_rows(results / "table2.csv")
    own = [row for row in rows if row["model"] == "deepcs" and row["mrr_10"]]
    assert {row["training_set"] for row in own} == {"raw", "filtered", "controlled"}
    _, rows = read_headed_rows(results / "table4.csv")
    assert any(row["group"].startswith("javadoc_tags") and row["comments"] != "0" for row in rows)


def test_what_is_finished_is_kept_without_what_it_was_made_of(tiny: Path) -> None:
    moved = tiny / "data/cleaning_tiny.moved"
    shutil.move(tiny / "data/cleaning_tiny", moved)
    table = (tiny / TABLE).read_bytes()
    (tiny / TABLE).unlink()
    # Also where there are no titles, which some sets would need.
    file = tiny / "config/cleaning/cleaning_tiny.yaml"
    file.write_text(TINY.replace("cleaning_sample/titles.txt", "none.txt"))
    done = run_snakemake(tiny, TABLE)
    file.write_text(TINY)
    assert done.returncode == 0, done.stderr
    assert "is left out" not in done.stderr  # the losses are kept
    assert (tiny / TABLE).read_bytes() == table
    shutil.rmtree(tiny / "data/cleaning_tiny")
    shutil.move(moved, tiny / "data/cleaning_tiny")
    file.write_text(TINY.replace("share: 0.7", "share: 0.6"))
    planned = plan(tiny)
    file.write_text(TINY)
    assert "cell=filtered-deepcs-seed1" in planned and "cell=controlled-deepcs-seed1" in planned
    assert "cell=raw-deepcs-seed1" not in planned


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("size_of: filtered", "size_of: filterd", "did you mean 'filtered'?"),
        ("deepcs_keras", "nbow", "models.deepcs: nbow: has no block 'field_encoder'"),
        ("corpus: csn_sample", "corpus: csn_simple", "is no run of CodeSearchNet; did you mean"),
    ],
)
def test_what_cannot_be_is_one_line(tiny: Path, before: str, after: str, message: str) -> None:
    file = tiny / "config/cleaning/cleaning_tiny.yaml"
    file.write_text(TINY.replace(before, after))
    done = run_snakemake(tiny, "-n", "--", TABLE)
    file.write_text(TINY)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cell_that_there_is_not_is_one_line(tiny: Path) -> None:
    done = run_snakemake(
        tiny, "-n", "--", "data/cleaning_tiny/results/ranks/filterd-deepcs-seed1.parquet"
    )
    assert done.returncode == 1
    assert "did you mean 'filtered-deepcs-seed1'?" in done.stderr
    assert "MissingRuleException" not in done.stderr
