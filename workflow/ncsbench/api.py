"""The names that ``import ncsbench`` offers: corpus, questions, rankers, judge, figures, tables.

Results are pandas frames that share their columns: ``query_id`` is the number of a question from 1,
``method_id`` the id of a method in its corpus, ``rank`` counts from 1. This module, and with it all
modules that are slow to load, is read when one of its names is first asked for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ncsbench.base.files.corpus_stamps import check_same_corpus, note_corpus, one_corpus
from ncsbench.base.runs.ranking_frames import (
    CORPUS,
    check_argument,
    find_column,
    mark_corpus,
    read_asked,
    read_ids,
    read_numbers,
    read_query_ids,
    read_ranks,
    read_table,
    read_texts,
    show_run,
)
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.corpus_settings import Duplicates
from ncsbench.corpus.layout.documents import Documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, NcsbenchError

if TYPE_CHECKING:
    from ncsbench.corpus.layout.corpus_settings import WordOptions
    from ncsbench.pipeline.files.model_configuration import ModelConfiguration
    from ncsbench.rankers.protocol import Ranker as AnyRanker

__all__ = [
    "Corpus",
    "NcsbenchError",
    "Ranker",
    "create_ranker",
    "evaluate_rankings",
    "judge_rankings",
    "load_corpus",
    "load_questions",
    "read_table",
]

_PLACE = ("repository", "path", "start_line", "class_name", "method_name")


class Corpus:
    """The methods of a built corpus; ``len`` is their number, ids count from 0.

    ``corpus_hash`` identifies the corpus; in other corpora ids name other methods.

    Args:
        folder: ``data/<dataset>/corpus``, made by the workflow.
        duplicates: value of ``duplicates`` that the corpus must have been built with; None for any.

    Raises:
        DataError: where the folder has no corpus.
        ConfigurationError: where the corpus was built with other ``duplicates``.
    """

    def __init__(self, folder: str | Path, *, duplicates: Duplicates | None = None) -> None:
        check_argument("folder", folder, str | Path)
        self.folder = Path(folder)
        self._files = CorpusFolder(self.folder)
        self._files.check_built()
        if duplicates is not None:
            self._files.check_duplicates(duplicates)
        manifest = self._files.manifest()
        self._count = int(manifest["methods"])
        self.corpus_hash = str(manifest["corpus_hash"])
        self._made = tempfile.TemporaryDirectory(prefix="ncsbench-")

    def __len__(self) -> int:
        return self._count

    def methods(self, ids: Iterable[int], columns: Sequence[str] = _PLACE) -> pd.DataFrame:
        """Read columns of some methods, one line for each distinct id, ascending.

        Args:
            ids: ids of methods, such as the column ``method_id`` of a ranking.
            columns: those of the default, ``commit``, ``url``, ``end_line``, ``lines``, ``code``,
                ``comment``.

        Raises:
            ConfigurationError: for an unknown column.
            DataError: for an id that the corpus does not have.
        """
        for column in columns:
            if column not in METHOD_SCHEMA.names:
                names = ", ".join(METHOD_SCHEMA.names)
                raise ConfigurationError(f"column {column!r} is unknown; choose of {names}")
        wanted = read_ids(ids, "method_id", last=len(self) - 1)
        found = self._files.read_methods(wanted.tolist(), list(columns))
        rows = [(id_, *(found[id_][name] for name in columns)) for id_ in sorted(found)]
        return pd.DataFrame(rows, columns=["method_id", *columns])

    @property
    def documents(self) -> Documents:
        """The words of all methods, as rankers read them by default; made when first asked for."""
        from ncsbench.corpus.layout.corpus_settings import WordOptions

        return self._read_words(WordOptions())

    def _read_words(self, options: WordOptions) -> Documents:
        """Read the words of all methods; made once for equal options, in seconds to minutes."""
        from ncsbench.corpus.layout.documents import load_documents, save_documents
        from ncsbench.corpus.methods.word_extraction import build_documents

        folder = self._place_words(options)
        if not folder.exists():
            save_documents(build_documents(self._files, options), folder)
        return load_documents(folder, self._files)

    def _place_words(self, options: WordOptions) -> Path:
        from ncsbench.base.configuration.files import fingerprint

        return Path(self._made.name, f"words-{fingerprint(options.as_json())}")

    def _make_index(self, model: ModelConfiguration) -> Path:
        """Make the index of a model, as ``ncsbench index`` does; equal words and vectors once."""
        from ncsbench.corpus.methods.word_extraction import build_documents
        from ncsbench.pipeline.runs.library_models import describe_learnt
        from ncsbench.rankers.model_index import index_learnt

        remedy = "give the 'index' that the workflow made, data/<dataset>/indexes/"
        if model.indexed.pair_sets:
            raise ConfigurationError(
                f"{model.name}: learns from training pairs, which a corpus does not have; "
                f"{remedy}{model.indexed.name}"
            )
        learnt = describe_learnt(model, None)
        index = Path(tempfile.mkdtemp(dir=self._made.name), "index")
        try:
            words, make = self._place_words(learnt.words), partial(build_documents, self._files)
            index_learnt(learnt, corpus=self._files, make_words=make, words=words, output=index)
        except ConfigurationError as error:
            raise ConfigurationError(f"{error}; or {remedy}<model>") from error
        return index


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


def load_corpus(folder: str | Path, *, duplicates: Duplicates | None = None) -> Corpus:
    """Open a built corpus: arguments and errors are those of ``Corpus``."""
    return Corpus(folder, duplicates=duplicates)


def load_questions(*paths: str | Path) -> pd.DataFrame:
    """Read evaluation questions: JSON as published, or the ``questions.parquet`` of a run.

    Returns:
        One line per question, numbered over all files as ``query_id``, with ``stackoverflow_id``,
        ``question``, ``answer`` and the other columns of the published schema.

    Raises:
        DataError: for a file that has no questions or is malformed, naming file and entry.
        ConfigurationError: where no file is named.
    """
    from ncsbench.base.files.storage import read_table as read_parquet
    from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.posts.questions.questions_file import read_questions

    files = [Path(path) for path in paths]
    if not files:
        raise ConfigurationError("load_questions: name a file of questions")
    if len(files) == 1 and files[0].suffix == ".parquet":
        table = read_parquet(files[0], QUESTION_SCHEMA)
    else:
        table = read_questions(files)
    return table.to_pandas()


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


def judge_rankings(rankings: pd.DataFrame, questions: pd.DataFrame, corpus: Corpus) -> pd.DataFrame:
    """Compare every method of rankings with the answer to its question.

    Args:
        rankings: a frame with ``query_id`` and ``method_id``, such as ``Ranker.search`` returns.
        questions: a frame with ``query_id`` and ``answer``.
        corpus: the corpus of the methods.

    Returns:
        The rankings with a column per similarity, each in [0, 1] (``docs/judge.md``).
        Answers and methods that cannot be read as Java are similar to nothing.

    Raises:
        DataError: for a method that the corpus does not have, and for rankings of another corpus.
    """
    from ncsbench.code.aroma.similarity_names import SIMILARITIES
    from ncsbench.evaluation.judge.answers import read_answers
    from ncsbench.evaluation.judge.scores import score_texts

    check_argument("corpus", corpus, Corpus)
    asked = read_query_ids(questions)
    answers = read_texts(find_column(questions, "answer"), "answer")
    rows = read_asked(rankings, asked)
    ids = read_ids(find_column(rankings, "method_id"), "method_id", last=len(corpus) - 1)
    if CORPUS in rankings.attrs:  # absent in rankings of another tool
        name, corpus_hash = rankings.attrs[CORPUS]
        check_same_corpus(name, corpus_hash, corpus.folder, corpus.corpus_hash)
    codes = corpus.methods(ids, ["code"])
    judged = score_texts(
        answers=read_answers(dict(zip(asked.tolist(), answers, strict=True))),
        texts=dict(zip(codes["method_id"], codes["code"], strict=True)),
        rows=rows.astype(np.int32),
        ids=ids,
    ).to_pandas()
    places = pd.MultiIndex.from_frame(judged[["query_id", "id"]]).get_indexer([rows, ids])
    return rankings.assign(**{name: judged[name].to_numpy()[places] for name in SIMILARITIES})


def evaluate_rankings(
    judged: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    judge: str = "pruned_jaccard_leaf",
    threshold: float = 0.25,
    depth: int = 50,
    resamples: int = 10_000,
    seed: int = 2019,
) -> dict[str, float]:
    """Compute the figures of Table 1 for judged rankings.

    A method answers its question where the similarity is strictly above the threshold.

    Args:
        judged: the result of ``judge_rankings``.
        questions: all questions that were asked; questions without a ranking count as not answered.
        judge: a column of ``judged``, with the similarity to use.
        threshold: threshold of the similarity.
        depth: the last rank that counts.
        resamples: number of resamples of the questions, for the 95 % interval of the MRR.
        seed: seed of the resamples.

    Returns:
        ``questions``, ``answered_1``, ``answered_5``, ``answered_10``, ``mrr``, ``mrr_low`` and
        ``mrr_high``, as in ``results/table1.csv``.
    """
    from ncsbench.evaluation.measures.judged_rankings import first_hits
    from ncsbench.evaluation.measures.metrics import METRICS, measure_ranks
    from ncsbench.evaluation.measures.rank_figures import metric_interval
    from ncsbench.evaluation.statistics.intervals import draw_resamples

    check_argument("depth", depth, Integral, least=1)
    check_argument("resamples", resamples, Integral, least=1)
    check_argument("threshold", threshold, Real, least=0)
    asked = read_query_ids(questions)
    if not len(asked):
        raise ConfigurationError("the frame of questions is empty; give those that were asked")
    rows = read_asked(judged, asked)
    found = read_ranks(judged, rows)
    above = (read_numbers(judged, judge) > threshold) & (found <= depth)
    hits = np.zeros((len(asked), depth), np.bool_)
    hits[pd.Index(asked).get_indexer(rows[above]), found[above] - 1] = True
    ranks = first_hits(hits)
    draws = draw_resamples(len(ranks), np.random.default_rng(seed), resamples=resamples)
    interval = metric_interval(ranks, "mrr", draws, depth=depth)
    return {
        "questions": len(questions),
        **{metric: measure_ranks(ranks, metric, depth) for metric in METRICS},
        "mrr_low": interval.low,
        "mrr_high": interval.high,
    }
