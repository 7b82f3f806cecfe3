"""The run of a model: its rankings for all questions, as a TREC file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.corpus.documents import load_documents
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.partial_search import PartialRanker
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import create_ranker
from ncsbench.runs.rankings import Query
from ncsbench.runs.trec_files import write_run


def write_model_run(
    settings: RankerSettings,
    *,
    depth: int,
    words: Path,
    index: Path,
    queries: Sequence[Query],
    tag: str,
    output: Path,
    corpus: Path | None = None,
    allowed: NDArray[np.bool_] | None = None,
    deeper: bool = False,
) -> None:
    """Rank the methods for every question and write a TREC run file.

    Args:
        settings: which ranker.
        depth: how many methods for each question.
        words: folder of the corpus as words.
        index: folder of the model's index.
        queries: the questions.
        tag: name of the run in its file.
        output: file to write.
        corpus: folder of the corpus, where the ranker reads its text.
        allowed: whether a method is searched, bool, shape (methods,); None for all.
        deeper: whether another run of the model is less deep: ten questions were asked alone
            there, and what is empty is named there.

    Raises:
        DataError: where the ranker returns what is no ranking, or another one for a question that
            is asked alone.
    """
    ranker = create_ranker(
        settings.ranker,
        seed=settings.seed,
        wrap=None if allowed is None else lambda inner: PartialRanker(inner, allowed),
    )
    methods = None if corpus is None else CorpusFolder(corpus)
    documents = load_documents(words, methods)
    ranker.load(index, corpus=documents)
    searcher = CheckedSearch(ranker, tag, len(documents))
    run = searcher.search(queries, k=depth)
    if not deeper:
        searcher.check_alone(run, queries, k=depth)
        searcher.warn_of_empty(run, queries)
    write_run(output, run, tag=tag, corpus_hash=documents.corpus_hash)
