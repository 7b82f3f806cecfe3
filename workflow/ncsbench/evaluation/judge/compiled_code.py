"""Compiling the functions of the judge once, where many jobs would compile them at once.

All functions are compiled by judging one method by an answer, as the commands of the judge do: a
function is compiled for the types that it is called with.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numba
import numpy as np

from ncsbench.code.aroma.compilation import hash_sources
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.best_matches import find_matches
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.scores import score_pairs

_METHOD = "int add(int a, List b) { if (b.isEmpty()) { return a; } return a + b.size(); }"


def compile_once() -> None:
    """Let this process compile the judge's functions, or wait until another process has.

    Where no lock can be had, as on a full disk, each process compiles the functions it calls.
    """
    if is_compiled():
        return
    with ExitStack() as opened:
        try:
            _stamp().parent.mkdir(parents=True, exist_ok=True)
            lock = opened.enter_context(_stamp().with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_compiled():
                judge_example()
                _stamp().touch()
        except OSError:
            return


def is_compiled() -> bool:
    """Return True if machine code of the present sources is there to be loaded."""
    return _stamp().exists()


def judge_example() -> None:
    """Call every compiled function that the commands of the judge call."""
    answers = read_answers({0: _METHOD})
    with tempfile.TemporaryDirectory() as folder:
        build_shard(
            iter([_METHOD]), shard=0, shards=1, first_id=0, corpus_hash="", output=Path(folder)
        )
        index = JudgeIndex(Path(folder))
        pair = np.zeros(1, np.int32)
        score_pairs(answers=answers, index=index, query_ids=pair, ids=pair.astype(np.int64))
        limits = [(similarity, 0.0) for similarity in SIMILARITIES]
        find_matches(answers=answers, index=index, limits=limits, count=1)


def _stamp() -> Path:
    beside = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__")
    version = f"{sys.implementation.cache_tag}-{numba.__version__}"
    return beside / f"compiled-{hash_sources()[:16]}-{version}.done"
