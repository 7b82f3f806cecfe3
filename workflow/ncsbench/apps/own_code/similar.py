"""Search for methods like a method of a file, or like a piece of Java (docs/own-code.md)."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from ncsbench.apps.own_code.asking import compare_with_disk
from ncsbench.apps.own_code.code_files import find_on_disk, read_code_file
from ncsbench.apps.own_code.index_folder import CORPUS, STRUCTURE, IndexFolder, is_whole, seal
from ncsbench.apps.own_code.pieces import METHODS, Progress
from ncsbench.apps.own_code.shown_methods import CHANGED, GONE, format_plain, show_path
from ncsbench.base.files.storage import atomic_folder, iterate_tables
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.aroma.features import FeatureSet
from ncsbench.code.definitions.languages import find_language_of
from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.corpus.layout.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.corpus_settings import MethodOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.definition_extraction import is_java_method
from ncsbench.corpus.sources.source_protocol import MAXIMUM_BYTES, check_size, make_printable
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.evaluation.judge.compiled_code import compile_once, is_compiled
from ncsbench.evaluation.judge.judge_index import IndexBlock, JudgeIndex, build_shard
from ncsbench.evaluation.structural_search.search import (
    FoundMethod,
    SearchOptions,
    SearchResult,
    find_candidates,
    rank_pruned,
    recommend,
)
from ncsbench.evaluation.structural_search.shown_results import describe_result, format_result

_PLACE = re.compile(r"(.+?):(\d{1,9})(?::\d{1,9})?:?", re.DOTALL)
_HEAD = re.compile(r"@[^;{}]+|[\w<>\[\]?,.& ]+")
_METHODS = MethodOptions()
_TREE_COLUMNS = ["code", "path", "kinds"]


@dataclass(frozen=True)
class Snippet:
    """A piece of Java, and its place.

    Attributes:
        name: of the piece in messages.
        features: of the piece, for the search.
        file: of the piece; None for the standard input.
        method: the method that the piece is; None for a whole text.
    """

    name: str
    features: FeatureSet
    file: Path | None = None
    method: Method | None = None


def read_snippet(place: str) -> Snippet:
    """Read a method by ``FILE:LINE``, all of a file by ``FILE``, the standard input by ``-``.

    A column after the line, as compilers print it, is ignored.

    Raises:
        DataError: where there is no such method or file, or it cannot be read as Java.
    """
    if place == "-":
        data = sys.stdin.buffer.read(MAXIMUM_BYTES + 1)
        if reason := check_size(len(data)):
            raise DataError(f"the standard input: {reason}")
        text = data.decode("utf-8-sig", "replace")
        if not text.strip():
            raise DataError("the standard input: is empty; give it Java")
        return Snippet("the standard input", _read_features(text, "the standard input"))
    found = _PLACE.fullmatch(place)
    path, line = (Path(found[1]), int(found[2])) if found else (Path(place), 0)
    language = find_language_of(path.name)
    if language is not None and language.title != "Java":
        raise DataError(f"{path}: is {language.title}; similar code is found in Java alone")
    full = path.resolve()  # a link that the user names is the user's own
    file = read_code_file(full.parent, full.name)
    if file.data is None:
        raise DataError(f"{path}: {file.reason}")
    text, _ = decode_source(file.data)
    if not found:
        return Snippet(place, _read_features(text, place), full)
    parsed = parse_methods(text.encode("utf-8", "replace")).methods
    method = _find_method(
        [one for one in parsed if not _METHODS.leaves_out(one.place)], text.split("\n"), line
    )
    if method is None:
        raise DataError(
            f"{place}: no method is on this line; name a line of one (constructors, fields and "
            "methods without a body do not count)"
        )
    return Snippet(place, _read_features(method.code, place), full, method)


def _find_method(methods: Sequence[Method], lines: Sequence[str], line: int) -> Method | None:
    """Return the innermost method on a line; its comment, annotations and modifiers count, too."""
    around = [one for one in methods if _find_head(one, lines) <= line <= one.end_line]
    return max(around, key=lambda one: one.start_line, default=None)


def _find_head(method: Method, lines: Sequence[str]) -> int:
    """Return the line on which the comment, the annotations or the modifiers of a method begin."""
    first = method.start_line
    while first > 1 and _HEAD.fullmatch(lines[first - 2].strip()):
        first -= 1
    comment = (method.comment or "").split("\n")
    before = [one.strip() for one in lines[max(first - 1 - len(comment), 0) : first - 1]]
    return first - len(comment) if before == [one.strip() for one in comment] else first


def find_similar(
    snippet: Snippet,
    index: IndexFolder | None,
    dataset: Path | None,
    top: int,
    options: SearchOptions,
    progress: Progress,
) -> dict[str, Any]:
    """Find methods like a piece of Java, without the piece itself; as ``describe_result`` gives.

    Args:
        snippet: the piece of Java.
        index: of a folder; None where a dataset is searched.
        dataset: folder ``data/<name>`` of the dataset; None where an index is searched.
        top: number of methods that are listed.
        options: of the search.
        progress: is called with how far the work is.
    """
    if not is_compiled():
        progress("compiling what compares trees, once", 0, 0)
        compile_once()
    progress("searching", 0, 0)
    if index is not None:
        about = index.read()
        corpus = CorpusFolder(index.path / about.content / CORPUS)
        blocks = _open_own(index, about.pieces, corpus, progress)
        folder: Path | None = find_on_disk(index.path, about.folder)
        own = _find_itself(snippet, corpus, find_on_disk(index.path, about.folder))
    else:
        assert dataset is not None  # noqa: S101
        corpus, folder, own = CorpusFolder(dataset / "corpus"), None, None
        corpus.check_built()
        corpus.manifest()  # says which corpus the index must belong to
        blocks = JudgeIndex(dataset / "judge_index").blocks()
    candidates = find_candidates(snippet.features, blocks, options)
    methods = _leave_out(own, rank_pruned(snippet.features, candidates, options))
    result = SearchResult(methods, recommend(snippet.features, methods, options))
    found = describe_result(snippet.features, result, corpus.path, top)
    if folder is not None:
        for method in _list_methods(found):
            file = str(find_on_disk(folder, method["path"]))
            method |= {"file": file, **compare_with_disk(method, folder)}
            for name in ("repository", "url"):
                del method[name]
    return found


def format_similar(found: dict[str, Any], *, plain: bool, recommend: bool) -> Iterator[str]:
    """Return lines of text for the results of ``find_similar``.

    Args:
        found: the results; they are changed: paths become those of ``show_path``, remarks are
            added.
        plain: True for one line for each method: ``file:line``, score and name, with tabs between
            them.
        recommend: True where recommendations were asked for.
    """
    for method in _list_methods(found):
        if "file" in method:
            folder = Path(method["file"]).parents[method["path"].count("/")]
            method["path"] = show_path(method["path"], folder)
            method["remark"] = "" if method["current"] else GONE if method["gone"] else CHANGED
    if plain:
        return (format_plain(_show_place(method), method) for method in found["methods"])
    return format_result(found, recommend=recommend)


def _show_place(method: Mapping[str, Any]) -> str:
    path = f"{method['repository']}/{method['path']}" if "repository" in method else method["path"]
    return f"{path}:{method['start_line']}"


def _list_methods(found: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Return the methods, each once: a method may be in several recommendations."""
    members = [one for each in found["recommendations"] for one in each["members"]]
    return {id(one): one for one in [*found["methods"], *members]}.values()


