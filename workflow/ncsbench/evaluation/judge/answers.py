"""Reads Stack Overflow answers, fragments of Java, as methods with features (DEV-21, -28, -29)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from tree_sitter import Node, Tree

from ncsbench.base.files.csv_tables import name_cells, write_rows
from ncsbench.code.aroma.features import MAXIMUM_CHARACTERS, FeatureSet, features_of_bodies
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.java.java import parse_java, walk
from ncsbench.code.java_trees.java_refusals import is_java_8
from ncsbench.code.java_trees.java_spt import Record, method_records
from ncsbench.code.java_trees.java_spt_rules import Symbols
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS, UNREAD, warn_of_unread

WRAPPINGS = {
    "statements": ("class C { void m() {\n", "\n} }\n"),
    "members": ("class C {\n", "\n}\n"),
    "unit": ("", ""),
}
"""Texts that are put before and after an answer, in the order in which they are tried."""

LOCAL_MEMBERS = "local members"
"""Reading of an answer as members of a class within a method, whose one record holds constructors
and fields too."""

SNIPPETS = "snippets"
"""Reading in which each stretch of statements, or of methods, has the first or second wrapping."""

MENDED = ", mended"
"""End of the name of the wrapping where the answer has syntax errors."""

MAXIMUM_UNREAD = 0.1
"""Share of an answer's bytes in syntax errors from which on it is not read (DEV-28)."""

MENDABLE_CHARACTERS = 1 << 16
"""Longer texts are not mended: that can take seconds, and a post has at most 30,000 characters."""

_ROUNDS = 5
_VISIBLE = re.compile(rb"\S")
_LEAVES = frozenset({"identifier", "type_identifier", "true", "false"})
_OF_A_FILE = re.compile(
    r"(?:package|import|class|interface|enum|annotation_type|record)_declaration"
)


class _Source(NamedTuple):
    """A wrapped answer."""

    before: bytes
    text: bytes
    after: bytes

    def parse(self) -> Tree:
        return parse_java(b"".join(self))


def read_answer(answer: str) -> tuple[str, Tree] | None:
    """Read an answer as Java: the name of the wrapping, and the tree of the wrapped answer.

    The reading is the first of these that has a record, which is the body of a method in a class:

    1. the first of ``WRAPPINGS`` under which the reference reads the answer (``is_java_8``);
    2. the first of ``WRAPPINGS`` under which tree-sitter reads the answer without a syntax error,
       as it does later Java and looser fragments (DEV-21), then the answer as ``LOCAL_MEMBERS``;
       last, and in place of the unit, the answer as ``SNIPPETS`` if it has statements or methods
       outside of classes (DEV-29);
    3. of these four readings, the one with the smallest part of the answer in syntax errors, and of
       equal ones the first. This part must be less than ``MAXIMUM_UNREAD`` of the answer's bytes,
       where a missing token counts as one byte, and a record must have a feature (DEV-28). The
       errors are mended in the tree.

    Returns:
        The reading, whose tree is free of errors; None where the answer cannot be read, and for
        texts that are too long (DEV-25).
    """
    if len(answer) > MAXIMUM_CHARACTERS:
        return None
    text = answer.encode("utf-8", "replace")
    sources = {
        name: _Source(before.encode(), text, after.encode())
        for name, (before, after) in WRAPPINGS.items()
    }
    trees = {name: source.parse() for name, source in sources.items()}
    for name, tree in trees.items():
        if is_java_8(tree) and _has_record(tree):
            return name, tree
    sources[LOCAL_MEMBERS] = _Source(b"class C { void m() { class C {\n", text, b"\n} } }\n")
    snippets = _wrap_snippets(trees["unit"], text)
    if snippets != text:
        del sources["unit"]
        sources[SNIPPETS] = _Source(b"", snippets, b"")
    for name, source in sources.items():
        tree = trees[name] if name in trees else source.parse()
        if not tree.root_node.has_error and _has_record(tree):
            return name, tree
    if len(answer) > MENDABLE_CHARACTERS:
        return None
    mended = [(name, _mend(source, MAXIMUM_UNREAD * len(text))) for name, source in sources.items()]
    readable = [(name, reading) for name, reading in mended if reading is not None]
    for name, reading in sorted(readable, key=lambda pair: pair[1].unread):
        if _has_record(reading.tree, with_leaf=True):
            return name + MENDED, reading.tree
    return None


