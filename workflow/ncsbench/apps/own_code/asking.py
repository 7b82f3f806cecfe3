"""Questions to an index, or to a dataset of the workflow, and the places of the methods found."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncsbench.apps.own_code.code_files import find_on_disk, read_code_file
from ncsbench.apps.own_code.index_folder import (
    CORPUS,
    RANKER,
    WORDS,
    IndexFolder,
    place_index,
)
from ncsbench.apps.own_code.result_list import (
    FILE_DEPTH,
    RankedResult,
    WantedList,
    gather_by_file,
)
from ncsbench.base.runs.rankings import Query, Run
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.corpus.layout.documents import load_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.errors import ConfigurationError, DataError, NcsbenchError
from ncsbench.rankers.checked_search import CheckedSearch
from ncsbench.rankers.lexical.code_bm25 import CodeBM25
from ncsbench.rankers.ranker_options import RankerSpecification
from ncsbench.rankers.registry import SUFFIX, create_ranker

if TYPE_CHECKING:
    from ncsbench.pipeline.files.model_configuration import ModelConfiguration
    from ncsbench.rankers.protocol import Ranker

DEFAULT_MODEL = "code_bm25"
"""Model of an index where the user names none; chosen on public queries (docs/own-code.md)."""
_ROWS = ("elasticsearch_class_names", "elasticsearch_camel_case", "bm25")
"""Rows that search a dataset: the first of these rows that the dataset has, else its own first."""
_TRIAL = "search"
"""Name of the trial for a model that is no row of the dataset: its index is found as a trial's."""
_NAME_COLUMNS = ["class_name", "method_name"]
_COLUMNS = ["path", "start_line", "end_line", *_NAME_COLUMNS, "code"]


@dataclass(frozen=True)
class Searched:
    """The files that are searched: those of an index, or those of a dataset.

    Attributes:
        corpus: folder of the methods.
        words: folder of the corpus as words.
        ranker: folder of the model's index.
        model: name of the model.
        specification: of the model's ranker.
        seed: of all random numbers.
        folder: the folder that was indexed; None for a dataset.
        index: of the folder; None for a dataset.
    """

    corpus: Path
    words: Path
    ranker: Path
    model: str
    specification: RankerSpecification
    seed: int
    folder: Path | None = None
    index: IndexFolder | None = None


@dataclass(frozen=True)
class OtherMethod:
    """A further method of a file that is a result; attributes are those of ``FoundMethod``."""

    start_line: int
    end_line: int
    class_name: str
    method_name: str


@dataclass(frozen=True)
class FoundMethod:
    """A method that answers a question.

    Attributes:
        rank: of the method, from 1.
        score: that the model gives.
        path: of the file, below the folder that was indexed; for a dataset with the repository's
            owner and name before it.
        start_line: line of the method's name, from 1.
        end_line: line of the method's closing brace.
        class_name: name of the method's class.
        method_name: name of the method.
        code: text of the method when it was indexed.
        matched: words of the question that the method has, with their scores, as far as the model
            says so.
        rules: further reasons of its score, in words.
        copies: ``path:line`` of further results with the same text.
        others: further results of the same file, where a file is one result, best first.
        current: True where the method is still at this place; always True for a dataset.
        gone: True where the method's file no longer exists.
    """

    rank: int
    score: float
    path: str
    start_line: int
    end_line: int
    class_name: str
    method_name: str
    code: str
    matched: Mapping[str, float] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    others: tuple[OtherMethod, ...] = ()
    current: bool = True
    gone: bool = False


