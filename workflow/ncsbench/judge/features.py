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


MAXIMUM_CHARACTERS = 1 << 20
"""Longer texts are not read: they would take minutes and gigabytes (DEV-25)."""

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

    It is parsed as the only member of a class, whatever it was a member of. ``NO_FEATURES`` where
    the text has a syntax error or holds no record, as a constructor (DEV-23), or is too long.
    """
    if len(code) > MAXIMUM_CHARACTERS:
        return NO_FEATURES
    tree = parse_java(b"class C {\n" + code.encode("utf-8", "replace") + b"\n}\n")
    if tree.root_node.has_error:
        return NO_FEATURES
    records = method_records(tree, outermost_only=True)
    return features_of_bodies(record.body for record in records[:1])


class _Place:
    """A node of the tree on the way to a leaf, and how far its items have been visited."""

    __slots__ = ("above", "items", "label", "node", "prefix")

    def __init__(self, node: SptNode, above: tuple[str, ...]) -> None:
        self.node = node
        self.items = enumerate(node.items, start=1)
        self.above = above
        # A table of n numbers has n leaves under a label of length 2 n.
        long = len(node.label) > _LABEL_LENGTH
        self.label = hash_bytes(node.label.encode()) if long else node.label
        self.prefix = None if _PASSED_OVER.fullmatch(node.label) else self.label

    def ancestors(self, position: int) -> tuple[str, ...]:
        """Labels and positions that lead to an item, of the nearest counted ancestors first."""
        if self.prefix is None:
            return self.above
        return (f"{self.prefix}{position}>", *self.above[: _ANCESTORS - 1])


class _Collector:
    """Features of the leaves of one body so far."""

    def __init__(self) -> None:
        self.features: list[list[str]] = []
        self._previous = ""
        self._uses: dict[str, list[tuple[str, int]]] = {}
        self._same: dict[str, str] = {}  # one object per feature: less memory, one hash

    def add(self, leaf: Leaf, ancestors: tuple[str, ...], context: str | None) -> None:
        """Add the next leaf; ``context`` is where a variable is used, None for no variable."""
        key = _VARIABLE if leaf.is_variable else leaf.text
        number = len(self.features)
        self.features.append([])
        self._own(number, key)
        for ancestor in ancestors:
            self._own(number, ancestor + key)
        if number:
            self._own(number, f"{self._previous}>>{key}", number - 1)
        self._previous = key
        if context is None:
            return
        uses = self._uses.setdefault(leaf.text, [])
        for earlier, user in uses[-_EARLIER_USES:]:
            self._own(number, f"{earlier}>>>{context}", user)
        uses.append((context, number))

    def _own(self, leaf: int, feature: str, other: int | None = None) -> None:
        feature = self._same.setdefault(feature, feature)
        self.features[leaf].append(feature)
        if other is not None:
            self.features[other].append(feature)


def leaf_features(body: SptNode, kept: Collection[int] | None = None) -> list[list[str]]:
    """Features owned by each leaf of a body, in text order.

    Args:
        body: tree of the body.
        kept: numbers of the leaves that were not pruned away, or None for all. The tree keeps
            its labels and positions; neighbours and uses are joined across the gaps.

    Returns:
        One list per leaf, or per kept leaf.
    """
    collector = _Collector()
    number = 0
    stack = [_Place(body, ())]
    while stack:
        place = stack[-1]
        for position, item in place.items:
            if isinstance(item, Leaf):
                if kept is None or number in kept:
                    context = _context(place, position, number, kept) if item.is_variable else None
                    collector.add(item, place.ancestors(position), context)
                number += 1
            elif isinstance(item, SptNode):
                stack.append(_Place(item, place.ancestors(position)))
                break
        else:
            stack.pop()
    return collector.features


def _context(place: _Place, position: int, number: int, kept: Collection[int] | None) -> str | None:
    """Where a variable is used: what is taken from it (``v.name``), or its place in the parent.

    None where the name after the point was pruned away: such a use counts for nothing.
    """
    node = place.node
    if node.label != "#.#" or position + 1 >= len(node.items):
        return f"{place.label}{position}"
    pending = [node.items[position + 1]]
    while pending:
        item = pending.pop()
        if isinstance(item, SptNode):
            pending.extend(reversed(item.items))
        elif isinstance(item, Leaf):
            number += 1
            if kept is None or number in kept:
                return item.text
    return None
