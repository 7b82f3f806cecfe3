"""The rows of a sentence encoder in ``config/codesearchnet/csn_java.yaml``, each text encoded once.

Usage: python tests/bench/csn_encoder.py CORPUS OUTPUT {pools,challenge,differences}
                                          [--check QUERIES]

``minilm_rerank`` encodes the candidates of each query anew, 100,000 texts for 2,000 test pairs, and
``fused_minilm`` does so again. Here ``minilm`` encodes the functions and the queries of a pool, and
the other two rows are made of its scores and of the rankings of ``fused_parts``, by the rules of
their classes. Scores may differ in the last digits, which depend on what else is encoded in a
batch: ``--check`` has the class itself rank some queries and counts the rankings that differ. For
the challenge rule ``csn_rank`` is followed, but that all rows search one index; ``minilm``, which
would encode all functions, has no ranking there.

CORPUS is the folder of the Java functions; OUTPUT gets folders ``ranks`` or ``challenge`` and
``systems``, and a CSV file of seconds of processor time and of memory. ``data/ncsed`` must have
what ``fused_parts`` learnt. ``differences`` compares the committed ranks with BM25, ``fused_parts``
and, as ``fused_parts_again``, the ranking of ``fused_parts`` that ``pools`` began with.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import read_table, write_json, write_tables
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.corpus.function_corpus.annotations import read_annotations, read_queries
from ncsbench.corpus.indexes.top_results import NOTHING, collect_run, split_run, take_top
from ncsbench.evaluation.statistics.figure_text import format_columns, write_frame
from ncsbench.pipeline.runs.csn_run import CsnRun
from ncsbench.rankers.combined.rank_fusion import sum_reciprocal_ranks
from ncsbench.studies.codesearchnet import system_results
from ncsbench.studies.codesearchnet.system_options import SystemSettings
from ncsbench.studies.codesearchnet.system_ranks import (
    CHALLENGE_SCHEMA,
    RANK_SCHEMA,
    read_pools,
    write_challenge_ranks,
)
from ncsbench.studies.codesearchnet.table3 import measure_pairs

BASE = "fused_parts"
ROWS = ENCODER, RERANK, FUSED = "minilm", "minilm_rerank", "fused_minilm"
AGAIN = "fused_parts_again"
COLUMNS = ("step", "made", "seconds", "peak_mib")
DIFFERENCES = (
    *("direction", "model", "baseline", "mrr", "baseline_mrr", "difference"),
    *("difference_low", "difference_high", "repositories_low", "repositories_high", "seen"),
)
SEED = 2019


class SharedSearch:
    """In place of ``system_results._search``: texts are encoded once, and indexes made once."""

    def __init__(self, settings: dict[str, SystemSettings], folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.pool: tuple[str, ...] = ()  # texts of the queries, which name the searched functions
        self.given: tuple[Any, ...] = ()
        self.kept: dict[Any, Any] = {}
        self.seconds: dict[str, float] = {}
        self.depth = settings[RERANK].ranker.options["depth"]
        self.original = {
            name: getattr(system_results, name)
            for name in ("_search", "_index_borrowed", "make_documents")
        }
        system_results._search = self.search
        system_results._index_borrowed = self.index
        system_results.make_documents = self.documents

    def keep(self, name: str, key: Any, make: Callable[..., Any], *given: Any) -> Any:
        """Return what was made for the present pool before, or make it and count its seconds."""
        found = (name, self.pool, key)
        if found not in self.kept:
            started, before = time.process_time(), sum(self.seconds.values())
            self.kept[found] = make(*given)
            within = sum(self.seconds.values()) - before
            taken = time.process_time() - started - within
            self.seconds[name] = self.seconds.get(name, 0) + taken
            sys.stdout.write(f"{name}: {taken:.0f} s\n")
            sys.stdout.flush()
        return self.kept[found]

    def index(self, borrowed: Any, texts: Any, _: Path) -> Path:
        """Make the index of ``fused_parts``, which all borrowed rows search."""
        folder = self.folder / f"index{len(self.kept)}"
        folder.mkdir(exist_ok=True)
        made: Path = self.keep(
            "index", "", self.original["_index_borrowed"], borrowed, texts, folder
        )
        return made

    def documents(self, texts: Any, options: Any) -> Any:
        key = json.dumps(options.as_json())
        return self.keep("words", key, self.original["make_documents"], texts, options)

    def of_row(self, row: str, depth: int | None) -> Run:
        given = (self.settings[row], *self.given, depth)
        found: Run = self.keep(row, depth, self.original["_search"], *given)
        return found

    def search(
        self,
        settings: SystemSettings,
        inputs: Any,
        texts: Any,
        queries: Sequence[Query],
        depth: int | None,
    ) -> Run:
        """Rank functions as ``system_results._search`` does."""
        row = settings.system
        self.pool, self.given = tuple(one.text for one in queries), (inputs, texts, queries)
        if row == ENCODER and depth is not None:
            return collect_run([])
        if row in (BASE, ENCODER):
            return self.of_row(row, depth)
        base = self.of_row(BASE, depth)
        found = self.of_row(RERANK, depth) if depth is not None else self.rerank(base)
        return found if row == RERANK else self.fuse([base, found])

    def rerank(self, base: Run) -> Run:
        """Order the candidates by the scores of ``minilm``, as ``EncoderRerank`` does."""
        encoded = self.of_row(ENCODER, None)
        scores = np.zeros((len(self.pool), len(self.pool)))
        scores[encoded.query_ids, encoded.ids] = encoded.scores
        candidates = {one: ids[: self.depth] for one, (ids, _) in split_run(base).items()}
        return collect_run(
            (one, take_top(ids, scores[one, ids], k=self.depth)) for one, ids in candidates.items()
        )

    def fuse(self, runs: list[Run]) -> Run:
        """Sum reciprocal ranks, as ``RankFusion`` does."""
        options = self.settings[FUSED].ranker.options
        depth, k = options["depth"], options.get("k", 60)
        split = [split_run(run) for run in runs]
        ids = {one: [run.get(one, NOTHING)[0][:depth] for run in split] for one in split[0]}
        sums = {one: sum_reciprocal_ranks(both, k=k) for one, both in ids.items()}
        return collect_run((one, take_top(*both, k=2 * depth)) for one, both in sums.items())

    def count_other_rankings(self, count: int) -> str:
        """Compare rankings of the last pool with those of the class ``EncoderRerank``."""
        inputs, texts, queries = self.given
        made = split_run(self.rerank(self.of_row(BASE, None)))
        arguments = (self.settings[RERANK], inputs, texts, queries[:count], None)
        known = split_run(self.keep("check", count, self.original["_search"], *arguments))
        other = [one for one in known if not np.array_equal(known[one][0], made[one][0])]
        gaps = [np.abs(known[one][1] - made[one][1]).max() for one in known]
        return f"{len(other)} of {len(known)} rankings differ; scores by at most {max(gaps):.1e}"


def rank_pools(shared: SharedSearch, row: str, corpora: dict[str, Path], output: Path) -> Path:
    path = output / "ranks" / f"{row}.parquet"
    tables = system_results._rank_pairs(shared.settings[row], lambda _: {}, corpora)
    write_tables(path, tables, RANK_SCHEMA)
    return path


def rank_challenge(shared: SharedSearch, row: str, corpora: dict[str, Path], output: Path) -> Path:
    path = output / "challenge" / f"{row}.parquet"
    challenge = CsnRun("csn_java", Path(), {}).file
    queries = read_queries(Path(challenge.queries))
    judged = read_annotations(Path(challenge.annotations), queries)
    asked = [Query(number, text) for number, text in enumerate(queries)]
    found = system_results._search_all(shared.settings[row], lambda _: {}, corpora, asked)
    write_challenge_ranks(path, list(found), judged.urls)
    return path


def compare(output: Path) -> None:
    """Write differences of MRR, paired by query, with intervals over pairs and repositories."""
    settings = CsnRun("csn_java", Path(), {})._describe_tables()
    paths = [*Path("results/csn_java/ranks").glob("*.parquet"), output / f"ranks/{BASE}.parquet"]
    runs = {row: settings.runs_of(row) for row in ("bm25", BASE, *ROWS)} | {AGAIN: (BASE,)}
    pairs = [(row, other) for row in ROWS for other in ("bm25", BASE, AGAIN)]
    pairs += [(FUSED, RERANK), (RERANK, ENCODER), (FUSED, ENCODER)]
    searched = read_pools(Path("results/csn_java/pools.parquet"), ["java"])
    of_pairs, of_repositories = (
        measure_pairs(settings, runs, paths, drawn).against("model", pairs).frame
        for drawn in (None, searched)
    )
    frame = of_pairs.rename(columns={"value": "difference", "baseline_value": "baseline_mrr"})
    frame["mrr"] = frame["baseline_mrr"] + frame["difference"]
    frame["seen"] = [settings.seen[row] for row in frame["model"]]
    for bound in ("low", "high"):
        frame[f"difference_{bound}"] = frame[bound]
        frame[f"repositories_{bound}"] = of_repositories[bound]
    frame = frame[frame["language"] == "java"]
    frame = format_columns(frame, ["mrr", "baseline_mrr"], 4)
    signed = [name for name in DIFFERENCES if name.endswith(("difference", "low", "high"))]
    frame = format_columns(frame, signed, 4, signed=True)
    write_frame(output / "encoder_differences.csv", frame, DIFFERENCES)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("step", choices=["pools", "challenge", "differences"])
    parser.add_argument("--check", type=int, default=0)
    given = parser.parse_args()
    if given.step == "differences":
        compare(given.output)
        return 0
    run, corpora = CsnRun("csn_java", Path(), {}), {"java": given.corpus}
    settings = {row: run._make_run(row, row, SEED, {}).settings for row in (BASE, *ROWS)}
    rank, schema = (
        (rank_pools, RANK_SCHEMA) if given.step == "pools" else (rank_challenge, CHALLENGE_SCHEMA)
    )
    with TemporaryDirectory() as folder:
        shared = SharedSearch(settings, Path(folder))
        for row, of_row in settings.items():
            path = rank(shared, row, corpora, given.output)
            if row == BASE:
                kept = Path("results/csn_java", path.parent.name, f"{BASE}-seed{SEED}.parquet")
                same = read_table(path, schema).equals(read_table(kept, schema))
                sys.stdout.write(f"{BASE}: ranks {'as' if same else 'other than'} committed\n")
            record = system_results._describe_results(of_row, corpora, Path())
            write_json(given.output / "systems" / f"{row}.json", record)
        if given.check:
            sys.stdout.write(f"{shared.count_other_rankings(given.check)}\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    made = [
        dict(zip(COLUMNS, (given.step, name, f"{taken:.1f}", f"{peak:.0f}"), strict=True))
        for name, taken in shared.seconds.items()
    ]
    write_rows(given.output / f"{given.step}.csv", COLUMNS, made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
