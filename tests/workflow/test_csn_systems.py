"""Corpora, systems and tables of CodeSearchNet, in their smallest form, through the workflow."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ncsbench.base.files.csv_tables import read_headed_rows, read_rows
from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_LEDGER_SCHEMA, FUNCTION_SCHEMA
from ncsbench.studies.codesearchnet.corpus_tables import COLUMNS
from tests.released_files import make_definition, make_pair, write_released_zip, write_zip
from tests.workflow.conftest import call_ncsbench, copy_project, run_snakemake

SAMPLE = """\
repositories: resources/csn_sample/repositories.csv
source: {kind: directory, path: resources/csn_sample/repositories}
annotations: resources/csn_sample/annotationStore.csv
queries: resources/csn_sample/queries.csv
shards: 1
pool_count: 1
depth: 20
pools: [10]
bootstrap_samples: 100
"""
TINY = (
    SAMPLE
    + """\
languages: [go, ruby]
finished: kept
encoder: {code_length: 12, query_length: 6, batch_size: 8, vocabulary_size: 200,
          maximum_pairs: 16, epochs: 1}
systems:
  elasticsearch_like: {}
  nbow: {published_as: NBoW, seeds: [1, 2]}
choices:
  nbow_mean: {of: nbow, encoder: {pooling: mean}}
"""
)
OTHER = "  elasticsearch_like: {}"
RUNS = ["elasticsearch_like", "nbow-seed1", "nbow-seed2", "nbow_mean"]


@pytest.fixture(scope="module")
def tiny(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = copy_project(root, tmp_path_factory.mktemp("csn") / "project")
    (project / "config/codesearchnet/csn_tiny.yaml").write_text(TINY)
    done = run_snakemake(project, "csn_tiny")
    assert done.returncode == 0, done.stderr
    # As docs/codesearchnet.md says: what is finished is kept.
    results = project / "results/csn_tiny"
    shutil.copytree(project / "data/csn_tiny/results", results, dirs_exist_ok=True)
    return project


def test_every_system_has_predictions_ranks_and_a_record(tiny: Path) -> None:
    results = tiny / "results/csn_tiny"
    for run in RUNS:
        assert (results / "predictions" / f"{run}.csv").is_file()
        assert (results / "ranks" / f"{run}.parquet").is_file()
        assert (results / "challenge" / f"{run}.parquet").is_file()
    record = json.loads((results / "systems" / "nbow-seed2.json").read_text())
    assert record["settings"]["seed"] == 2
    assert record["settings"]["trained_with"]["encoder"]["network"] == "nbow"
    assert set(record["corpora"]) == {"go", "ruby"}
    assert record["training"]["all"]["pairs"]["trained"] == 16


def test_the_tables_have_every_system_and_the_pool_in_the_name_of_the_column(tiny: Path) -> None:
    header, rows = read_headed_rows(tiny / "results/csn_tiny/table3.csv")
    assert "mrr_10" in header
    systems = list(dict.fromkeys(row["model"] for row in rows))
    assert systems == ["elasticsearch_like", "nbow", "random order"]
    assert all(row["mrr_10"] for row in rows)
    _, rows = read_headed_rows(tiny / "results/csn_tiny/table4.csv")
    assert {row["model"] for row in rows} == {*systems[:-1], "ensemble", "random"}
    _, rows = read_headed_rows(tiny / "results/csn_tiny/csn_choices.csv")
    assert {(row["choice"], row["changed"]) for row in rows} == {("nbow_mean", "pooling: mean")}
    assert all(row["difference_10"] for row in rows)
    _, rows = read_headed_rows(tiny / "results/csn_tiny/table1.csv")
    assert {row["language"] for row in rows} == {"Go", "Ruby", "All"}


def plan(project: Path, target: str) -> str:
    done = run_snakemake(project, "-n", "--", target)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_table_4_needs_no_corpus_while_all_rankings_are_kept(tiny: Path, tmp_path: Path) -> None:
    project, table = tmp_path / "project", "results/csn_tiny/table4.csv"
    shutil.copytree(tiny, project, symlinks=True)
    shutil.rmtree(project / "data/csn_tiny")
    (project / table).unlink()
    planned = plan(project, table)
    assert "csn_table4" in planned
    assert not {"csn_pools", "csn_build_corpus"} & set(planned.split())
    (project / "results/csn_tiny/pools.parquet").unlink()
    assert {"csn_pools", "csn_build_corpus"} <= set(plan(project, table).split())


def test_what_is_finished_is_kept_until_it_is_configured_otherwise(tiny: Path) -> None:
    table = "results/csn_tiny/csn_choices.csv"
    file = tiny / "config/codesearchnet/csn_tiny.yaml"
    encoder = tiny / "data/csn_tiny/systems/nbow_mean/encoder/about.json"
    encoder.unlink()  # what a finished part does not leave behind
    assert "csn_train_encoder" not in plan(tiny, table)
    file.write_text(TINY.replace("pooling: mean", "pooling: max"))
    planned = plan(tiny, table)
    assert "csn_train_encoder" in planned and "system=nbow_mean" in planned
    assert "system=nbow-seed1" not in planned
    file.write_text(TINY)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("pooling: mean", "layers: 2", "nbow_mean: encoder has no 'layers'"),
        (OTHER, "  cnm: {}", "model 'cnm' is unknown; did you mean 'cnn'"),
        ("{of: nbow,", "{of: nbov,", "choices.nbow_mean.of: 'nbov' is neither a system"),
        ("of: nbow,", "of: elasticsearch_like,", "has no block 'encoder' to change"),
        ("pools: [10]", "pools: [1]", "pools"),
        (OTHER, "  ncs: {}", "learns from what functions of CodeSearchNet are not"),
    ],
)
def test_what_cannot_be_is_one_line(tiny: Path, before: str, after: str, message: str) -> None:
    file = tiny / "config/codesearchnet/csn_tiny.yaml"
    file.write_text(TINY.replace(before, after))
    done = run_snakemake(tiny, "-n", "results/csn_tiny/table3.csv")
    file.write_text(TINY)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


BORROWED = (
    SAMPLE
    + """\
