"""The run of a model: its rankings for all questions, as a TREC file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.corpus.documents import load_documents
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.partial_search import choose_repositories, search_among
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
    part: int = 1,
    parts: int = 1,
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
        corpus: folder of the corpus, where the ranker reads its text or only a part of its
            repositories is searched.
        part: which part, from 1.
        parts: in how many they are divided.

    Raises:
        DataError: where the ranker returns what is no ranking.
    """
    ranker = create_ranker(settings.ranker, seed=settings.seed)
    methods = None if corpus is None else CorpusFolder(corpus)
    documents = load_documents(words, methods)
    ranker.load(index, corpus=documents)
    checked = CheckedSearch(ranker, tag, len(documents))
    if methods is None or parts == 1:
        run = checked.search(queries, k=depth)
    else:
        allowed = choose_repositories(methods, part, parts)
        run = search_among(checked, list(queries), k=depth, allowed=allowed)
    write_run(output, run, tag=tag)
