"""Methods like a method of a file, or like a piece of Java (docs/structural-search.md)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ncsbench.aroma.features import FeatureSet
from ncsbench.corpus.extraction import decode_source
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.judge.answers import features_of_answer
from ncsbench.judge.judge_index import IndexBlock, JudgeIndex
from ncsbench.languages.java_methods import parse_methods
from ncsbench.own_code.index_folder import CORPUS, IndexFolder
from ncsbench.own_code.java_files import read_java_file
from ncsbench.own_code.pieces import read_blocks
from ncsbench.own_code.shown_methods import show_path
from ncsbench.structural_search.search import (
    FoundMethod,
    SearchOptions,
    SearchResult,
    find_candidates,
    rank_pruned,
    recommend,
)
from ncsbench.structural_search.shown_results import describe_result

_PLACE = re.compile(r"(.+):(\d{1,9})")


@dataclass(frozen=True)
class Snippet:
    """A piece of Java, and where it stands.

    Attributes:
        name: what to call it.
        features: of it.
        file: that it stands in; None for the standard input.
        start_line: of the method that it is; 0 for a whole text.
    """

    name: str
    features: FeatureSet
    file: Path | None = None
    start_line: int = 0


def read_snippet(place: str) -> Snippet:
    """A method by ``FILE:LINE``, all of a file by ``FILE``, the standard input by ``-``.

    Raises:
        DataError: where there is none, or it cannot be read as Java.
    """
    if place == "-":
        text = sys.stdin.buffer.read().decode("utf-8-sig", "replace")
        return Snippet("the standard input", _read_features(text, "the standard input"))
    found = _PLACE.fullmatch(place)
    path, line = (Path(found[1]), int(found[2])) if found else (Path(place), 0)
    full = path.resolve()  # a link that the user names is the user's own
    file = read_java_file(full.parent, full.name)
    if file.data is None:
        raise DataError(f"{path}: {file.reason}")
    text, _ = decode_source(file.data)
    if not line:
        return Snippet(place, _read_features(text, place), full)
    around = [
        method
        for method in parse_methods(text.encode("utf-8", "replace")).methods
        if method.start_line <= line <= method.end_line
    ]
    if not around:
        raise DataError(f"{place}: no method stands on this line; name a line of one")
    innermost = max(around, key=lambda method: method.start_line)
    return Snippet(place, _read_features(innermost.code, place), full, innermost.start_line)


def find_similar(
    snippet: Snippet,
    index: IndexFolder | None,
    dataset: Path | None,
    *,
    top: int,
    options: SearchOptions,
) -> dict[str, Any]:
    """Methods like a piece of Java, without the method itself; as ``describe_result`` has them.

    Args:
        snippet: what to search for.
        index: of a folder; None where a dataset is searched.
        dataset: its folder ``data/<name>``.
        top: how many methods are listed.
        options: of the search.
    """
    if index is not None:
        about = index.read()
        corpus = CorpusFolder(index.content(about.content) / CORPUS)
        blocks = _open_own(index, about.pieces, corpus)
        folder: Path | None = Path(about.folder)
        own = _find_itself(snippet, corpus, Path(about.folder))
    else:
        assert dataset is not None  # noqa: S101
        corpus, folder, own = CorpusFolder(dataset / "corpus"), None, None
        corpus.check_built()
        blocks = _open_dataset(dataset)
    candidates = find_candidates(snippet.features, blocks, options)
    methods = _leave_out(own, rank_pruned(snippet.features, candidates, options))
    result = SearchResult(methods, recommend(snippet.features, methods, options))
    found = describe_result(snippet.features, result, corpus.path, top)
    if folder is not None:
        members = [one for each in found["recommendations"] for one in each["members"]]
        # A method may be in several places.
        for method in {id(one): one for one in [*found["methods"], *members]}.values():
            method |= {"repository": "", "path": show_path(method["path"], folder)}
    return found


def _read_features(text: str, name: str) -> FeatureSet:
    features = features_of_answer(text)
    if features is None or not features.size:
        raise DataError(
            f"{name}: cannot be read as Java; give statements, methods or a class with names in it"
        )
    return features


def _find_itself(snippet: Snippet, corpus: CorpusFolder, folder: Path) -> int | None:
    """The id of the method that the snippet is; None where it is none of the index."""
    if snippet.file is None or folder not in snippet.file.parents:
        return None
    path = snippet.file.relative_to(folder).as_posix()
    for table in corpus.iterate_methods(["id", "path", "start_line"]):
        for row in table.to_pylist():
            if row["path"] == path and row["start_line"] == snippet.start_line:
                return int(row["id"])
    return None


def _leave_out(own: int | None, methods: Iterable[FoundMethod]) -> tuple[FoundMethod, ...]:
    """The methods without one; its copies stay."""
    kept = []
    for method in methods:
        copies = tuple(id_ for id_ in method.copies if id_ != own)
        if method.id != own:
            kept.append(replace(method, copies=copies))
        elif copies:
            kept.append(replace(method, id=copies[0], copies=copies[1:]))
    return tuple(kept)


def _open_own(index: IndexFolder, pieces: list[str], corpus: CorpusFolder) -> Iterator[IndexBlock]:
    shards = corpus.manifest()["shards"]
    for name, shard in zip(pieces, shards, strict=True):
        yield from read_blocks(index.pieces / name, int(shard["first_id"]))


def _open_dataset(data: Path) -> Iterator[IndexBlock]:
    CorpusFolder(data / "corpus").manifest()  # says which corpus the index must belong to
    return JudgeIndex(data / "judge_index").blocks()
