"""Aroma's features of a method body (Luan et al., OOPSLA 2019, section 3.1).

The features are those of the published reference code, which differ from the paper's text in
three points (DEV-20): one neighbour instead of two, the two previous uses of a variable instead
of one, and two kinds of ancestors that are passed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ncsbench.languages.java import parse_java
from ncsbench.languages.java_spt import Leaf, SptNode, method_records
from ncsbench.storage import hash_bytes

_VARIABLE = "#VAR"
_LABEL_LENGTH = 1000
_ANCESTORS = 3
_EARLIER_USES = 2
# Brackets around one expression, and blocks of nothing but statements, say nothing of structure.
_PASSED_OVER = re.compile(r"\(#\)|\{#*\}")


@dataclass(frozen=True)
class MethodFeatures:
    """Features of one or more method bodies.

    Attributes:
        leaves: per leaf in text order the features it owns: its token, its parent features, and
            one copy of each neighbour and usage feature in which it is an end.
        counts: the multiset of all features, which is the sum over the leaves.
        bodies: the simplified parse trees the features come from, in text order.
    """

    leaves: tuple[tuple[str, ...], ...]
    counts: Counter[str]
    bodies: tuple[SptNode, ...]


class FeatureIndex:
    """Integer ids of features, dense from 0 in the order in which they are first added."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, counts: Mapping[str, int]) -> dict[int, int]:
        """Counts by id; features not seen before get new ids."""
        ids = self._ids
        return {ids.setdefault(feature, len(ids)): count for feature, count in counts.items()}

    def known(self, counts: Mapping[str, int]) -> dict[int, int]:
        """Counts by id of those features that have one."""
        ids = self._ids
        return {ids[feature]: count for feature, count in counts.items() if feature in ids}


NO_FEATURES = MethodFeatures((), Counter(), ())
"""Of a text in which no record is found."""


def features_of_bodies(bodies: Iterable[SptNode]) -> MethodFeatures:
    """Features of several bodies together: the sum of their multisets."""
    bodies = tuple(bodies)
    leaves = [tuple(leaf) for body in bodies for leaf in leaf_features(body)]
    counts = Counter(feature for leaf in leaves for feature in leaf)
    return MethodFeatures(tuple(leaves), counts, bodies)


def features_of_method(code: str) -> MethodFeatures:
    """Features of a corpus method, given the text of one method declaration.

    It is parsed as the only member of a class. ``NO_FEATURES`` where the text has a syntax error
    (the reference skips such files) or holds no record, as a constructor.
    """
    tree = parse_java(b"class C {\n" + code.encode("utf-8", "replace") + b"\n}\n")
    if tree.root_node.has_error:
        return NO_FEATURES
    records = method_records(tree, outermost_only=True)
    return features_of_bodies(record.body for record in records[:1])


class _Walk:
    """Features of one body under way."""

    def __init__(self) -> None:
        self.features: list[list[str]] = []
        self.previous = ""
        self.uses: dict[str, list[tuple[str, int]]] = {}

    def add(self, leaf: Leaf, ancestors: tuple[str, ...], context: str | None) -> None:
        """One leaf with the labels and positions that lead to it, nearest first."""
        key = _VARIABLE if leaf.is_variable else leaf.text
        own = [key, *[ancestor + key for ancestor in ancestors]]
        index = len(self.features)
        if index:
            neighbour = f"{self.previous}>>{key}"
            own.append(neighbour)
            self.features[-1].append(neighbour)
        self.previous = key
        self.features.append(own)
        if context is None:
            return
        uses = self.uses.setdefault(leaf.text, [])
        for earlier, user in uses[-_EARLIER_USES:]:
            usage = f"{earlier}>>>{context}"
            own.append(usage)
            self.features[user].append(usage)
        uses.append((context, index))


def leaf_features(body: SptNode, kept: Collection[int] | None = None) -> list[list[str]]:
    """Features owned by each leaf of a body, in text order.

    Args:
        body: tree of the body.
        kept: numbers of the leaves that were not pruned away, or None for all. The tree keeps
            its labels and positions; neighbours and uses are joined across the gaps. The result
            has one entry per kept leaf.
    """
    walk = _Walk()
    number = 0
    stack: list[tuple[SptNode, int, tuple[str, ...]]] = [(body, 0, ())]
    while stack:
        node, position, above = stack.pop()
        counted = not _PASSED_OVER.fullmatch(node.label)
        label = _short(node.label)
        items = node.items
        while position < len(items):
            item = items[position]
            position += 1
            if isinstance(item, str):
                continue
            if isinstance(item, Leaf):
                if kept is None or number in kept:
                    ancestors = _below(label, position, above) if counted else above
                    context = None
                    if item.is_variable:
                        context = _context(node, label, position, number, kept)
                    walk.add(item, ancestors, context)
                number += 1
                continue
            stack.append((node, position, above))
            stack.append((item, 0, _below(label, position, above) if counted else above))
            break
    return walk.features


def _short(label: str) -> str:
    """A long label by its hash: a table of n numbers has n leaves under a label of length 2 n."""
    if len(label) <= _LABEL_LENGTH:
        return label
    return hash_bytes(label.encode("utf-8", "replace"))


def _below(label: str, position: int, above: tuple[str, ...]) -> tuple[str, ...]:
    return (f"{label}{position}>", *above[: _ANCESTORS - 1])


def _context(
    node: SptNode, label: str, position: int, number: int, kept: Collection[int] | None
) -> str | None:
    """Where a variable is used: what is taken from it (``v.name``), or its place in the parent.

    None where the name after the point was pruned away.
    """
    if node.label != "#.#" or position + 1 >= len(node.items):
        return f"{label}{position}"
    stack = [node.items[position + 1]]
    while stack:
        item = stack.pop()
        if isinstance(item, SptNode):
            stack.extend(reversed(item.items))
        elif isinstance(item, Leaf):
            number += 1
            if kept is None or number in kept:
                return item.text
    return None
