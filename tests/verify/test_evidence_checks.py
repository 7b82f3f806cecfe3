"""Which tables are of evidence, how old it is, and provenance of code that is in no commit."""

import json
from pathlib import Path

from ncsbench.pipeline.evidence.evidence_files import list_evidence
from tests.verify.evidence_checks import describe_age, find_changed, list_evidence_tables
from tests.verify.verify import ROOT, list_files


def test_committed_tables_of_evidence_are_found_and_older_evidence_is_no_error() -> None:
    found = list_evidence(ROOT / "results")
    tables = list_evidence_tables(ROOT, list_files(untracked=True), found)
    assert {"results/ncsed_383/table1.csv", "results/ncsed_383/table1.md"} <= set(tables)
    assert "results/ncsed_383/parts/kept_back/table1.csv" in tables
    assert "results/ncsed_383/usage.csv" not in tables
    assert any(
        line.startswith("ncsed_383: 26 runs are of commit ") for line in describe_age(ROOT, found)
    )


def test_committed_results_ran_on_the_code_of_a_commit(tmp_path: Path) -> None:
    assert find_changed(ROOT, list_files(untracked=False)) == {}
    jobs = [{"rule": "a", "code": {"version": "1"}}, {"rule": "b", "code": {"changed": ["x.py"]}}]
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").write_text(json.dumps({"jobs": jobs}))
    assert find_changed(tmp_path, ["results/provenance.json"]) == {"results/provenance.json": ["b"]}
