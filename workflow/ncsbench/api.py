"""What ``import ncsbench`` offers: a corpus, questions, rankers, the judge, figures, tables.

Results are pandas frames that share their columns: ``query_id`` is the number of a question from 1,
``method_id`` the id of a method in its corpus, ``rank`` counts from 1. This module, and with it all
that is slow to load, is read when one of its names is asked for first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ncsbench.artifacts.corpus_stamps import check_same_corpus, note_corpus, one_corpus
from ncsbench.corpus.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.corpus_settings import Duplicates
from ncsbench.corpus.documents import Documents
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError, NcsbenchError

if TYPE_CHECKING:
    from ncsbench.rankers.protocol import FitInputs
    from ncsbench.rankers.protocol import Ranker as AnyRanker
    from ncsbench.rankers.ranker_options import RankerSpecification
    from ncsbench.runs.rankings import Run

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

_CORPUS = "ncsbench.corpus"  # key in ``DataFrame.attrs``: whose corpus, and its hash
_PLACE = ("repository", "path", "start_line", "class_name", "method_name")


class Corpus:
    """The methods of a built corpus; ``len`` is their number, ids count from 0.

    ``corpus_hash`` tells it from every other one, in which ids name other methods.

    Args:
        folder: ``data/<dataset>/corpus``, made by the workflow or by ``ncsbench corpus build``.
        duplicates: the key of the dataset that it must have been built with; None: whichever.

    Raises:
        DataError: where no corpus lies there.
        ConfigurationError: where it was built with other ``duplicates``.
    """

    def __init__(self, folder: str | Path, *, duplicates: Duplicates | None = None) -> None:
        self.folder = Path(folder)
        self._files = CorpusFolder(self.folder)
        self._files.check_built()
        if duplicates is not None:
            self._files.check_duplicates(duplicates)
        manifest = self._files.manifest()
        self._count = int(manifest["methods"])
        self.corpus_hash = str(manifest["corpus_hash"])

    def __len__(self) -> int:
        return self._count

    def methods(self, ids: Iterable[int], columns: Sequence[str] = _PLACE) -> pd.DataFrame:
        """What is known of some methods, one line for each distinct id, ascending.

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
        found = self._files.read_methods([int(id_) for id_ in ids], list(columns))
        rows = [(id_, *(found[id_][name] for name in columns)) for id_ in sorted(found)]
        return pd.DataFrame(rows, columns=["method_id", *columns])

    @cached_property
    def documents(self) -> Documents:
        """The words of all methods, as rankers read them; made once, in seconds to minutes."""
        from ncsbench.corpus.word_extraction import build_documents
        from ncsbench.corpus.word_options import WordOptions

        return build_documents(self._files, WordOptions())


class Ranker:
    """A ranker that is ready to search a corpus; ``create_ranker`` makes one."""

    def __init__(self, ranker: AnyRanker, kind: str, corpus: Corpus) -> None:
        from ncsbench.rankers.checked_search import CheckedSearch

        self.kind, self.corpus = kind, corpus
        self._search = CheckedSearch(ranker, kind, len(corpus))

    def search(self, questions: pd.DataFrame | Sequence[str] | str, *, k: int = 50) -> pd.DataFrame:
        """The best methods for every question.

        Args:
            questions: a frame with ``query_id`` and ``question``; or texts, whose ids are 1, 2, ...
            k: how many methods for each question, at least 1.

        Returns:
            One line per result, by ``query_id`` and ``rank``, with ``method_id`` and ``score``;
            equal scores stand by ascending id.

        Raises:
            DataError: where the ranker returns what is no ranking (``rankers.checked_search``).
        """
        from ncsbench.runs.rankings import Query

        if isinstance(questions, pd.DataFrame):
            _require(questions, "query_id", "question")
            pairs = list(zip(questions["query_id"], questions["question"], strict=True))
        else:
            pairs = list(enumerate([questions] if isinstance(questions, str) else questions, 1))
        queries = [Query(int(query_id), str(text)) for query_id, text in pairs]
        found = _show_run(self._search.search(queries, k=k))
        return _mark(found, self.corpus.folder, self.corpus.corpus_hash)


def load_corpus(folder: str | Path, *, duplicates: Duplicates | None = None) -> Corpus:
    """Open a built corpus: arguments and errors of ``Corpus``."""
    return Corpus(folder, duplicates=duplicates)


