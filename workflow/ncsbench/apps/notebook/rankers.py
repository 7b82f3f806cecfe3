"""Rankers that are ready to search a corpus, made of models, of files and of indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ncsbench.apps.notebook.corpora import Corpus
from ncsbench.base.files.corpus_stamps import note_corpus, one_corpus
from ncsbench.base.runs.ranking_frames import (
    check_argument,
    find_column,
    mark_corpus,
    read_query_ids,
    read_texts,
    show_run,
)

if TYPE_CHECKING:
    from ncsbench.rankers.protocol import Ranker as AnyRanker


class Ranker:
    """A ranker that is ready to search a corpus; ``create_ranker`` makes one."""

    def __init__(self, ranker: AnyRanker, kind: str, corpus: Corpus) -> None:
        from ncsbench.rankers.checked_search import CheckedSearch

        self.kind, self.corpus = kind, corpus
        self._search = CheckedSearch(ranker, kind, len(corpus))

    def search(self, questions: pd.DataFrame | Sequence[str] | str, *, k: int = 50) -> pd.DataFrame:
        """Find the best methods for every question.

        Args:
            questions: a frame with ``query_id`` and ``question``; or texts, whose ids are 1, 2, ...
            k: number of methods for each question, at least 1.

        Returns:
            One line per result, by ``query_id`` and ``rank``, with ``method_id`` and ``score``;
            equal scores are sorted by ascending id.

        Raises:
            DataError: where the ranker returns a result that is no ranking
                (``rankers.checked_search``).
        """
        from ncsbench.base.runs.rankings import Query

        check_argument("k", k, Integral, least=1)
        check_argument("questions", questions, Iterable)
        if isinstance(questions, pd.DataFrame):
            ids = read_query_ids(questions)
            texts = read_texts(find_column(questions, "question"), "question")
        else:
            texts = read_texts([questions] if isinstance(questions, str) else questions, "question")
            ids = np.arange(1, len(texts) + 1)
        queries = [Query(*asked) for asked in zip(ids.tolist(), texts, strict=True)]
        found = show_run(self._search.search(queries, k=k))
        return mark_corpus(found, self.corpus.folder, self.corpus.corpus_hash)


def create_ranker(
    name: str,
    corpus: Corpus,
    *,
    options: Mapping[str, Any] | None = None,
    base: Mapping[str, Any] | None = None,
    parts: Mapping[str, Mapping[str, Any]] | None = None,
    dimension: int | None = None,
    index: str | Path | None = None,
    seed: int = 2019,
) -> Ranker:
    """Make a ranker that searches a corpus.

    Args:
        name: name of a model of ``config/models``, such as ``bm25`` and ``ncs``, or the path of a
            model file, which brings everything that a row of Table 1 is made with. Or one of these,
            which get the default words, and the word vectors of ``ncs``: a kind of ranker that no
            model is named after; the path of a Python file with a ranker of your own, which is
            executed; or the name that a package registered under the entry point group
            ``ncsbench.rankers``.
        corpus: the corpus to search.
        options: options of the ranker, each in place of the model's; not beside a model file.
        base: kind, options and base of the ranker that this ranker builds on, in place of the
            model's.
        parts: kind, options and base of each ranker that this ranker combines, by name.
        dimension: length of word vectors. Without it that of the dataset's file, for a corpus in
            ``data/<dataset>/corpus`` with a file in ``config/datasets``; else that of the model.
        index: folder that the workflow made, ``data/<dataset>/indexes/<model>``, to read instead
            of making an index here. A model that learns from training pairs needs one.
        seed: seed of everything that draws random numbers.

    Raises:
        ConfigurationError: for an unknown model or option, or where data to learn from is missing.
        DataError: for an index of another corpus or of other options.
    """
    from ncsbench.pipeline.runs.library_models import choose_model, find_dimension
    from ncsbench.rankers.registry import create_ranker as create

    check_argument("name", name, str)
    check_argument("corpus", corpus, Corpus)
    given = (("options", options), ("base", base), ("parts", parts))
    for key, value in given:
        check_argument(key, value or {}, Mapping)
    named = {key: dict(value) for key, value in given if value}
    length = find_dimension(corpus.folder) if dimension is None else dimension
    model = choose_model(name, named, dimension=length, seed=seed)
    ranker = create(model.specification, seed=seed)
    place = Path(index) if index is not None else corpus._make_index(model)
    with one_corpus():
        note_corpus(corpus.folder, corpus.corpus_hash)
        ranker.load(place, corpus=corpus._read_words(model.indexed.words))
    return Ranker(ranker, name, corpus)
