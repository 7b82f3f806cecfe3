"""The run of a model: its rankings for all questions, written as a TREC file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.runs.rankings import Query
from ncsbench.base.runs.trec_files import write_run
from ncsbench.corpus.layout.documents import load_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.haystacks.member_files import read_haystack
from ncsbench.pairs.training_pairs.thread_parts import read_part_queries
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.combined.combined_ranker import PartialRanker
from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings
from ncsbench.rankers.registry import create_ranker


def retrieve(
    settings: RankerSettings,
    retrieval: RetrievalSettings,
    words: Path,
    index: Path,
    tag: str,
    questions: Path,
    output: Path,
    corpus: Path | None = None,
    members: Path | None = None,
    haystack: str | None = None,
    thread_parts: Path | None = None,
    part: str | None = None,
    deeper: bool = False,
) -> None:
    """Rank the methods for every question and write a TREC run file.

    Args:
        settings: the ranker and its seed.
        retrieval: depth of the rankings.
        words: folder of the corpus as words.
        index: folder of the model's index.
        tag: name of the run in its file.
        questions: file of the questions.
        output: file to write.
        corpus: folder of the corpus, where the ranker reads its text.
        members: file of the methods of each haystack; needs ``haystack``.
        haystack: the part of the corpus to search.
        thread_parts: the part of each thread, where questions are threads; needs ``part``.
        part: the part of the threads to search for.
        deeper: True where the model has another run, which is less deep and for which ten
            questions are asked alone and empty rankings are logged; both are left out here.

    Raises:
        DataError: where the ranker returns no valid ranking, or another ranking for a question that
            is asked alone.
    """
    asked = read_part_queries(questions, thread_parts, part)
    allowed = read_haystack(members, haystack)
    write_model_run(settings, retrieval, words, index, asked, tag, output, corpus, allowed, deeper)


def write_model_run(
    settings: RankerSettings,
    retrieval: RetrievalSettings,
    words: Path,
    index: Path,
    queries: Sequence[Query],
    tag: str,
    output: Path,
    corpus: Path | None = None,
    allowed: NDArray[np.bool_] | None = None,
    deeper: bool = False,
) -> None:
    """Rank the methods for every query and write a TREC run file.

    Arguments are as of ``retrieve``, but for ``queries``, which are the questions, and ``allowed``,
    the methods to search among: bool, shape (methods,); None for all.
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
    run = searcher.search(queries, k=retrieval.depth)
    if not deeper:
        searcher.check_alone(run, queries, k=retrieval.depth)
        searcher.warn_of_empty(run, queries)
    write_run(output, run, tag=tag, corpus_hash=documents.corpus_hash)
