"""The functions of the judge are compiled once, whatever number of jobs needs them."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge import compiled_code
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.scores import score_pairs

METHODS = [
    "void close() { this.stream.close(); }",
    "void add(int a, int b) { int c = a * b; for (int i = 0; i < c; i++) { list.add(i, c); } }",
    "not java",
]


def count_versions() -> dict[str, int]:
    """How many versions of each function of the library are compiled."""
    return {
        f"{name}.{key}": len(value.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith("ncsbench.")
        for key, value in vars(module).items()
        if isinstance(value, Dispatcher)
    }


def test_judging_compiles_nothing_after_the_example(tmp_path: Path) -> None:
    compiled_code.judge_example()
    before = count_versions()
    answers = read_answers({0: "int a = 1;\nrun(a);", 3: METHODS[1], 4: "no code"})
    build_shard(iter(METHODS), shard=0, shards=1, first_id=0, corpus_hash="", output=tmp_path)
    index = JudgeIndex(tmp_path)
    rows, ids = np.array([0, 3], np.int32), np.array([1, 2], np.int64)
    assert len(score_pairs(answers=answers, index=index, query_ids=rows, ids=ids)) == 2
    limits = [(similarity, 0.1) for similarity in SIMILARITIES]
    assert len(find_matches(answers=answers, index=index, limits=limits, count=3))
    assert count_versions() == before


def test_one_of_many_processes_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def compile_slowly() -> None:
        calls.append(1)
        time.sleep(0.1)

    monkeypatch.setattr(compiled_code, "_stamp", lambda: tmp_path / "cache" / "judge.done")
    monkeypatch.setattr(compiled_code, "judge_example", compile_slowly)
    threads = [threading.Thread(target=compiled_code.compile_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [1]
    assert compiled_code.is_compiled()


def test_a_cache_that_cannot_be_written_to_stops_no_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(compiled_code, "_stamp", lambda: tmp_path / "file" / "judge.done")
    compiled_code.compile_once()
