"""Cost of featurising, as a multiple of parsing, and pairs judged per second on one core.

Reads the corpus and the judgements of a dataset that was run before: data/ncsed where it exists,
else data/sample. Every pair of every ranking is judged by all similarities. Exits with 1 where
featurising costs more than 5 times as much as parsing, or fewer than 20,000 pairs a second are
judged in the rankings of a model; the chance and length baselines,
of very long methods by purpose, are shown only.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.trec_files import read_run
from ncsbench.code.aroma.features import features_of_bodies, method_codes
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.java.java import parse_java
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.judge.scores import score_pairs
from ncsbench.pipeline.files.model_files import CHANCE_BASELINES
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA

ROOT = Path(__file__).resolve().parents[2]
METHODS, ROUNDS = 4000, 5
MOST_PARSES, LEAST_PAIRS = 5.0, 20_000


def main() -> int:
    """Print both figures."""
    dataset = next(name for name in ("ncsed", "sample") if (ROOT / "data" / name).is_dir())
    data, runs = ROOT / "data" / dataset, ROOT / "results" / dataset / "runs"
    tables = CorpusFolder(data / "corpus").iterate_methods(["code"])
    codes = [code for table in tables for code in table["code"].to_pylist()]
    ratio = featurising_ratio(codes[:: max(1, len(codes) // METHODS)])
    print(f"featurising / parsing {ratio:.2f} on {dataset}")  # noqa: T201
    table = read_table(data / "questions.parquet", QUESTION_SCHEMA, ["query_id", "answer"])
    answers = read_answers(dict(zip(*table.to_pydict().values(), strict=True)))
    index = JudgeIndex(data / "judge_index")
    slowest = np.inf
    for path in sorted(runs.glob("*.trec.gz")):
        run = read_run(path)
        seconds = best_of(
            lambda run=run: score_pairs(
                answers=answers, index=index, query_ids=run.query_ids, ids=run.ids
            )
        )
        name = path.name.removesuffix(".trec.gz")
        if name not in CHANCE_BASELINES:
            slowest = min(slowest, len(run.query_ids) / seconds)
        print(f"{name:15} {len(run.query_ids) / seconds:8.0f} pairs/s")  # noqa: T201
    return int(ratio > MOST_PARSES or slowest < LEAST_PAIRS)


def featurising_ratio(codes: list[str]) -> float:
    """Time from text to features, parsing included, over the time of parsing alone."""
    sources = [b"class C {\n" + code.encode() + b"\n}\n" for code in codes]

    def parse() -> None:
        for source in sources:
            parse_java(source)

    def featurise() -> None:
        folder = TreeFolder()
        forest = folder.fold([method_codes(code, folder) for code in codes])
        features_of_bodies(forest)

    return best_of(featurise) / best_of(parse)


def best_of(work: Callable[[], object]) -> float:
    """Processor seconds of the fastest of some rounds, after one to warm up."""
    work()
    seconds = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    sys.exit(main())
