"""Pairs of searches: vectors beside a product, BM25 beside bm25s, fusion beside its parts."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import bm25s
import numpy as np
from numpy.typing import NDArray
from tests.bench.made_up import NAMES, draw_queries, make_corpus
from tests.bench.paired import Pair

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.indexes.vector_search import find_nearest
from ncsbench.corpus.layout.documents import Documents
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.combined.fused import Fused
from ncsbench.rankers.protocol import Ranker

BATCH, DEPTH, QUERIES = 185, 50, 100
SIZES, ISSUE = (10_000, 100_000, 1_000_000), 635_337
PART_DEPTH = 200
NUMBERS = {name: number for number, name in enumerate(NAMES)}


def compare_vectors() -> Iterator[Pair]:
    """300,000 vectors of 500 numbers, as the issue has them, and growth with 100 numbers."""
    for methods, dimension in ((300_000, 500), *((size, 100) for size in SIZES)):
        generator = np.random.default_rng(1)
        vectors = _draw_units(generator, methods, dimension)
        queries = _draw_units(generator, BATCH, dimension)
        for asked, name, goal in ((queries, f"{BATCH} queries", "3.1"), (queries[:1], "one", "")):
            yield Pair(
                f"exact search, {dimension} numbers, {name}", methods,
                partial(find_nearest, asked.astype(float), vectors, np.arange(methods), k=DEPTH),
                partial(np.matmul, vectors, asked.T),
                "the product by NumPy alone", goal,
                table="stages" if dimension == 500 else "growth",
            )  # fmt: skip


def _draw_units(generator: np.random.Generator, rows: int, columns: int) -> NDArray[np.float32]:
    drawn = generator.normal(size=(rows, columns)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn


def compare_bm25() -> Iterator[Pair]:
    """A query beside bm25s with numba at several sizes; at the issue's size the index, too."""
    for methods in (*SIZES, ISSUE):
        generator = np.random.default_rng(1)
        corpus = make_corpus(generator, methods)
        queries = draw_queries(generator, corpus, QUERIES)
        ours, theirs = BM25(options={}), bm25s.BM25(method="robertson", backend="numba")
        ours.fit(corpus=corpus)
        theirs.index(_list_tokens(corpus), show_progress=False)
        yield Pair(
            "BM25, a query", methods, partial(_ask, [ours], queries, DEPTH),
            partial(_ask_bm25s, theirs, queries), "bm25s, numba", "1", QUERIES,
            table="stages" if methods == ISSUE else "growth",
        )  # fmt: skip
    yield Pair(
        "BM25, index", ISSUE, lambda: BM25(options={}).fit(corpus=corpus),
        lambda: bm25s.BM25(method="robertson").index(_list_tokens(corpus), show_progress=False),
        "bm25s", "",
    )  # fmt: skip


def compare_fusion() -> Iterator[Pair]:
    """A fused ranking, whose near copies leave it, beside its two parts."""
    generator = np.random.default_rng(1)
    corpus = make_corpus(generator, ISSUE)
    queries = draw_queries(generator, corpus, QUERIES)
    parts: dict[str, Ranker] = {"a": BM25(options={}), "b": BM25(options={"k1": 0.9})}
    options = {"duplicates": "kept", "depth": PART_DEPTH, "near_copies": 0.8}
    fused = Fused(options=options, parts=parts, seed=1)
    for ranker in (*parts.values(), fused):
        ranker.fit(corpus=corpus)
    yield Pair(
        "fused ranking of two BM25, a query", ISSUE, partial(_ask, [fused], queries, DEPTH),
        partial(_ask, [*parts.values()], queries, PART_DEPTH), "its parts, one by one", "1.2",
        QUERIES,
    )  # fmt: skip


def _ask(rankers: Sequence[Ranker], queries: Sequence[Query], depth: int) -> None:
    for query in queries:
        for ranker in rankers:
            ranker.search([query], k=depth)


def _ask_bm25s(index: bm25s.BM25, queries: Sequence[Query]) -> None:
    for query in queries:
        words = [*dict.fromkeys(map(NUMBERS.__getitem__, query.text.split()))]
        index.retrieve([words], k=DEPTH, show_progress=False, n_threads=1)


def _list_tokens(corpus: Documents) -> tuple[list[list[int]], dict[str, int]]:
    ends, tokens = corpus.words.offsets.tolist(), corpus.words.tokens.tolist()
    return [tokens[start:end] for start, end in pairwise(ends)], NUMBERS


STAGES = {"vectors": compare_vectors, "bm25": compare_bm25, "fusion": compare_fusion}