def load_questions(*paths: str | Path) -> pd.DataFrame:
    """Read evaluation questions: JSON as published, or the ``questions.parquet`` of a run.

    Returns:
        One line per question, numbered over all files as ``query_id``, with ``stackoverflow_id``,
        ``question``, ``answer`` and the other columns of the published schema.

    Raises:
        DataError: for a file that is none, naming file and entry.
        ConfigurationError: where no file is named.
    """
    from ncsbench.artifacts.storage import read_table as read_parquet
    from ncsbench.questions.question_schema import QUESTION_SCHEMA
    from ncsbench.questions.questions_file import read_questions

    files = [Path(path) for path in paths]
    if not files:
        raise ConfigurationError("load_questions: name a file of questions")
    if len(files) == 1 and files[0].suffix == ".parquet":
        table = read_parquet(files[0], QUESTION_SCHEMA)
    else:
        table = read_questions(files)
    return table.to_pandas()


def create_ranker(
    kind: str,
    corpus: Corpus,
    *,
    options: Mapping[str, Any] | None = None,
    base: Mapping[str, Any] | None = None,
    parts: Mapping[str, Mapping[str, Any]] | None = None,
    index: str | Path | None = None,
    seed: int = 2019,
) -> Ranker:
    """Make a ranker search a corpus.

    Args:
        kind: as in a file of ``config/models``, such as ``bm25`` and ``ncs``; the path of a Python
            file with a ranker of your own, which is executed; or the name that a package registered
            under the entry point group ``ncsbench.rankers``. Or the path of a model file, such as
            ``config/models/fused.yaml``, which brings options, base, parts and stop words.
        corpus: what it searches.
        options: its options, as in that file; else their defaults.
        base: kind, options and base of the ranker that it builds on, where it does.
        parts: the same of each ranker that it combines, by name, where it does.
        index: folder that the workflow made, ``data/<dataset>/indexes/<model>``, to read instead
            of making an index here. What learns from pairs needs one; word vectors are trained.
        seed: of everything that draws.

    Raises:
        ConfigurationError: for an unknown kind or option, or where something to learn from lacks.
        DataError: for an index of another corpus or of other options.
    """
    from ncsbench.experiment.model_yaml import is_path
    from ncsbench.rankers.checked_fit import fit_ranker
    from ncsbench.rankers.ranker_options import RankerSpecification
    from ncsbench.rankers.registry import create_ranker as create

    given = {"options": options, "base": base, "parts": parts}
    named = {name: dict(value) for name, value in given.items() if value}
    if is_path(kind):
        specification = _read_model_file(kind, named)
    else:
        specification = RankerSpecification.parse({"kind": kind, **named}, where="model")
    ranker = create(specification, seed=seed)
    if index is not None:
        with one_corpus():
            note_corpus(corpus.folder, corpus.corpus_hash)
            ranker.load(Path(index), corpus=corpus.documents)
        return Ranker(ranker, kind, corpus)
    inputs: FitInputs = {"methods": CorpusFolder(corpus.folder)}
    try:
        if "ncs" in specification.kinds:
            from ncsbench.training.embedding_options import EmbeddingOptions
            from ncsbench.training.word_vectors import train_embedding

            inputs["embedding"], _ = train_embedding(
                corpus.documents, options=EmbeddingOptions(), seed=seed
            )
        fit_ranker(ranker, kind, corpus.documents, inputs)
    except ConfigurationError as error:
        raise ConfigurationError(f"{error}; or give the 'index' that the workflow made") from error
    return Ranker(ranker, kind, corpus)


def _read_model_file(path: str, named: Mapping[str, Any]) -> RankerSpecification:
    """What a model file says of its ranker."""
    from ncsbench.corpus.word_options import WordOptions
    from ncsbench.experiment.configured_model import load_configured
    from ncsbench.experiment.model_yaml import place_model

    if named:
        raise ConfigurationError(
            f"{path}: a model file has its own {', '.join(named)}; write them into the file"
        )
    model = load_configured(place_model(path))
    if model.words != WordOptions():
        raise ConfigurationError(
            f"{path}: its block 'words' is not that of a library corpus, which has the defaults"
        )
    return model.specification


