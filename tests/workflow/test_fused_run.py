"""Trials of the ranker fused on the sample: parts and trees are trained, no result is a copy."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from ncsbench.corpus.documents import load_documents
from ncsbench.indexes.top_results import split_run
from ncsbench.runs.trec_files import read_run
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


def count_jobs(done: subprocess.CompletedProcess[str]) -> dict[str, int]:
    stats = (done.stdout + done.stderr).split("Job stats:")[1].split("total")[0]
    return {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", stats, re.M)}


def test_a_trial_with_trees_makes_the_parts_without_each_fold(sample_copy: Path) -> None:
    models, data = sample_copy / "config" / "models", sample_copy / "data" / "sample"
    sets = "[threads_android]"
    learnt = f"{{pairs: {sets}, size_pairs: {sets}, memory: {sets}}}"
    (models / "mine_words.yaml").write_text(f"like: fused_translation\ntranslation: {learnt}\n")
    (models / "mine_memory.yaml").write_text(
        f"like: fused_translation_memory\ntranslation: {learnt}\n"
    )
    parts = "{bm25f: fused_bm25f, translation: mine_words, translation_memory: mine_memory}"
    text = (
        f"kind: fused\ntrained_on: threads\nparts: {parts}\n"
        "trees: {rounds: 20, minimum_in_leaf: 5}\n"
    )
    (models / "mine_fused.yaml").write_text(text)
    done = run_snakemake(sample_copy, *ASKED)
    assert done.returncode == 0, done.stdout + done.stderr
    jobs = count_jobs(done)
    made = {name: jobs[name] for name in ("translation", "thread_features", "judge_threads")}
    assert made == dict.fromkeys(made, 3) and jobs["trees"] == 1
    (trees,) = (data / "trees").iterdir()
    about = json.loads((trees / "about.json").read_text())
    assert {part: of_part["threads"] for part, of_part in about["parts"].items()} == {
        **{"fold0": 39, "fold1": 38, "selection": 15}
    }
    copied = data / "indexes" / "mine_fused" / "own" / "trees" / "trees.txt"
    assert copied.read_bytes() == (trees / "trees.txt").read_bytes()
    run = read_run(sample_copy / RUN)
    # No sum of three reciprocal ranks is so high, and none is below 0.
    assert len(run.ids) and (abs(run.scores) > 2 / 61).any()
    assert "mine_fused-fold0" in {path.name for path in (data / "indexes").iterdir()}
    # Other trees have the same candidates; the part that is looked at once is made when asked for.
    (models / "mine_fused.yaml").write_text(text.replace("20", "10, parts_measured: [test]"))
    jobs = count_jobs(run_snakemake(sample_copy, "--dry-run", *ASKED))
    assert {name: count for name, count in jobs.items() if name != "mine"} == {
        **{"thread_features": 1, "judge_threads": 1, "trees": 1, "index": 1, "retrieve": 1}
    }
