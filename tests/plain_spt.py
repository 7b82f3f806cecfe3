"""Simplified parse trees and features by the plain rules, as an oracle of the fast kernels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ncsbench.code.aroma.features import (
    NEIGHBOUR,
    PARENT,
    TOKEN,
    USAGE,
    FeatureSet,
    features_of_bodies,
    method_codes,
)
from ncsbench.code.aroma.trees import TreeFolder, hash_text, mix
from ncsbench.code.java_trees.java_spt_rules import CLOSE, KEYWORD, OPEN, VARIABLE, Symbols

Tree = list[Any]
"""A node: its label, then its items, which are keyword tokens (str), leaves and nodes."""


class Leaf(NamedTuple):
    """A token which the language does not spell."""

    text: str
    is_variable: bool


class Path(NamedTuple):
    """The way to an item: the node that holds it, its number from 1 there, the way to the node."""

    node: Tree
    position: int
    above: Path | None


def fold(codes: Sequence[int], symbols: Symbols) -> Tree:
    """Simplify the rule applications of a body (Aroma paper, section 3.1)."""
    enclosing = []
    label, items, has_leaf = "", [], False
    for code in codes[1:-1]:
        if code == OPEN:
            enclosing.append((label, items, has_leaf))
            label, items, has_leaf = "", [], False
        elif code == CLOSE:
            child_label, child_items, child_has_leaf = label, items, has_leaf
            label, items, has_leaf = enclosing.pop()
            if len(child_items) == 1 or not (child_has_leaf or child_label == "{}"):
                label += child_label  # one item collapses, nothing but keywords is inlined
                items.extend(child_items)
                has_leaf = has_leaf or child_has_leaf
            else:
                label += "#"
                items.append([child_label, *child_items])
                has_leaf = True
        elif symbols.kinds[code] == KEYWORD:
            label += symbols.texts[code]
            items.append(symbols.texts[code])
        else:
            label += "#"
            items.append(Leaf(symbols.texts[code], symbols.kinds[code] == VARIABLE))
            has_leaf = True
    return [label, *items]


def parts_of(tree: Tree) -> Iterator[tuple[Any, Path | None]]:
    """All nodes, leaves and keyword tokens of a tree in text order, each with the way to it."""
    pending: list[tuple[Any, Path | None]] = [(tree, None)]
    while pending:
        item, path = pending.pop()
        yield item, path
        if isinstance(item, list):
            inside = [(part, Path(item, i, path)) for i, part in enumerate(item[1:], start=1)]
            pending.extend(reversed(inside))


def labels_of(tree: Tree) -> list[str]:
    """Labels of all nodes, from the root on in text order."""
    return [item[0] for item, _ in parts_of(tree) if isinstance(item, list)]


def leaves_of(tree: Tree) -> list[Leaf]:
    """Leaves in text order."""
    return [item for item, _ in parts_of(tree) if isinstance(item, Leaf)]


class Part(NamedTuple):
    """One half of a feature: as the reference writes it, and the library's hash of it."""

    text: str
    hash: int


SEPARATORS = {TOKEN: "", PARENT: ">", NEIGHBOUR: ">>", USAGE: ">>>"}
"""Between the halves of a feature; they are not escaped in it."""


def features(tree: Tree) -> Counter[str]:
    """Token, parent, neighbour and usage features (as the reference's code has them)."""
    return Counter(
        f"{left.text}{SEPARATORS[kind]}{right.text}" for kind, left, right in _list_features(tree)
    )


def feature_ids(tree: Tree) -> Counter[int]:
    """The same by their ids (DEV-37)."""
    return Counter(
        kind << 62 | mix_hashes(left.hash, right.hash) & ((1 << 62) - 1)
        for kind, left, right in _list_features(tree)
    )


def named_features(folder: TreeFolder, bodies: Sequence[Sequence[int]]) -> Counter[str]:
    """Features of bodies as text; the library must have the same ones by their ids."""
    trees = [fold(codes, folder.symbols) for codes in bodies]
    found = features_of_bodies(folder.fold(bodies))
    expected = sum(map(feature_ids, trees), Counter[int]())
    assert dict(zip(found.ids.tolist(), found.counts.tolist(), strict=True)) == expected
    return sum(map(features, trees), Counter[str]())


def mix_hashes(left: int, right: int) -> int:
    """The library's hash of a pair."""
    return int(mix(np.uint64(left), np.uint64(right)))


def hash_label(node: Tree) -> int:
    """The library's hash of the label of a node."""
    value = len(node) - 1
    for item in node[1:]:
        value = mix_hashes(value, hash_text(item) if isinstance(item, str) else ord("#"))
    return value


def _place(path: Path) -> Part:
    label = f"{path.node[0]}{path.position}"
    return Part(label, mix_hashes(hash_label(path.node), path.position))


def _list_features(tree: Tree) -> Iterator[tuple[int, Part, Part]]:
    """Kind and halves of every feature, as often as it counts."""
    previous = None
    uses: dict[str, list[Part]] = {}
    for leaf, path in parts_of(tree):
        if not isinstance(leaf, Leaf):
            continue
        text = "#VAR" if leaf.is_variable else leaf.text
        key = Part(text, hash_text(text))
        yield TOKEN, Part("", 0), key
        yield from ((PARENT, _place(above), key) for above in list(_counted(path))[:3])
        if previous is not None:
            yield from [(NEIGHBOUR, previous, key)] * 2
        previous = key
        if leaf.is_variable:
            context = _context(path)
            earlier = uses.setdefault(leaf.text, [])
            for use in earlier[-2:]:
                yield from [(USAGE, use, context)] * 2
            earlier.append(context)


def _counted(path: Path | None) -> Iterator[Path]:
    while path is not None:
        if not re.fullmatch(r"\(#\)|\{#*\}", path.node[0]):
            yield path
        path = path.above


def _context(path: Path) -> Part:
    if path.node[0] == "#.#" and path.position == 1:
        text = next(iter(leaves_of([path.node[0], path.node[3]]))).text
        return Part(text, hash_text(text))
    return _place(path)


def features_of_method(code: str) -> FeatureSet:
    """Features of a corpus method; empty where it cannot be read (``method_codes``)."""
    folder = TreeFolder()
    return features_of_bodies(folder.fold([method_codes(code, folder)]))
