"""Candidates of threads and questions, and their features, which trees that order them see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from ncsbench.artifacts.storage import write_tables
from ncsbench.corpus.documents import load_documents
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import ConfigurationError
from ncsbench.indexes.top_results import Ranking, collect_run, take_top
from ncsbench.learning_to_rank.feature_schema import KEYS, feature_schema
from ncsbench.learning_to_rank.thread_queries import read_part_queries
from ncsbench.rankers.combined_ranker import CombinedRanker
from ncsbench.rankers.fused import Fused
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import create_ranker
from ncsbench.runs.rankings import Query
from ncsbench.runs.trec_files import write_run

_ORDER = "fusion"
"""The feature by which the run has the candidates."""
_ROWS = 1 << 14
"""Rows from which on features are written: a row group of each thread would be a small one."""


def write_thread_features(
    settings: RankerSettings,
    *,
    words: Path,
    index: Path,
    threads: Path,
    thread_parts: Path | None,
    part: str | None,
    tag: str,
    run: Path,
    output: Path,
    corpus: Path | None = None,
) -> None:
    """Write all candidates of threads or questions, near copies among them, and their features.

    Threads are asked one by one and written some at a time, so that memory holds the features of
    a few.

    Args:
        settings: which ranker, of kind ``fused``.
        words: folder of the corpus as words.
        index: folder of the model's index.
        threads: ``threads.parquet``, or evaluation questions.
        thread_parts: the part of each thread, ``THREAD_PART_SCHEMA``; None for all questions.
        part: the part; None likewise.
        tag: name of the run in its file.
        run: file to write the candidates to, a TREC run in the order of the feature ``fusion``.
        output: file to write the features to, of ``feature_schema``.
        corpus: folder of the corpus, where a part of the ranker reads its text.

    Raises:
        ConfigurationError: for another kind, and for a part that threads do not have.
        DataError: where no thread is in the part, and where index, words and corpus do not fit.
    """
    ranker = create_ranker(settings.ranker, seed=settings.seed)
    inner = ranker.ranker if isinstance(ranker, CombinedRanker) else ranker
    if not isinstance(inner, Fused):
        raise ConfigurationError(
            f"a model of kind {settings.ranker.kind} has no features; name one of kind fused"
        )
    queries = read_part_queries(threads, thread_parts, part)
    methods = None if corpus is None else CorpusFolder(corpus)
    documents = load_documents(words, methods)
    ranker.load(index, corpus=documents)
    rankings: list[tuple[int, Ranking]] = []
    schema = feature_schema(inner.reader.groups)
    tables = _describe(inner, queries, schema, rankings)
    write_tables(output, tables, schema, corpus_hash=documents.corpus_hash)
    write_run(run, collect_run(rankings), tag=tag, corpus_hash=documents.corpus_hash)


def _describe(
    ranker: Fused, queries: Sequence[Query], schema: pa.Schema, rankings: list[tuple[int, Ranking]]
) -> Iterator[pa.Table]:
    """Features of the candidates of each query; the candidates in order go to ``rankings``."""
    names = ranker.reader.names
    held: list[pa.Table] = []
    for query in queries:
        methods, features = ranker.describe(query)
        if not len(methods):
            continue
        scores = features[:, names.index(_ORDER)].astype(np.float64)
        rankings.append((query.query_id, take_top(methods, scores, k=len(methods))))
        ids = np.full(len(methods), query.query_id, np.int32)
        held.append(pa.table([ids, methods, *features.T], names=[*KEYS, *names]))
        if sum(map(len, held)) >= _ROWS:
            yield pa.concat_tables(held)
            held = []
    if held:
        yield pa.concat_tables(held)
