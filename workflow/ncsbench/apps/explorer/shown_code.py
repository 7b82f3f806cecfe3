"""Code and links as the explorer shows them, safely; and the places of tokens in this text."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from ncsbench.base.text.safe_text import show_line, show_visibly
from ncsbench.code.aroma.features import (
    MAXIMUM_CHARACTERS,
    FeatureSet,
    body_feature_ids,
    count_features,
)
from ncsbench.code.aroma.similarity import find_places, prune_leaves
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.java.java import parse_java, walk
from ncsbench.code.java_trees.java_spt import method_records
from ncsbench.code.java_trees.java_spt_rules import KEYWORD

MOST = 6_000
"""Characters of a method that are shown; the link leads to the rest."""


@dataclass(frozen=True)
class ShownCode:
    """Code ready for a page.

    Attributes:
        text: the shown text (``show_visibly``), without the indentation of the closing line.
        left_out: number of characters of the code after it.
        places: for each token that was asked for and is shown, its start in ``text``, in
            UTF-16 units as a browser counts, ascending.
    """

    text: str
    left_out: int
    places: tuple[int, ...]


def show_code(code: str, starts: Sequence[int] = ()) -> ShownCode:
    """Cut code to its first ``MOST`` characters, and make it safe to show.

    Args:
        code: code of one method.
        starts: starts of tokens in it, in characters, ascending.
    """
    depth = _count_blanks(code.rpartition("\n")[2])
    shown: list[str] = []
    places: list[int] = []
    written = begin = number = 0  # UTF-16 units shown, characters read, tokens placed
    for line in code[:MOST].split("\n"):
        cut = min(depth, _count_blanks(line)) if shown else 0
        text, done = "", cut
        end = begin + len(line)
        while number < len(starts) and starts[number] < end:
            column = max(starts[number] - begin, cut)
            text += show_visibly(line[done:column])
            places.append(written + _utf16_length(text))
            done, number = column, number + 1
        text += show_visibly(line[done:].removesuffix("\r"))
        shown.append(text)
        written += _utf16_length(text) + 1
        begin = end + 1
    return ShownCode("\n".join(shown), max(len(code) - MOST, 0), tuple(places))


def show_link(url: str | None) -> str:
    """Return the address of a page; empty for others, such as one that would run a script."""
    return show_line(url) if url and url.startswith(("https://", "http://")) else ""


def pack_places(places: Sequence[int]) -> str:
    """Write places as differences in base 36, separated by blanks, for the data of a page."""
    earlier = (0, *places)
    gaps = (place - last for place, last in zip(places, earlier, strict=False))
    return " ".join(np.base_repr(gap, 36).lower() for gap in gaps)


def _count_blanks(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


_BEFORE = b"class C {\n"


@dataclass(frozen=True)
class MethodLeaves:
    """The leaves of a method's tree, and the features that they own.

    Attributes:
        starts: int64, shape (leaves,), the character of the code with which each leaf begins; -1
            where the code has no such token.
        ids: uint64, features (``body_feature_ids``).
        owners: int32, the leaf that owns each feature.
        features: the features as a multiset.
    """

    starts: NDArray[np.int64]
    ids: NDArray[np.uint64]
    owners: NDArray[np.int32]
    features: FeatureSet

    def list_starts(self) -> list[int]:
        """List the starts of the tokens that were found, ascending."""
        return sorted(set(self.starts[self.starts >= 0].tolist()))

    def find_matched(self, answer: FeatureSet) -> list[int]:
        """Find the starts of the tokens that pruning against an answer keeps, ascending."""
        places = find_places(self.ids, answer.ids)
        none = np.zeros(len(self.starts), np.bool_)
        kept, _, _ = prune_leaves(places, self.owners, none, answer.counts)
        found = self.starts[kept]
        return sorted(set(found[found >= 0].tolist()))


def read_leaves(code: str) -> MethodLeaves | None:
    """Read the leaves of a method as the judge does; None if it cannot be read (DEV-23, DEV-25)."""
    if len(code) > MAXIMUM_CHARACTERS:
        return None
    source = _BEFORE + code.encode("utf-8", "replace") + b"\n}\n"
    tree = parse_java(source)
    folder = TreeFolder()
    if tree.root_node.has_error:
        return None
    records = method_records(tree, folder.symbols, outermost_only=True)
    if not records:
        return None
    forest = folder.fold([records[0].codes])
    ids, owners = body_feature_ids(forest, 0)
    kinds, texts = folder.symbols.kinds, folder.symbols.texts
    leaves = [texts[one] for one in records[0].codes if kinds[one] != KEYWORD]
    starts = _find_tokens(tree.root_node, records[0].start_byte, leaves)
    return MethodLeaves(_count_characters(source, starts), ids, owners, count_features(ids))


def _find_tokens(root: Node, first: int, leaves: list[str]) -> list[int]:
    """Find the first byte of each leaf, where leaves are in text order; -1 for a missing one."""
    begins: dict[str, list[int]] = defaultdict(list)
    for node in walk(root):
        if node.start_byte >= first and (not node.child_count or node.type.endswith("_literal")):
            begins[(node.text or b"").decode("utf-8", "replace")].append(node.start_byte)
    found = []
    for text in leaves:
        known = begins.get(text, [])
        place = bisect_left(known, first)
        found.append(known[place] if place < len(known) else -1)
        if place < len(known):
            first = known[place] + 1
    return found


def _count_characters(source: bytes, starts: list[int]) -> NDArray[np.int64]:
    """Count the characters of the code before some of its bytes."""
    data = np.frombuffer(source, np.uint8)[len(_BEFORE) :]
    characters = np.concatenate([[0], np.cumsum((data & 0xC0) != 0x80)])
    places = np.array(starts, np.int64)
    return np.where(places < 0, -1, characters[np.maximum(places - len(_BEFORE), 0)])
