"""Speed and memory of UNIF on generated pairs and methods: training, document vectors, search.

Exits with 1 where 5,000 pairs x 20 epochs take 3 minutes, the vectors of 700,000 methods 5 minutes,
287 queries over them 5 seconds, one query 5 ms to embed, or the process 6 GB.
Usage: python tests/bench/unif.py [METHODS]
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.learning.training.pair_words import JavaPairs
from ncsbench.learning.training.training_options import TrainingOptions, WeightsSettings
from ncsbench.learning.training.word_vectors import Embedding, EmbeddingOptions
from ncsbench.learning.unif.unif_training import train_weights
from ncsbench.learning.unif.unif_weights import load_weights
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.rankers.vectors.unif import UNIF

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.made_up import NAMES, draw_words, make_corpus

PAIRS, EPOCHS, QUERIES, DIMENSION = 5_000, 20, 287, 100
# In seconds, and bytes for the memory.
REQUIRED = {"training": 180, "vectors": 300, "search": 5, "query": 0.005, "memory": 6e9}


def spell(drawn: tuple[NDArray[np.int64], NDArray[np.int32]], end: str) -> list[str]:
    offsets, words = drawn
    ranges = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return ["".join(NAMES[i] + end for i in words[a:b].tolist()) for a, b in ranges]


def make_pairs(queries: list[str], codes: list[str]) -> pa.Table:
    empty = [""] * len(queries)
    columns = dict.fromkeys(PAIR_SCHEMA.names, empty) | {"query": queries, "code": codes}
    return pa.table(columns, schema=PAIR_SCHEMA)


def main() -> int:
    methods = int(sys.argv[1]) if len(sys.argv) > 1 else 700_000
    generator = np.random.default_rng(1)
    vectors = generator.normal(size=(len(NAMES), DIMENSION)).astype(np.float32)
    embedding = Embedding(NAMES, vectors, EmbeddingOptions(dimension=DIMENSION), 0.05, "bench")
    queries = spell(draw_words(generator, 3, 12, PAIRS), " ")
    codes = spell(draw_words(generator, 5, 45, PAIRS), "();\n")
    took: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder / "pairs", make_pairs(queries, codes), PAIR_SCHEMA)
        started = time.perf_counter()
        training = TrainingOptions(
            pairs=("bench",), query_vocabulary="shared", epochs=EPOCHS, patience=0, held_out=0.02
        )
        train_weights(
            JavaPairs([folder / "pairs"], WordOptions(), training),
            embedding,
            settings=WeightsSettings(training=training, words=WordOptions(), seed=1),
            checkpoint=folder / "checkpoint",
            record=folder / "record",
            output=folder / "weights",
        )
        took["training"] = time.perf_counter() - started
        rate = f"{PAIRS * EPOCHS / took['training']:.0f}"
        weights = load_weights(folder / "weights")
    corpus = make_corpus(generator, methods)
    ranker = UNIF(options={})
    started = time.perf_counter()
    ranker.fit(corpus=corpus, weights=weights)
    took["vectors"] = time.perf_counter() - started
    asked = [Query(row, text) for row, text in enumerate(queries[:QUERIES])]
    started = time.perf_counter()
    for query in asked:
        ranker.embed_query(query.text)
    took["query"] = (time.perf_counter() - started) / QUERIES
    started = time.perf_counter()
    ranker.search(asked, k=50)
    took["search"] = time.perf_counter() - started
    took["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0
    sys.stdout.write(
        f"{PAIRS} pairs x {EPOCHS} epochs: {took['training']:.1f} s ({rate} pairs/s)\n"
        f"vectors of {methods} methods: {took['vectors']:.1f} s\n"
        f"{QUERIES} queries over them: {took['search']:.2f} s "
        f"({took['search'] / QUERIES * 1000:.1f} ms each, of which {took['query'] * 1000:.3f} ms "
        f"embed it)\npeak memory: {took['memory'] / 1e9:.2f} GB\n"
    )
    slow = [name for name, required in REQUIRED.items() if took[name] >= required]
    sys.stdout.write(f"too much: {', '.join(slow)}\n" if slow else "")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