def answer_records(
    answer: str, symbols: Symbols, *, outermost_only: bool = True
) -> tuple[str, list[Record]] | None:
    """Read an answer (``read_answer``): the name of the wrapping, and its records in text order."""
    read = read_answer(answer)
    if read is None:
        return None
    name, tree = read
    return name, method_records(tree, symbols, outermost_only=outermost_only)


def features_of_answer(answer: str, *, outermost_only: bool = True) -> FeatureSet | None:
    """Features of an answer; None if it cannot be read as Java under any wrapping.

    Args:
        answer: text of the answer.
        outermost_only: each outermost method body counts once: methods of anonymous classes are
            part of the body around them and not counted a second time. If False, all records count,
            as the reference dumps them (DEV-21).
    """
    folder = TreeFolder()
    read = answer_records(answer, folder.symbols, outermost_only=outermost_only)
    if read is None:
        return None
    forest = folder.fold([record.codes for record in read[1]])
    return features_of_bodies(forest)


def _wrap_snippets(unit: Tree, text: bytes) -> bytes:
    """Wrap each run of statements or methods; declarations that a file may contain are kept.

    Tree-sitter reads statements and methods at top level too. An error belongs to the text before.
    """
    stretches: list[tuple[str, int]] = []
    for node in unit.root_node.children:
        if _OF_A_FILE.fullmatch(node.type):
            kind = "unit"
        elif node.is_extra or node.is_error:
            continue
        else:
            kind = "members" if node.type == "method_declaration" else "statements"
        if not stretches or stretches[-1][0] != kind:
            stretches.append((kind, node.start_byte if stretches else 0))
    pieces = []
    ends = [start for _, start in stretches[1:]] + [len(text)]
    for (kind, start), end in zip(stretches or [("unit", 0)], ends, strict=True):
        before, after = WRAPPINGS[kind]
        pieces += [before.encode(), text[start:end], after.encode()]
    return b"".join(pieces)


def _has_record(tree: Tree, *, with_leaf: bool = False) -> bool:
    """Return True if a method with a body (with a leaf, if asked) lies within a class."""
    class_end = body_end = 0
    for node in walk(tree.root_node):
        if node.type == "class_declaration":
            class_end = max(class_end, node.end_byte)
        elif node.type == "method_declaration" and node.start_byte < class_end:
            body = node.child_by_field_name("body")
            if body is not None and not with_leaf:
                return True
            body_end = max(body_end, body.end_byte if body else 0)
        elif with_leaf and node.start_byte < body_end and _is_leaf(node):
            return True
    return False


def _is_leaf(node: Node) -> bool:
    kind = node.type
    return kind in _LEAVES or (kind.endswith("_literal") and kind != "null_literal")


class _Mended(NamedTuple):
    unread: int  # number of bytes of the answer in errors, and of tokens that the answer lacks
    tree: Tree


class _Edit(NamedTuple):
    start: int
    end: int
    token: bytes


def _mend(source: _Source, limit: float) -> _Mended | None:
    """Parse a text and repair its syntax errors as the parser recovers from them.

    The text of an ERROR node is replaced by blanks and a missing token is inserted, until no error
    is left. A missing name cannot be inserted: its node is blanked like an error.

    Returns:
        None where mending changes ``limit`` bytes of the answer or more, or does not end.
    """
    code = b"".join(source)
    first, end = len(source.before), len(source.before) + len(source.text)
    unread = 0
    for _ in range(_ROUNDS):
        tree = parse_java(code)
        if not tree.root_node.has_error:
            return _Mended(unread, tree)
        edits = list(_edits(tree))
        unread += sum(max(0, min(end, edit.end) - max(first, edit.start)) for edit in edits)
        unread += sum(1 for edit in edits if edit.token)
        if unread >= limit:
            return None
        code = _apply(code, edits)
        first += sum(len(edit.token) for edit in edits if edit.start < first)
        end += sum(len(edit.token) for edit in edits if edit.start <= end)
    return None


