"""``ncsbench runs add``: a run made elsewhere becomes a model file and two tracked files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.files.storage import copy_file, write_text
from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.measures.results import CEILING
from ncsbench.pipeline.files.dataset_file import DatasetFile, find_dataset_file
from ncsbench.pipeline.files.model_files import name_models
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.posts.questions.questions_file import read_queries
from ncsbench.rankers.combined.given_rankings import hash_title, read_rankings, write_asked

KIND = "given_run"
_COPIES = {".gz": "run.trec.gz", ".parquet": "run.parquet"}
_CONFIGURATION = Path("config/config.yaml")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_HASH = re.compile(r"[0-9a-f]{12,64}")
_LISTED = 10
_ELSEWHERE = "a run made elsewhere"
_FILE = """\
# yaml-language-server: $schema=../../workflow/schemas/model.schema.json
# A run made elsewhere, checked and written by `ncsbench runs add` (docs/add-a-model.md).
kind: given_run
{trained_on}
source_text: true   # its documents are looked up in the corpus
options:
  run: {run}
  questions: {questions}
  corpus: {corpus}
"""


class AddedRun(NamedTuple):
    """A run that was added.

    Attributes:
        dataset: name of the dataset that it was checked against.
        told: a line on the content of the run and on the place where it lies now.
        warnings: lines on results that the run lacks.
    """

    dataset: str
    told: str
    warnings: list[str]


def add_run(
    path: Path,
    *,
    name: str,
    corpus_hash: str | None = None,
    dataset: str | None = None,
    trained_on: str | None = None,
    replace: bool = False,
) -> AddedRun:
    """Check a run against a built dataset, copy it and write its model file.

    The working directory must be the folder of the Snakefile. The model file is written last, so
    that a kill leaves no row that was not checked.

    Args:
        path: a run (``rankers.combined.given_rankings.read_given_run``).
        name: name of the new model.
        corpus_hash: hash of the corpus that was searched, or its first 12 digits or more; None
            where the tag of every line names the corpus.
        dataset: name or file of the dataset; None for that of the configuration.
        trained_on: the data that the model learnt from, in the words of the table.
        replace: True replaces an earlier run of this name.

    Raises:
        ConfigurationError: for a name that is taken or impossible, and where there is no such
            dataset.
        DataError: where the dataset is not built, or the run does not fit it.
    """
    if not _CONFIGURATION.is_file():
        raise ConfigurationError(
            f"there is no {_CONFIGURATION} here; call this in the folder of the Snakefile"
        )
    options = RunOptions.parse(read_yaml(_CONFIGURATION), where=str(_CONFIGURATION))
    model = Path("config", "models", f"{name}.yaml")
    _check_name(name, model, replace=replace)
    file = find_dataset_file(dataset or options.dataset, Path())
    built = DatasetFile.parse(read_yaml(file), where=str(file)).name
    corpus = CorpusFolder(Path("data", built, "corpus"))
    corpus.check_built()
    known = str(corpus.manifest()["corpus_hash"])
    if corpus_hash is not None:
        _check_corpus(corpus_hash, known, corpus)
    queries = _read_queries(Path("data", built, "questions.parquet"), built)
    titles = {one.query_id: hash_title(one.text) for one in queries}
    rankings = read_rankings(path, corpus, titles, named=corpus_hash is None)
    folder = Path("config", "runs", name)
    copy = folder / _COPIES.get(path.suffix, "run.trec")
    copy_file(path, copy)
    write_asked(folder / "questions.csv", queries)
    said = f"{trained_on}; {_ELSEWHERE}" if trained_on else _ELSEWHERE
    text = _FILE.format(
        trained_on=yaml.safe_dump({"trained_on": said}, width=10**6, allow_unicode=True).strip(),
        run=copy,
        questions=folder / "questions.csv",
        corpus=known,
    )
    write_text(model, text)
    ids, counts = np.unique(rankings.query_ids, return_counts=True)
    empty = sorted({one.query_id for one in queries} - set(ids.tolist()))
    told = (
        f"{len(rankings.ids):,} results for {len(ids):,} of {len(queries)} questions of {built}: "
        f"{folder}/ and {model}; they belong into git"
    )
    short = int((counts < options.depth).sum())
    return AddedRun(built, told, describe_lack(empty, len(queries), short, options.depth))


def describe_lack(empty: Sequence[int], questions: int, short: int, depth: int) -> list[str]:
    """Write warnings about results that a run lacks.

    Args:
        empty: query ids of questions without a result.
        questions: number of questions of the dataset.
        short: number of questions with some results, and fewer than ``depth``.
        depth: depth of the rankings that the configuration measures.
    """
    warnings = []
    if empty:
        listed = ", ".join(map(str, empty[:_LISTED])) + ", ..." * (len(empty) > _LISTED)
        warnings.append(
            f"{len(empty):,} of {questions:,} questions have no result and count as not found: "
            f"{listed}"
        )
    if short:
        have = "1 question has" if short == 1 else f"{short:,} questions have"
        warnings.append(
            f"{have} fewer than {depth} results, the depth of the tables; what is not there counts "
            "as not found"
        )
    return warnings


def _check_name(name: str, model: Path, *, replace: bool) -> None:
    if not _NAME.fullmatch(name) or name == CEILING:
        raise ConfigurationError(
            f"--name {name!r}: must be a letter and at most 63 letters, digits and '_', other than "
            f"{CEILING!r}, a row of every table"
        )
    if name not in name_models(Path()):
        return
    values = read_yaml(model)
    if not isinstance(values, dict) or values.get("kind") != KIND:
        raise ConfigurationError(f"--name {name}: {model} is another model; choose another name")
    if not replace:
        raise ConfigurationError(
            f"--name {name}: {model} is there; --replace puts this run in its place, or choose "
            "another name"
        )


def _check_corpus(given: str, known: str, corpus: CorpusFolder) -> None:
    if not _HASH.fullmatch(given):
        raise ConfigurationError(
            f"--corpus {given!r}: must be the hash of a corpus or its first 12 digits, as in "
            f"{corpus.manifest_path} and in the tag of every run"
        )
    if not known.startswith(given):
        raise DataError(
            f"--corpus {given[:12]}: {corpus.path} is corpus {known[:12]}; name the dataset that "
            "was searched with --dataset, or search this one"
        )


def _read_queries(path: Path, dataset: str) -> list[Query]:
    if not path.is_file():
        raise DataError(
            f"{path}: is not there yet; make it first: snakemake --cores all --config "
            f"dataset={dataset} -- {path}"
        )
    queries = read_queries(path)
    if not queries:
        raise DataError(f"{path}: holds no question that a run could answer")
    return queries
