"""Models with parts in a run: indexes of parts are made once, and fused trains its parts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ncsbench.base.runs.trec_files import read_run
from ncsbench.corpus.indexes.top_results import split_run
from ncsbench.corpus.layout.documents import load_documents
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


FUSED = "results/sample/runs/mine_fused.trec.gz"
ASKED_FOR_FUSED = ("--config", "trial=mine", "models=[bm25,mine_fused]", "--", FUSED)


def test_a_trial_of_fused_trains_its_parts_and_ranks_no_near_copies(sample_copy: Path) -> None:
    models = sample_copy / "config" / "models"
    parts = "{unif: mine_unif, translation: fused_translation_docstrings, translation_memory: null}"
    (models / "mine_fused.yaml").write_text(f"like: fused_parts\nparts: {parts}\n")
    training = "{pairs: [github_android, stackoverflow_android], epochs: 2}"
    (models / "mine_unif.yaml").write_text(f"like: fused_unif\ntraining: {training}\n")
    done = run_snakemake(sample_copy, *ASKED_FOR_FUSED)
    assert done.returncode == 0, done.stdout + done.stderr
    rankings = split_run(read_run(sample_copy / "results/sample/runs/mine_fused.trec.gz"))
    assert rankings
    about = json.loads((sample_copy / "data/sample/indexes/mine_fused/own/index.json").read_text())
    words = [load_documents(path).words for path in (sample_copy / "data/sample/words").iterdir()]
    (own,) = [one for one in words if len(one.tokens) == about["words"]["tokens"]][:1]
    for ids, _ in rankings.values():
        bags = [frozenset(own[method].tolist()) for method in ids.tolist()]
        assert len(set(filter(None, bags))) == len(list(filter(None, bags)))
