"""Rankers that are ready to search a corpus, made of models, of files and of indexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ncsbench.apps.notebook.corpora import Corpus
from ncsbench.base.configuration.missing_packages import name_missing
from ncsbench.base.files.corpus_stamps import note_corpus, one_corpus
from ncsbench.base.runs.ranking_frames import (
    check_argument,
    find_column,
    mark_corpus,
    read_numbers,
    read_query_ids,
    read_texts,
    show_run,
)
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.errors import DataError

if TYPE_CHECKING:
    from ncsbench.rankers.checked_search import Searcher


class Ranker:
    """A ranker that is ready to search a corpus; ``create_ranker`` makes one."""

    def __init__(self, ranker: Searcher, name: str, corpus: Corpus) -> None:
        from ncsbench.rankers.checked_search import CheckedSearch

        self.name, self.corpus = name, corpus
        self._search = CheckedSearch(ranker, name, len(corpus))

    def __repr__(self) -> str:
        return f"Ranker({self.name} on {len(self.corpus):,} methods)"

    @name_missing()
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
        check_argument("k", k, Integral, least=1)
        check_argument("questions", questions, Iterable)
        if isinstance(questions, pd.DataFrame):
            asked = read_query_ids(questions)
            texts = read_texts(find_column(questions, "question"), "question")
        else:
            texts = read_texts([questions] if isinstance(questions, str) else questions, "question")
            asked = pd.RangeIndex(1, len(texts) + 1)
        # A text is no id of a query, for which its number serves.
        ids = asked if asked.dtype == np.int64 else pd.RangeIndex(1, len(asked) + 1)
        queries = [Query(*one) for one in zip(ids.tolist(), texts, strict=True)]
        found = show_run(self._search.search(queries, k=k))
        found["query_id"] = asked[ids.get_indexer(found["query_id"])]
        return mark_corpus(found, self.corpus.folder, self.corpus.corpus_hash)


@name_missing()
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


def list_models() -> list[str]:
    """Return the names of the models of ``config/models``, which ``create_ranker`` takes."""
    from ncsbench.pipeline.files.model_files import name_models
    from ncsbench.pipeline.runs.library_models import find_home

    return name_models(find_home())


@name_missing()
def load_index(folder: str | Path) -> Ranker:
    """Open the index of a folder of code, made by ``ncsbench index``, to search it.

    Args:
        folder: that was indexed, or one inside of it, or the folder of the index.

    Raises:
        DataError: where there is no index, or it is damaged or of another version.
    """
    from ncsbench.apps.own_code.asking import load_search, open_own
    from ncsbench.apps.own_code.index_folder import find_index

    check_argument("folder", folder, str | Path)
    if not Path(folder).is_dir():
        raise DataError(f"{folder}: there is no such folder")
    searched = open_own(find_index(Path(folder)), None)
    return Ranker(load_search(searched), searched.model, Corpus(searched.corpus))


def ranker(function: Callable[[str, Corpus], Any]) -> Callable[[Corpus], Ranker]:
    """Make a ranker of a function of (question, corpus); a decorator.

    Args:
        function: takes the text of a question and the corpus, and returns ids of methods, best
            first; or a mapping of ids to scores; or a frame with ``method_id`` and ``score``.

    Returns:
        A function that makes a ``Ranker`` of a corpus; ``experiment`` calls it by itself.
    """

    @wraps(function)
    def make(corpus: Corpus) -> Ranker:
        check_argument("corpus", corpus, Corpus)
        name = getattr(function, "__name__", "function")
        return Ranker(_FunctionSearch(function, corpus), name, corpus)

    return make


@dataclass(frozen=True)
class _FunctionSearch:
    """A function of (question, corpus) as an object that can search."""

    function: Callable[[str, Corpus], Any]
    corpus: Corpus

    def search(self, queries: Sequence[Query], *, k: int) -> Run:
        """Call the function for every query, and order what it finds by score, then by id."""
        ids, scores = [np.zeros(0, np.int64)], [np.zeros(0)]
        for query in queries:
            found = self.function(query.text, self.corpus)
            if not isinstance(found, pd.DataFrame):
                if not isinstance(found, Iterable) or isinstance(found, str):
                    raise DataError(f"ids of methods are needed, not a {type(found).__name__}")
                scored = {"score": list(found.values())} if isinstance(found, Mapping) else {}
                found = pd.DataFrame({"method_id": list(found), **scored})
            own = self.corpus.find_ids(find_column(found, "method_id"))
            given = (
                read_numbers(found, "score") if "score" in found else 1 / (1 + np.arange(len(own)))
            )
            best = np.lexsort((own, -given))[:k]
            ids.append(own[best])
            scores.append(given[best])
        asked = np.repeat([query.query_id for query in queries], [len(one) for one in ids[1:]])
        return Run(asked.astype(np.int32), np.concatenate(ids), np.concatenate(scores))