def judge_rankings(rankings: pd.DataFrame, questions: pd.DataFrame, corpus: Corpus) -> pd.DataFrame:
    """Compare every method of rankings with the answer to its question.

    Args:
        rankings: a frame with ``query_id`` and ``method_id``, such as ``Ranker.search`` returns.
        questions: a frame with ``query_id`` and ``answer``.
        corpus: where the methods are.

    Returns:
        The rankings with a column per similarity, each in [0, 1] (``docs/judge.md``).
        Answers and methods that cannot be read as Java are similar to nothing.

    Raises:
        DataError: for a method that the corpus does not have, and for rankings of another corpus.
    """
    from ncsbench.aroma.similarity_names import SIMILARITIES
    from ncsbench.judge.answer_features import read_answers
    from ncsbench.judge.text_scores import score_texts

    _require(rankings, "query_id", "method_id")
    _require(questions, "query_id", "answer")
    if _CORPUS in rankings.attrs:  # else of another tool
        name, corpus_hash = rankings.attrs[_CORPUS]
        check_same_corpus(name, corpus_hash, corpus.folder, corpus.corpus_hash)
    codes = corpus.methods(rankings["method_id"], ["code"])
    judged = score_texts(
        answers=read_answers(dict(zip(questions["query_id"], questions["answer"], strict=True))),
        texts=dict(zip(codes["method_id"], codes["code"], strict=True)),
        rows=rankings["query_id"].to_numpy(np.int32),
        ids=rankings["method_id"].to_numpy(np.int64),
    ).to_pandas()
    judged = judged.rename(columns={"id": "method_id"})
    known = rankings.drop(columns=[name for name in SIMILARITIES if name in rankings])
    return known.merge(judged, on=["query_id", "method_id"], how="left")


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
    """The figures of Table 1 for judged rankings.

    A method answers its question where the similarity is strictly above the threshold.

    Args:
        judged: what ``judge_rankings`` returned.
        questions: all that were asked; those without a ranking count as not answered.
        judge: a column of ``judged``.
        threshold: of the similarity.
        depth: the last rank that counts.
        resamples: of the questions, for the 95 % interval of the MRR.
        seed: of the resamples.

    Returns:
        ``questions``, ``answered_1``, ``answered_5``, ``answered_10``, ``mrr``, ``mrr_low`` and
        ``mrr_high``, as in ``results/table1.csv``.
    """
    from ncsbench.evaluation.intervals import draw_resamples
    from ncsbench.evaluation.judged_rankings import first_hits
    from ncsbench.evaluation.metric_intervals import metric_interval
    from ncsbench.evaluation.metrics import METRICS, measure_ranks

    _require(questions, "query_id")
    _require(judged, "query_id", "rank", judge)
    position = pd.Series(range(len(questions)), index=questions["query_id"])
    above = judged[(judged[judge] > threshold) & (judged["rank"] <= depth)]
    above = above[above["query_id"].isin(position.index)]
    hits = np.zeros((len(questions), depth), np.bool_)
    hits[position[above["query_id"]].to_numpy(), above["rank"].to_numpy() - 1] = True
    ranks = first_hits(hits)
    draws = draw_resamples(len(ranks), np.random.default_rng(seed), resamples=resamples)
    interval = metric_interval(ranks, "mrr", draws, depth=depth)
    return {
        "questions": len(questions),
        **{metric: measure_ranks(ranks, metric, depth) for metric in METRICS},
        "mrr_low": interval.low,
        "mrr_high": interval.high,
    }


def read_table(path: str | Path) -> pd.DataFrame:
    """Read what a run wrote: a table as CSV or Parquet, or a ranking as a TREC run.

    Raises:
        DataError: where there is no such file, or it is damaged.
        ConfigurationError: for a file of another kind.
    """
    from ncsbench.artifacts.hashes import check_file
    from ncsbench.artifacts.storage import read_corpus_hash
    from ncsbench.runs.trec_files import read_run

    file = Path(path)
    if file.suffix not in {".csv", ".parquet", ".trec", ".gz"}:
        raise ConfigurationError(f"{path}: is no table; give a .csv, .parquet, .trec or .trec.gz")
    check_file(file)
    try:
        if file.suffix == ".parquet":
            return _mark(pd.read_parquet(file), file, read_corpus_hash(file))
        if file.suffix == ".csv":
            # Empty is unknown; texts such as NF and None are what they say.
            return pd.read_csv(file, keep_default_na=False, na_values=[""])
        with one_corpus() as noted:
            frame = _show_run(read_run(file))
        return _mark(frame, file, noted[0][1] if noted else "")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise DataError(f"{path}: is damaged ({error})") from error


def _mark(frame: pd.DataFrame, source: Path, corpus_hash: str) -> pd.DataFrame:
    """The frame, which remembers to which corpus its method ids belong where that is known."""
    if corpus_hash:
        frame.attrs[_CORPUS] = [str(source), corpus_hash]
    return frame


def _show_run(run: Run) -> pd.DataFrame:
    from ncsbench.runs.rankings import ranks_in_run

    ranks = ranks_in_run(run)
    columns = {"query_id": run.query_ids, "rank": ranks, "method_id": run.ids, "score": run.scores}
    return pd.DataFrame(columns)


def _require(frame: pd.DataFrame, *columns: str) -> None:
    for column in columns:
        if column not in frame:
            raise ConfigurationError(f"the frame has no column {column!r}, only {list(frame)}")
