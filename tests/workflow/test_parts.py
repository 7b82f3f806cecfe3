"""A model with parts in a run: its parts' indexes are made once, and its own refers to them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ncsbench.base.runs.trec_files import read_run
from tests.workflow.conftest import run_snakemake

pytestmark = pytest.mark.workflow
MODEL = "kind: rank_fusion\ntrained_on: x\nparts: {a: bm25, b: ncs_postrank, c: other_words}\n"
RUN = "results/sample/trials/mine/table1.csv"
ASKED = ("--config", "trial=mine", "models=[bm25,fused,its_longest]", "--", RUN)


def test_a_trial_of_a_model_with_parts_makes_what_its_parts_lack(sample_copy: Path) -> None:
    models = sample_copy / "config" / "models"
    (models / "fused.yaml").write_text(MODEL)
    (models / "other_words.yaml").write_text("like: bm25\nwords: {class_name: false}\n")
    (models / "its_longest.yaml").write_text("like: longest_first\nbase: fused\n")
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = dict(re.findall(r"^(index|retrieve|words) +(\d+)$", done.stdout + done.stderr, re.M))
    assert jobs == {"index": "2", "retrieve": "2", "words": "1"}
    said = json.loads((sample_copy / "data/sample/indexes/fused/parts.json").read_text())
    assert {name: part["index"] for name, part in said.items()} == {
        **{"a": "../bm25", "b": "../ncs", "c": "../other_words"}
    }
    assert [name for name, part in said.items() if part["words"]] == ["c"]
    runs = [
        read_run(sample_copy / f"results/sample/runs/{name}.trec.gz") for name in ("fused", "bm25")
    ]
    assert len(runs[0].ids) >= len(runs[1].ids)
    # A change of one part makes it and the whole anew.
    (models / "other_words.yaml").write_text(
        "like: bm25\nwords: {class_name: false}\noptions: {b: 0.5}\n"
    )
    done = run_snakemake(sample_copy, "--dry-run", *ASKED)
    stats = (done.stdout + done.stderr).split("Job stats:")[1].split("total")[0]
    jobs = dict(re.findall(r"^(index|retrieve|words) +(\d+)$", stats, re.M))
    assert jobs == {"index": "2", "retrieve": "2"}