def open_own(index: IndexFolder, model: str | None) -> Searched:
    """Open the index of a folder.

    Args:
        index: folder of the index.
        model: that the index must have; None: any model.

    Raises:
        DataError: where there is no index, or only an index of another version.
        ConfigurationError: where the index has another model, or its model is a Python file that
            the user must name.
    """
    about = index.read()
    folder = find_on_disk(index.path, about.folder)
    in_cache = place_index(folder, None) == index
    specification = about.ranker
    files = [kind for kind in specification.kinds if kind.endswith(SUFFIX)]
    if model is not None:
        from ncsbench.pipeline.files.model_files import place_model
        from ncsbench.pipeline.runs.library_models import load_configured

        chosen = load_configured(place_model(model))  # names all models for an unknown one
        if place_model(model) != about.model:
            raise ConfigurationError(
                f"the index of {about.folder} has the model {about.model}; for this one "
                f"{index.describe_remedy()} --model {model}"
            )
        # Others may have made an index that is not in the cache: of such an index only files that
        # the user names are executed.
        specification = chosen.specification if files else specification
    elif files and not in_cache:
        raise ConfigurationError(
            f"{index.path}: its model is a Python file, {files[0]}, which a search executes; if it "
            "is yours, name it: --model FILE.yaml"
        )
    content = index.path / about.content
    if not content.is_dir():
        raise DataError(f"{content}: is gone; {index.describe_remedy()}")
    return Searched(
        corpus=content / CORPUS,
        words=content / WORDS,
        ranker=content / RANKER,
        model=about.model,
        specification=specification,
        seed=about.seed,
        folder=folder,
        index=index,
    )


def open_dataset(dataset: str, model: str | None) -> Searched:
    """Open a dataset that the workflow built in this folder.

    Args:
        dataset: its name or file.
        model: a row of the dataset's table, or any other model, by name or path, of which a trial
            made an index; None: one of the rows.

    Raises:
        ConfigurationError: for an unknown dataset or model.
        DataError: where the dataset has no index of the model.
    """
    from ncsbench.pipeline.files.model_files import is_path, name_models, name_rows
    from ncsbench.pipeline.runs.library_models import read_workflow
    from ncsbench.pipeline.runs.run import load_run

    config = {**read_workflow(f"--dataset {dataset}"), "dataset": dataset}
    run, asked = load_run(config, root=Path()), f"dataset={dataset}"
    if model and (is_path(model) or (model not in run.runs and model in name_models(Path()))):
        run = load_run(config | {"trial": _TRIAL, "models": [model]}, root=Path())
        asked += f" trial={_TRIAL} 'models=[{model}]'"
        (model,) = name_rows([model])
    data = Path("data", run.dataset)
    corpus = CorpusFolder(data / "corpus")
    corpus.check_built()
    name = model or next(one for one in (*_ROWS, *run.models) if one in run.models)
    if name not in run.runs:
        raise ConfigurationError(f"{dataset}: has no row {name}; it has {', '.join(run.models)}")
    check_searches(run.runs[name])
    ranker = data / "indexes" / run.index_of[name].name
    if not ranker.is_dir():
        raise DataError(
            f"{ranker}: is not there; make it: snakemake --cores all {ranker} --config {asked}"
        )
    chosen = run.runs[name]
    return Searched(
        corpus=corpus.path,
        words=data / "words" / chosen.keys["words"],
        ranker=ranker,
        model=name,
        specification=chosen.specification,
        seed=chosen.seed,
    )


def check_searches(model: ModelConfiguration) -> None:
    """Raise ``ConfigurationError`` for a run made elsewhere: it answers its own questions alone."""
    if model.given:
        raise ConfigurationError(
            f"{model.name}: is a run made elsewhere, which answers the questions of its dataset "
            "alone and cannot be searched; choose another model"
        )


def load_search(searched: Searched) -> Ranker:
    """Load the ranker of an index.

    Raises:
        DataError: where a file of the index is damaged.
    """
    ranker = create_ranker(searched.specification, seed=searched.seed)
    try:
        documents = load_documents(searched.words, CorpusFolder(searched.corpus))
        ranker.load(searched.ranker, corpus=documents)
    except (NcsbenchError, ValueError, KeyError, TypeError) as error:
        if searched.index is None:
            raise
        raise DataError(
            f"the index of {searched.folder} is damaged ({str(error)[:200]}); "
            f"{searched.index.describe_remedy()}"
        ) from error
    return ranker


