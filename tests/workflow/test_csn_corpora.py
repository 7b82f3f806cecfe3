"""The corpora of CodeSearchNet's form as rules make them, beside the tables of a dataset."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.storage import read_json, read_table
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_LEDGER_SCHEMA, FUNCTION_SCHEMA
from tests.workflow.conftest import run_snakemake


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