def _edits(tree: Tree) -> Iterator[_Edit]:
    """List the edits that blank or insert, in text order, without overlaps."""
    done = 0
    for node in walk(tree.root_node):
        if node.start_byte < done:
            continue
        if node.is_missing and not node.is_named:
            # On a new line: the gap may follow a comment.
            yield _Edit(node.start_byte, node.start_byte, b"\n" + node.type.encode())
        elif node.is_error or node.is_missing:
            lacking = node if node.is_error or node.parent is None else node.parent
            yield _Edit(max(done, lacking.start_byte), lacking.end_byte, b"")
            done = lacking.end_byte


def _apply(source: bytes, edits: list[_Edit]) -> bytes:
    pieces = []
    done = 0
    for edit in edits:
        blanked = _VISIBLE.sub(b" ", source[edit.start : edit.end])
        pieces += [source[done : edit.start], blanked, edit.token]
        done = edit.end
    return b"".join([*pieces, source[done:]])


@dataclass(frozen=True)
class AnswerFeatures:
    """Features of n answers.

    Attributes:
        query_ids: int32, shape (n,), query ids of the answers that can be read, ascending.
        starts: int64, shape (n + 1,); answer i has the features from ``starts[i]`` on.
        ids: uint64, ascending within each answer.
        counts: int32.
    """

    query_ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.query_ids)

    def __getitem__(self, index: int) -> FeatureSet:
        part = slice(self.starts[index], self.starts[index + 1])
        return FeatureSet(self.ids[part], self.counts[part])


def read_answers(answers: Mapping[int, str]) -> AnswerFeatures:
    """Features of the answers given by query id; answers that cannot be read are left out."""
    read = {query_id: features_of_answer(answers[query_id]) for query_id in sorted(answers)}
    found = {query_id: features for query_id, features in read.items() if features is not None}
    sizes = [len(features.ids) for features in found.values()]
    return AnswerFeatures(
        query_ids=np.array(list(found), np.int32),
        starts=np.cumsum([0, *sizes]).astype(np.int64),
        ids=np.concatenate([np.zeros(0, np.uint64), *(f.ids for f in found.values())]),
        counts=np.concatenate([np.zeros(0, np.int32), *(f.counts for f in found.values())]),
    )


def write_answers(questions: pa.Table, output: Path) -> None:
    """List the reading of every answer, with its number of features.

    A warning says how many answers cannot be read, if any.

    Args:
        questions: ``query_id``, ``stackoverflow_id`` and ``answer`` of the questions.
        output: file to write.

    Raises:
        DataError: where no answer can be read, since every figure would be 0.
    """
    records_read = []
    for question in questions.to_pylist():
        folder = TreeFolder()
        read = answer_records(question["answer"], folder.symbols)
        wrapping, records = (UNREAD, []) if read is None else read
        forest = folder.fold([record.codes for record in records])
        key = (question["query_id"], question["stackoverflow_id"])
        records_read.append((*key, wrapping, features_of_bodies(forest).size))
    rows = name_cells(ANSWER_COLUMNS, records_read)
    if rows and all(row["wrapping"] == UNREAD for row in rows):
        raise DataError(
            f"{output}: none of the {len(rows)} answers can be read as Java, so every figure "
            "would be 0; give answers with code in the questions file (docs/judge.md)"
        )
    warn_of_unread(rows)
    write_rows(output, ANSWER_COLUMNS, rows)
