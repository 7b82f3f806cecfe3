"""A trial of the ranker fused on the sample: parts are trained, and no result is a copy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ncsbench.corpus.documents import load_documents
from ncsbench.indexes.top_results import split_run
from ncsbench.runs.trec_files import read_run
from tests.workflow.conftest import run_snakemake

pytestmark = pytest.mark.workflow
RUN = "results/sample/runs/mine_fused.trec"
ASKED = ("--config", "trial=mine", "models=[bm25,mine_fused]", "--", RUN)


def test_a_trial_of_fused_trains_its_parts_and_ranks_no_near_copies(
    sample_run: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(sample_run, tmp_path / "project", symlinks=True)
    models = folder / "config" / "models"
    (models / "mine_fused.yaml").write_text("like: fused_parts\nparts: {unif: mine_unif}\n")
    training = "{pairs: [github_android, stackoverflow_android], epochs: 2}"
    (models / "mine_unif.yaml").write_text(f"like: fused_unif\ntraining: {training}\n")
    done = run_snakemake(folder, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    rankings = split_run(read_run(folder / "results/sample/runs/mine_fused.trec"))
    assert rankings
    about = json.loads((folder / "data/sample/indexes/mine_fused/own/index.json").read_text())
    words = [load_documents(path).words for path in (folder / "data/sample/words").iterdir()]
    (own,) = [one for one in words if len(one.tokens) == about["words"]["tokens"]][:1]
    for ids, _ in rankings.values():
        bags = [frozenset(own[method].tolist()) for method in ids.tolist()]
        assert len(set(filter(None, bags))) == len(list(filter(None, bags)))
