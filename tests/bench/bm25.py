"""Time per query of rank-bm25 and of ours at 200,000 synthetic methods, in one run.

Exits with 1 where ours is not at least 50 times as fast, or scores differ by more than 1e-9.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from rank_bm25 import BM25Okapi

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.rankers.bm25 import BM25

METHODS, WORDS, REQUIRED = 200_000, 50_000, 50
SLOW_QUERIES, QUERIES = 10, 200


def make_corpus(generator: np.random.Generator) -> Documents:
    """Methods of 5 to 45 words, whose frequencies fall like 1/rank."""
    lengths = generator.integers(5, 46, size=METHODS)
    weights = np.cumsum(1 / np.arange(1, WORDS + 1))
    tokens = np.searchsorted(weights, generator.random(lengths.sum()) * weights[-1])
    words = TokenLists(
        vocabulary=[f"word{i:05}" for i in range(WORDS)],
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
        tokens=tokens.astype(np.int32),
    )
    sizes = np.ones(METHODS, dtype=np.int32)
    return Documents(words, words, sizes, sizes, "bench")


def main() -> int:
    generator = np.random.default_rng(1)
    corpus = make_corpus(generator)
    names = corpus.words.vocabulary
    # Titles of six words, as frequent as in the corpus: frequent ones have long posting lists.
    drawn = generator.choice(corpus.words.tokens, size=(QUERIES, 6))
    queries = [Query(row, " ".join(names[i] for i in words)) for row, words in enumerate(drawn)]

    started = time.perf_counter()
    ours = BM25(options={"query": "counts"})  # As the package takes a query.
    ours.fit(corpus=corpus)
    built = time.perf_counter()
    for query in queries:
        ours.search([query], k=50)
    ours_ms = (time.perf_counter() - built) / QUERIES * 1000

    theirs = BM25Okapi([[names[i] for i in corpus.words[m]] for m in range(METHODS)])
    started_theirs = time.perf_counter()
    scores = [theirs.get_scores(query.text.split()) for query in queries[:SLOW_QUERIES]]
    theirs_ms = (time.perf_counter() - started_theirs) / SLOW_QUERIES * 1000

    pairs = zip(queries, scores, strict=False)
    difference = max(np.abs(ours.score(query.text) - expected).max() for query, expected in pairs)
    ratio = theirs_ms / ours_ms
    sys.stdout.write(
        f"{METHODS} methods, {QUERIES} queries of 6 words; index made in {built - started:.1f} s\n"
        f"rank-bm25 {theirs_ms:.1f} ms per query, ours {ours_ms:.2f} ms: {ratio:.0f} times as fast "
        f"(required: {REQUIRED}); largest difference of scores {difference:.1e}\n"
    )
    return 0 if ratio >= REQUIRED and difference <= 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
