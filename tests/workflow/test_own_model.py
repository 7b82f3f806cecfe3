"""The ranker of docs/add-a-model.md in a run: an edit of its file repeats what depends on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ncsbench.base.runs.trec_files import read_run
from tests.unit.test_pages_for_newcomers import read_block
from tests.workflow.conftest import run_snakemake

pytestmark = pytest.mark.workflow
RUN = "results/sample/runs/name_words.trec.gz"
ASKED = ("--config", "models=[bm25,my models/name_words.yaml]", "--", RUN)


def test_an_edited_file_repeats_its_index_and_ranking_alone(sample_copy: Path, root: Path) -> None:
    own = sample_copy / "my models"
    own.mkdir()
    page = root / "docs/add-a-model.md"
    (own / "name_words.yaml").write_text(read_block(page, "yaml"))
    code = own / "name_words.py"
    code.write_text(read_block(page, "python"))
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    found = len(read_run(sample_copy / RUN).ids)
    code.write_text(code.read_text().replace("self.options.minimum", "2"))
    done = run_snakemake(sample_copy, "--dry-run", *ASKED)
    stats = (done.stdout + done.stderr).split("Job stats:")[1].split("total")[0]
    assert re.findall(r"^(\w+) +(\d+)$", stats, re.M) == [("index", "1"), ("retrieve", "1")]
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert 0 < len(read_run(sample_copy / RUN).ids) < found
    code.write_text(code.read_text().replace("for query in queries", "for query in queries.x"))
    done = run_snakemake(sample_copy, "--quiet", "rules", *ASKED)
    line = code.read_text().split("queries.x")[0].count("\n") + 1
    place = f"my models/name_words.py, line {line}, in search: AttributeError: 'list' object has no"
    said = [line for line in done.stderr.splitlines() if line.startswith("ncsbench: error: ")]
    assert done.returncode == 1 and [line.split(place)[0] for line in said] == ["ncsbench: error: "]
    assert done.stderr.splitlines()[-1] == said[0]
    done = run_snakemake(sample_copy, "--quiet", *ASKED)
    *notices, last = done.stderr.splitlines()
    assert last == said[0]
    assert not [line for line in notices if "Exception" in line or "jobs" in line]
