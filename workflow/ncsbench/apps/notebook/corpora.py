"""Corpora and questions, which rankers and experiments of ``import ncsbench`` take."""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.base.runs.ranking_frames import check_argument, read_ids, read_query_ids
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.corpus_settings import Duplicates
from ncsbench.corpus.layout.document_ids import find_methods, read_document_id
from ncsbench.corpus.layout.documents import Documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from ncsbench.corpus.layout.corpus_settings import WordOptions
    from ncsbench.pipeline.files.model_configuration import ModelConfiguration


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

    def __repr__(self) -> str:
        return f"Corpus({len(self):,} methods in {self.folder})"

    def __len__(self) -> int:
        return self._count

    def methods(
        self, ids: Iterable[Any] | None = None, columns: Sequence[str] = _PLACE
    ) -> pd.DataFrame:
        """Read columns of methods, one line for each distinct id, in the order of the ids given.

        Args:
            ids: ids of methods, such as the column ``method_id`` of a ranking, or document ids such
                as ``owner/repo/path/File.java:12``; None for all methods, ascending.
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
        wanted = list(range(len(self)) if ids is None else dict.fromkeys(self.find_ids(ids)))
        found = self._files.read_methods(wanted, list(columns))
        rows = [(id_, *(found[id_][name] for name in columns)) for id_ in wanted]
        return pd.DataFrame(rows, columns=["method_id", *columns])

    def find_ids(self, values: Iterable[Any]) -> NDArray[np.int64]:
        """Return the id of each method, which is named by it or by its document id."""
        values = list(values)
        named = {text: read_document_id(text) for text in values if isinstance(text, str)}
        places = {text: place for text, place in named.items() if place}
        found = find_methods(self._files, places.values()) if places else {}
        known = {text: found.get(place, text) for text, place in places.items()}
        ids = (known.get(one, one) if isinstance(one, str) else one for one in values)
        return read_ids(ids, "method_id", last=len(self) - 1)

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

        remedy = "give create_ranker the 'index' that the workflow made, data/<dataset>/indexes/"
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


@dataclass(frozen=True, repr=False, eq=False)
class Dataset:
    """Questions, and the corpus that is searched for them.

    Attributes:
        corpus: a built corpus.
        questions: a frame with ``query_id``, ``question`` and ``answer``.
    """

    corpus: Corpus
    questions: pd.DataFrame

    def __post_init__(self) -> None:
        check_argument("corpus", self.corpus, Corpus)
        if not len(read_query_ids(self.questions)):
            raise ConfigurationError("the frame of questions is empty; give those that are asked")

    def __repr__(self) -> str:
        return f"Dataset({len(self.questions):,} questions, {len(self.corpus):,} methods)"


def load_dataset(dataset: str | Path) -> Dataset:
    """Open a dataset that the workflow built.

    Args:
        dataset: name of the dataset, whose folder is ``data/<name>`` below the working directory;
            or path of such a folder.

    Raises:
        DataError: where the folder has no corpus or no questions.
    """
    check_argument("dataset", dataset, str | Path)
    named = Path("data", dataset)
    folder = named if named.is_dir() else Path(dataset)
    return Dataset(load_corpus(folder / "corpus"), load_questions(folder / "questions.parquet"))


def load_sample() -> Dataset:
    """Load the embedded sample, 40 questions on 925 methods; its corpus is built in a second.

    The sample was written for this project. Its corpus is that of ``data/sample``, in a temporary
    folder.

    Raises:
        ConfigurationError: where the library is not in a checkout of ncsbench.
    """
    from ncsbench.pipeline.runs.library_models import find_home

    sample = find_home() / "resources" / "sample"
    if not sample.is_dir():
        raise ConfigurationError(
            "the sample is in a checkout of ncsbench alone; clone it and install it with "
            "'pip install -e .', or use load_dataset or load_index"
        )
    return Dataset(load_corpus(_build(sample)), load_questions(sample / "questions.json"))


@cache
def _build(sample: Path) -> Path:
    """Build the corpus of the sample in a folder that is removed when the process ends."""
    from ncsbench.corpus.methods.assembly import build_corpus
    from ncsbench.corpus.methods.extraction import extract_methods
    from ncsbench.corpus.sources.inventory import iterate_shard, write_inventory
    from ncsbench.corpus.sources.listing import open_source
    from ncsbench.corpus.sources.repositories import read_repositories

    folder = Path(tempfile.mkdtemp(prefix="ncsbench-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    source = open_source("directory", str(sample / "repositories"))
    corpus, methods = CorpusFolder(folder / "corpus"), folder / "methods.parquet"
    inventory, ledger = folder / "inventory.parquet", folder / "ledger.parquet"
    write_inventory(read_repositories(sample / "repositories.csv"), source, output=inventory)
    files = iterate_shard(inventory, shard=0, shards=1)
    extract_methods(files, source, methods=methods, ledger=ledger)
    build_corpus(extracted=[methods], ledgers=[ledger], inventory=inventory, corpus=corpus)
    return corpus.path