languages: [java]
systems:
  elasticsearch_like: {}
  posts: {model: unif_stackoverflow_c, trained_in: sample}
  postrank: {model: ncs_postrank, trained_in: sample}
"""
)


def test_what_a_dataset_trained_searches_functions(sample_copy: Path) -> None:
    file = sample_copy / "config/codesearchnet/csn_borrowed.yaml"
    file.write_text(BORROWED)
    tables = [f"results/csn_borrowed/{name}.csv" for name in ("table3", "table4")]
    done = run_snakemake(sample_copy, *tables)
    assert done.returncode == 0, done.stderr
    assert "weights" not in done.stderr.split("Job stats:")[1].split("total")[0]
    _, rows = read_headed_rows(sample_copy / tables[0])
    found = {row["model"]: row["mrr_10"] for row in rows if row["direction"] == "query_to_code"}
    assert all(found.values()) and len(set(found.values())) > 2
    _, rows = read_headed_rows(sample_copy / tables[1])
    assert {"posts", "postrank"} < {row["model"] for row in rows}
    record = json.loads((sample_copy / "data/csn_borrowed/results/systems/posts.json").read_text())
    borrowed = record["settings"]["trained_with"]["borrowed"]
    assert (borrowed["dataset"], borrowed["model"]) == ("sample", "unif_stackoverflow_c")
    assert any(name.endswith("about.json") for name, _ in borrowed["files"])
    for before, after, message in [
        ("model: ncs_postrank", "model: deepcs_keras", "has no row deepcs_keras; it has"),
        ("[java]", "[java, go]", "trained_in sample: searches Java alone"),
        ("in: sample}\n  post", "in: ncsed}\n  post", "config/datasets/ncsed.yaml: source.path"),
    ]:
        file.write_text(BORROWED.replace(before, after))
        done = run_snakemake(sample_copy, "-n", *tables)
        assert done.returncode == 1 and message in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_a_corpus_of_the_sample(sample_run: Path) -> None:
    corpus = sample_run / "data" / "csn_sample" / "corpus" / "go"
    manifest = read_json(corpus / "manifest.json")
    functions = read_table(corpus / "functions.parquet", FUNCTION_SCHEMA)
    assert functions["function_id"].to_pylist() == list(range(manifest["functions"]))
    assert min(manifest["pairs"].values()) > 20
    assert {part["repositories"] for part in manifest["parts"].values()} == {1}
    ledger = read_table(corpus / "ledger.parquet", FUNCTION_LEDGER_SCHEMA)
    assert "path word (test)" in ledger["reason"].to_pylist()


def test_the_settings_of_datasets_do_not_have_its_code(sample_run: Path) -> None:
    settings = sample_run / "data"
    of_csn = {path.stem for path in (settings / "csn_sample/settings/code").glob("csn_*")}
    assert of_csn >= {"csn_inventory", "csn_extract", "csn_build_corpus"}
    assert list((settings / "sample/settings/code").glob("csn_*")) == []
    assert not (settings / "csn").exists()


def test_a_run_without_its_clones_ends_in_one_line(sample_copy: Path) -> None:
    done = run_snakemake(sample_copy, "data/csn/corpus/go/manifest.json")
    assert done.returncode == 1
    assert "ncsbench: error: " in done.stderr
    assert "csn_repositories.csv: go: none of its " in done.stderr
    assert "Traceback" not in done.stderr


def ask(folder: Path, *arguments: str) -> str:
    done = call_ncsbench(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_table_2_of_the_sample_has_no_published_figures(sample_run: Path) -> None:
    rows = read_rows(sample_run / "results/csn_sample/table2.csv", COLUMNS)
    assert {row["language"] for row in rows} > {"Go", "All"}
    assert {row["published"] for row in rows} == {""}


def test_its_tables_are_shown_and_explained(sample_run: Path) -> None:
    table = "results/csn_sample/annotators.csv"
    assert "pairs_judged_several_times" in ask(sample_run, "tables", "show", table)
    told = ask(sample_run, "explain", table, "Python", "pairs")
    assert "rule csn_table2" in told
    assert "data/csn_sample/settings" not in told
    assert "resources/csn_sample/annotationStore.csv" in told


RELEASED = """\
released: zips/{language}.zip
annotations: resources/csn_sample/annotationStore.csv
queries: resources/csn_sample/queries.csv
languages: [go, ruby]
corpus: {duplicates: {kept: all}}
depth: 20
pools: [2]
bootstrap_samples: 100
systems: {elasticsearch_like: {}}
"""


def test_tables_come_out_of_released_zips_and_a_damaged_one_ends_in_a_line(
    root: Path, tmp_path: Path
) -> None:
    project = copy_project(root, tmp_path / "project")
    (project / "config/codesearchnet/csn_zips.yaml").write_text(RELEASED)
    done = run_snakemake(project, "csn_zips")
    assert done.returncode == 1 and "java.zip" not in done.stderr
    assert "csn_zips.yaml: go/zip: there is no zips/go.zip" in done.stderr
    (project / "zips").mkdir()
    for language in ("go", "ruby"):
        write_released_zip(project / f"zips/{language}.zip", language)
    done = run_snakemake(project, "csn_zips")
    assert done.returncode == 0, done.stderr
    corpus = project / "data/csn_zips/corpus/go"
    manifest = read_json(corpus / "manifest.json")
    assert manifest["functions"] == 40 and manifest["pairs"]["test"] >= 4
    _, rows = read_headed_rows(project / "results/csn_zips/table1.csv")
    assert {row["language"] for row in rows} == {"Go", "Ruby", "All"}
    _, rows = read_headed_rows(project / "results/csn_zips/table3.csv")
    assert {row["model"] for row in rows} == {"elasticsearch_like", "random order"}
    assert "rule csn_import" not in plan(project, "csn_zips")
    # A zip with other content makes its own language anew.
    more = [make_definition("go", number) for number in range(44)]
    pairs = [make_pair("go", number, "train") for number in range(0, 44, 2)]
    members = {
        "go_dedupe_definitions_v2.pkl": more,
        "go/final/jsonl/train/go_train_0.jsonl.gz": pairs,
    }
    write_zip(project / "zips/go.zip", members)
    planned = plan(project, "data/csn_zips/corpus/go/manifest.json")
    assert "rule csn_import" in planned
    (project / "zips/go.zip").write_bytes(b"PK of no zip")
    done = run_snakemake(project, "data/csn_zips/corpus/go/manifest.json")
    assert done.returncode == 1 and "zips/go.zip" in done.stderr
