"""Processor time of one query with models of a dataset that was run before, and the memory.

Usage: python tests/bench/queries.py DATASET MODEL ... [--output FILE]

Each model has a process of its own, which loads its index, asks every question of the dataset once,
so that what is read late is there, and then each alone, at the configured depth. Exits with 1 where
a model needs more than 300 ms on average, 600 ms for one query of twenty, or 6 GB.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from ncsbench.apps.own_code.asking import open_dataset
from ncsbench.base.files.csv_tables import write_rows
from ncsbench.corpus.layout.documents import load_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.posts.questions.questions_file import read_queries
from ncsbench.rankers.registry import create_ranker

DEPTH = 50
BARS = {"mean_ms": 300, "p95_ms": 600, "peak_mib": 6e9 / 2**20}
COLUMNS = ("model", "methods", "queries", "load_seconds", *BARS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.alone:
        sys.stdout.write(json.dumps(measure(given.dataset, given.models[0])))
        return 0
    rows = []
    for model in given.models:
        command = [sys.executable, __file__, given.dataset, model, "--alone"]
        made = subprocess.run(command, check=True, capture_output=True, text=True)
        rows.append(json.loads(made.stdout))
        sys.stdout.write("  ".join(f"{name} {value}" for name, value in rows[-1].items()) + "\n")
        sys.stdout.flush()
    if given.output:
        write_rows(given.output, COLUMNS, rows)
    return int(any(float(row[name]) > bar for row in rows for name, bar in BARS.items()))


def measure(dataset: str, model: str) -> dict[str, str]:
    """What ``COLUMNS`` name, of a process that searches with this model alone."""
    searched = open_dataset(dataset, model)
    started = time.process_time()
    documents = load_documents(searched.words, CorpusFolder(searched.corpus))
    ranker = create_ranker(searched.specification, seed=searched.seed)
    ranker.load(searched.ranker, corpus=documents)
    loaded = time.process_time() - started
    queries = read_queries(Path("data", dataset, "questions.parquet"))
    ranker.search(queries, k=DEPTH)
    taken = []
    for query in queries:
        started = time.process_time()
        ranker.search([query], k=DEPTH)
        taken.append(1000 * (time.process_time() - started))
    return {
        "model": model,
        "methods": str(len(documents)),
        "queries": str(len(queries)),
        "load_seconds": f"{loaded:.1f}",
        "mean_ms": f"{np.mean(taken):.0f}",
        "p95_ms": f"{np.percentile(taken, 95):.0f}",
        "peak_mib": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
    }


if __name__ == "__main__":
    sys.exit(main())