class Asked:
    """An index that is loaded, ready for questions.

    Raises:
        DataError: where a file of the index is damaged.
    """

    def __init__(self, searched: Searched) -> None:
        self._corpus = CorpusFolder(searched.corpus)
        self._folder = searched.folder
        methods = int(self._corpus.manifest()["methods"])
        self._ranker = load_search(searched)
        self._search = CheckedSearch(self._ranker, searched.model, methods)

    def find_unknown(self, question: str) -> list[str]:
        """Return the words of a question that nothing in the index has; none if unknown."""
        return self._ranker.find_unknown(question) if isinstance(self._ranker, CodeBM25) else []

    def is_unnamed(self, question: str) -> bool:
        """Say whether a question is one name, which no definition has; False if unknown."""
        return isinstance(self._ranker, CodeBM25) and self._ranker.is_unnamed(question)

    def find(self, question: str, wanted: WantedList) -> list[FoundMethod]:
        """Return the best results for a question; fewer, or an empty list, if no more fit.

        Methods with the same text are one result, at the rank of the first; its copies are found
        among a few more results than were asked for.
        """
        k = wanted.k
        depth = 2 * k + 10 if wanted == WantedList(k) else FILE_DEPTH
        while True:
            run = self._search.search([Query(1, question)], k=depth)
            found = self._merge(question, self._list_results(run, wanted), k)
            if len(found) == k or len(run.ids) < depth:
                return found
            depth *= 4

    def _list_results(self, run: Run, wanted: WantedList) -> list[RankedResult]:
        ranked = list(zip(run.ids.tolist(), run.scores.tolist(), strict=True))
        if (only := wanted.only) is not None:
            ranked = [(id_, score) for id_, score in ranked if only.takes(self._paths[id_])]
        if wanted.by == "file":
            return gather_by_file(ranked, self._paths)
        return [RankedResult(id_, score) for id_, score in ranked]

    @cached_property
    def _paths(self) -> list[str]:
        """Paths of all methods by id; of a dataset with the repository before them."""
        tables = self._corpus.iterate_methods(["repository", "path"])
        rows = (self._place(row) for table in tables for row in table.to_pylist())
        return [sys.intern(row["path"]) for row in rows]

    def _merge(self, question: str, results: list[RankedResult], k: int) -> list[FoundMethod]:
        found: dict[str, FoundMethod] = {}
        step = 2 * k + 10
        for start in range(0, len(results), step):
            listed = results[start : start + step]
            rows = self._read([one.id for one in listed], _COLUMNS)
            for one in listed:
                row = rows[one.id]
                code = row["code"]
                if code in found:
                    copies = (*found[code].copies, f"{row['path']}:{row['start_line']}")
                    found[code] = replace(found[code], copies=copies)
                elif len(found) < k:
                    found[code] = self._describe(question, row, one, len(found) + 1)
            if len(found) == k:
                break
        return list(found.values())

    def _describe(
        self, question: str, row: dict[str, Any], result: RankedResult, rank: int
    ) -> FoundMethod:
        others = self._read(result.others, ["start_line", "end_line", *_NAME_COLUMNS])
        matched, rules = (
            self._ranker.explain(question, result.id)
            if isinstance(self._ranker, CodeBM25)
            else ({}, [])
        )
        if result.added:
            rules.append(f"+ {result.added:.1f} of the next four of the file")
        state: dict[str, Any] = {} if self._folder is None else compare_with_disk(row, self._folder)
        return FoundMethod(
            rank=rank,
            score=result.score,
            matched=matched,
            rules=tuple(rules),
            others=tuple(OtherMethod(**others[id_]) for id_ in result.others),
            **row,
            **state,
        )

    def _read(self, ids: Sequence[int], columns: list[str]) -> dict[int, dict[str, Any]]:
        """Return columns of methods by id; paths of a dataset begin with the repository."""
        if not ids:
            return {}
        rows = self._corpus.read_methods(ids, ["repository", *columns])
        return {id_: self._place(dict(row)) for id_, row in rows.items()}

    def _place(self, row: dict[str, Any]) -> dict[str, Any]:
        repository = row.pop("repository")
        row.pop("id", None)
        if self._folder is None and "path" in row:
            row["path"] = f"{repository}/{row['path']}"
        return row


def compare_with_disk(method: Mapping[str, Any], folder: Path) -> dict[str, bool]:
    """Return ``current`` and ``gone`` of ``FoundMethod`` for a method.

    Args:
        method: with path, start_line, method_name and code.
        folder: that was indexed.
    """
    text, _ = decode_source(read_code_file(folder, method["path"]).data or b"")
    lines, code = text.split("\n")[method["start_line"] - 1 :], method["code"]
    line = "".join(lines[:1])
    # Code of no definition has the name of its file, and begins with its line.
    placed = method["method_name"] in line or "\\u" in line or "\n".join(lines).startswith(code)
    return {
        "current": placed and code in text,
        "gone": not os.path.lexists(find_on_disk(folder, method["path"])),
    }
