"""Simplified parse trees and features by the plain rules, as an oracle of the fast kernels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ncsbench.languages.java_spt_rules import CLOSE, KEYWORD, OPEN, VARIABLE, Symbols

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


def features(tree: Tree) -> Counter[str]:
    """Token, parent, neighbour and usage features (as the reference's code has them)."""
    found: Counter[str] = Counter()
    previous = None
    uses: dict[str, list[str]] = {}
    for leaf, path in parts_of(tree):
        if not isinstance(leaf, Leaf):
            continue
        key = "#VAR" if leaf.is_variable else leaf.text
        found[key] += 1
        counted = [f"{above.node[0]}{above.position}>{key}" for above in _counted(path)]
        found.update(counted[:3])
        if previous is not None:
            found[f"{previous}>>{key}"] += 2
        previous = key
        if leaf.is_variable:
            context = _context(path)
            earlier = uses.setdefault(leaf.text, [])
            for use in earlier[-2:]:
                found[f"{use}>>>{context}"] += 2
            earlier.append(context)
    return found


def _counted(path: Path | None) -> Iterator[Path]:
    while path is not None:
        if not re.fullmatch(r"\(#\)|\{#*\}", path.node[0]):
            yield path
        path = path.above


def _context(path: Path) -> str:
    label, position = path.node[0], path.position
    if label == "#.#" and position == 1:
        return next(iter(leaves_of([label, path.node[3]]))).text
    return f"{label}{position}"
