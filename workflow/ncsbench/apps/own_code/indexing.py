"""Making the index of a folder, or bringing it up to date."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import ncsbench
from ncsbench.apps.own_code.asking import DEFAULT_MODEL, check_searches
from ncsbench.apps.own_code.code_files import find_code_files, read_code_file
from ncsbench.apps.own_code.index_folder import (
    CORPUS,
    RANKER,
    WORDS,
    AboutIndex,
    IndexFolder,
    is_whole,
    seal,
)
from ncsbench.apps.own_code.pieces import (
    LEDGER,
    METHODS,
    OWN,
    Progress,
    ReadFiles,
    count_methods,
    describe_doubts,
    group_files,
    make_piece,
    name_piece,
    read_doubts,
)
from ncsbench.base.files.hashes import hash_input
from ncsbench.base.files.storage import atomic_folder, format_json
from ncsbench.code.definitions.languages import TITLES
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.assembly import build_corpus
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.corpus.sources.inventory import write_inventory
from ncsbench.corpus.sources.repositories import RepositoryList
from ncsbench.corpus.sources.source_protocol import SourceFile, make_printable
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.files.model_checks import check_packages
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, list_made
from ncsbench.pipeline.freshness.code_imports import CodeTracer
from ncsbench.pipeline.freshness.rule_code import describe_ranker_code
from ncsbench.pipeline.runs.library_models import borrow, describe_learnt, load_configured
from ncsbench.rankers.learnt_kinds import LearntModel
from ncsbench.rankers.model_index import index_learnt
from ncsbench.rankers.ranker_options import RankerSettings
from ncsbench.rankers.registry import anchor
from ncsbench.version import __version__


@dataclass(frozen=True)
class Wanted:
    """Settings that the user gave; None: the setting of the index that exists, or the default.

    Attributes:
        everything: True where files that git ignores are taken.
        model: name of the model.
        vectors: the dataset whose word vectors the model takes.
    """

    everything: bool | None = None
    model: str | None = None
    vectors: str | None = None


def index_folder(
    folder: Path, index: IndexFolder, wanted: Wanted, progress: Progress
) -> tuple[AboutIndex, int]:
    """Index the files of a folder in languages that are read.

    Results of earlier calls are used; the index has the same bytes as one that is made anew.

    Args:
        folder: without links in its path.
        index: place to write to.
        wanted: settings that the user gave.
        progress: is called with how far the work is.

    Returns:
        The content of ``index.json``, and the number of pieces that did not exist before.

    Raises:
        DataError: where the folder holds no method.
        RunIsBusyError: where another call works on the index.
        ConfigurationError: for an unknown model, and for a model that learns from training pairs
            where no dataset is given whose vectors it takes; for one that needs a package that is
            not installed.
    """
    began = time.time_ns()
    with index.locked(), _leave_nothing(index):
        wanted = _keep(wanted, index)
        name = wanted.model or DEFAULT_MODEL
        if wanted.vectors is None:
            model = load_configured(name)
            check_learnt(model)
            learnt = describe_learnt(model, None)
        else:
            model, learnt = borrow(name, wanted.vectors, option=f"--vectors {wanted.vectors}")
        check_packages(model)
        work = _work_on_files(folder, index, wanted, progress)
        about = AboutIndex(
            kind="index of ncsbench",
            version=__version__,
            folder=make_printable(str(folder)),
            everything=bool(wanted.everything),
            asked_model=wanted.model,
            model=name,
            vectors=wanted.vectors,
            ranker=anchor(model.specification),
            seed=model.seed,
            files=sum(not file.reason for file in work.files),
            methods=work.methods,
            left_out={one.path: one.reason for one in work.files + work.unreadable if one.reason},
            doubts=work.doubts,
            others=work.others,
            content=_name_content(work, model, learnt),
            pieces=work.pieces,
        )
        if not is_whole(index.path / about.content):
            made = list_made([model.indexed])
            trains = wanted.vectors is None and any("embedding" in one.keys for one in made)
            progress("making word vectors and index" if trains else "making the index", 0, 0)
            _make_content(index, about, work, model, learnt)
        index.write(about, began)
        index.clean(about)
    return about, work.new_pieces


def check_learnt(model: ModelConfiguration) -> None:
    """Raise ``ConfigurationError`` for a model that learns from training pairs.

    A folder of code has no such pairs. A run made elsewhere is refused, too.
    """
    check_searches(model)
    if model.indexed.pair_sets:
        raise ConfigurationError(
            f"{model.name}: learns from training pairs; take what a dataset of the workflow has: "
            "--vectors DATASET (docs/own-code.md)"
        )


@contextmanager
def _leave_nothing(index: IndexFolder) -> Iterator[None]:
    """Remove the folder of the index again where the first call for it fails."""
    try:
        yield
    except Exception:
        if index.read_raw() is None:
            index.clean(None)
        raise


@dataclass
class _Work:
    """The files of a folder and their results, in order.

    Attributes:
        files: every file in a language that is read, without its content.
        unreadable: folders that cannot be looked into.
        pieces: names of the pieces of the files.
        methods: number of methods in the files.
        new_pieces: number of pieces that did not exist before.
        doubts: files that may be read wrongly, with the reason.
        others: numbers of the folder's files of other languages, in words.
    """

    files: list[SourceFile] = field(default_factory=list)
    unreadable: list[SourceFile] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    methods: int = 0
    new_pieces: int = 0
    doubts: dict[str, str] = field(default_factory=dict)
    others: str = ""


def _keep(wanted: Wanted, index: IndexFolder) -> Wanted:
    """Fill settings that the user did not give with those of the index, where there is one."""
    before = index.read_raw() or {}
    # The vectors of the former model may be no use to another one.
    vectors = before.get("vectors") if wanted.model is None else None
    everything = before.get("everything") if wanted.everything is None else wanted.everything
    model = wanted.model or before.get("asked_model")
    return Wanted(everything, model, wanted.vectors or vectors)


def _work_on_files(folder: Path, index: IndexFolder, wanted: Wanted, progress: Progress) -> _Work:
    found = find_code_files(folder, everything=bool(wanted.everything))
    paths = found.paths
    work = _Work(unreadable=found.unreadable, others=found.describe_others())
    if not paths:
        hint = " that git does not ignore (--all takes all)" if found.by_git else ""
        others = f", but {work.others}" if work.others else ""
        raise DataError(
            f"{folder}: holds no file{hint} in a language that is read{others}; name a folder with "
            f"{', '.join(TITLES)} in or below it"
        )
    for group in group_files(paths):
        files = [read_code_file(folder, path) for path in group]
        piece = name_piece(files)
        path = index.pieces / piece
        if not is_whole(path):
            make_piece(path, files)
            work.new_pieces += 1
        work.files += [SourceFile(file.path, None, file.reason) for file in files]
        work.pieces.append(piece)
        work.methods += count_methods(path)
        work.doubts |= read_doubts(path)
        progress("files", len(work.files), len(paths))
    if not work.methods:
        told = "; ".join(filter(None, [f"{len(paths)} of them", describe_doubts(work.doubts)]))
        raise DataError(f"{folder}: its files define nothing ({told})")
    return work


def _name_content(work: _Work, model: ModelConfiguration, learnt: LearntModel) -> str:
    tracer = CodeTracer(Path(str(ncsbench.__file__)).parent)
    ranker = anchor(model.specification)
    made_of = [
        __version__,
        work.pieces,
        RankerSettings(ranker=ranker, seed=model.seed).as_json(),
        [one.keys for one in list_made([model.indexed])],
        learnt.fingerprint(),
        # Code of rankers of the user's own, which the version does not determine.
        [describe_ranker_code(kind, tracer, {}) for kind in ranker.kinds],
        {name: hash_input(Path(path)) for name, path in model.files.items()},
    ]
    return hashlib.sha256(format_json(made_of).encode()).hexdigest()[:24]


def _make_content(
    index: IndexFolder,
    about: AboutIndex,
    work: _Work,
    model: ModelConfiguration,
    learnt: LearntModel,
) -> None:
    pieces = [index.pieces / name for name in work.pieces]
    with atomic_folder(index.path / about.content) as folder:
        corpus = CorpusFolder(folder / CORPUS)
        write_inventory(
            RepositoryList([OWN], []), ReadFiles(work.files), output=corpus.inventory_path
        )
        build_corpus(
            extracted=[piece / METHODS for piece in pieces],
            ledgers=[piece / LEDGER for piece in pieces],
            inventory=corpus.inventory_path,
            corpus=corpus,
        )
        index_learnt(
            learnt,
            corpus=corpus,
            make_words=lambda options: build_documents(corpus, options),
            words=folder / WORDS,
            output=folder / RANKER,
        )
        seal(folder)
