"""A trial of kind fused on the sample: parts are trained, no result is a copy."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncsbench.base.runs.trec_files import read_run
from ncsbench.corpus.indexes.top_results import split_run
from ncsbench.corpus.layout.documents import load_documents
from tests.workflow.conftest import run_snakemake

pytestmark = pytest.mark.workflow
RUN = "results/sample/runs/mine_fused.trec.gz"
ASKED = ("--config", "trial=mine", "models=[bm25,mine_fused]", "--", RUN)


def test_a_trial_of_fused_trains_its_parts_and_ranks_no_near_copies(sample_copy: Path) -> None:
    models = sample_copy / "config" / "models"
    parts = "{unif: mine_unif, translation: fused_translation_docstrings, translation_memory: null}"
    (models / "mine_fused.yaml").write_text(f"like: fused_parts\nparts: {parts}\n")
    training = "{pairs: [github_android, stackoverflow_android], epochs: 2}"
    (models / "mine_unif.yaml").write_text(f"like: fused_unif\ntraining: {training}\n")
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    rankings = split_run(read_run(sample_copy / "results/sample/runs/mine_fused.trec.gz"))
    assert rankings
    about = json.loads((sample_copy / "data/sample/indexes/mine_fused/own/index.json").read_text())
    words = [load_documents(path).words for path in (sample_copy / "data/sample/words").iterdir()]
    (own,) = [one for one in words if len(one.tokens) == about["words"]["tokens"]][:1]
    for ids, _ in rankings.values():
        bags = [frozenset(own[method].tolist()) for method in ids.tolist()]
        assert len(set(filter(None, bags))) == len(list(filter(None, bags)))