def _read_features(text: str, name: str) -> FeatureSet:
    features = features_of_answer(text)
    if features is None or not features.size:
        raise DataError(
            f"{name}: cannot be read as Java; give statements, methods or a class with names in "
            "it, without syntax errors"
        )
    return features


def _find_itself(snippet: Snippet, corpus: CorpusFolder, folder: Path) -> int | None:
    """Return the id of the method that the snippet is; None where the index has no such method.

    Where the file changed since it was indexed, it is the nearest method with the same text.
    """
    if snippet.file is None or snippet.method is None or folder not in snippet.file.parents:
        return None
    path = make_printable(snippet.file.relative_to(folder).as_posix())
    found = [
        (abs(row["start_line"] - snippet.method.start_line), row["id"])
        for table in corpus.iterate_methods(["id", "path", "start_line", "code"])
        for row in table.filter(pc.equal(table["path"], path)).to_pylist()
        if row["code"] == snippet.method.code
    ]
    return int(min(found)[1]) if found else None


def _leave_out(own: int | None, methods: Iterable[FoundMethod]) -> tuple[FoundMethod, ...]:
    """Return the methods without the method ``own``; its copies stay."""
    kept = []
    for method in methods:
        copies = tuple(id_ for id_ in method.copies if id_ != own)
        if method.id != own:
            kept.append(replace(method, copies=copies))
        elif copies:
            kept.append(replace(method, id=copies[0], copies=copies[1:]))
    return tuple(kept)


def _open_own(
    index: IndexFolder, pieces: list[str], corpus: CorpusFolder, progress: Progress
) -> Iterator[IndexBlock]:
    """Yield the trees of the methods; those that no call wrote yet, or damaged ones, are written.

    Raises:
        RunIsBusyError: where another call works on the index.
    """
    for done, (name, shard) in enumerate(zip(pieces, corpus.manifest()["shards"], strict=True)):
        path = index.path / STRUCTURE / name
        if not is_whole(path):
            progress("trees of code, once: groups of files", done, len(pieces))
            tables = iterate_tables(index.pieces / name / METHODS, EXTRACTED_SCHEMA, _TREE_COLUMNS)
            rows = (row for table in tables for row in table.to_pylist())
            # Trees are those of Java: other rows have an empty one, which is like no other.
            codes = (row["code"] if is_java_method(row) else "" for row in rows)
            with index.locked(), atomic_folder(path) as folder:
                build_shard(codes, shard=0, shards=1, first_id=0, corpus_hash="", output=folder)
                seal(folder)
        for block in JudgeIndex(path).blocks():
            yield replace(block, first_id=int(shard["first_id"]) + block.first_id)
