"""Features of methods and answers as multisets of 64-bit ids (Luan et al., OOPSLA 2019, 3.1).

The features are those of the published reference code. They differ from the paper's text in three
points (DEV-20): one neighbour instead of two, the two previous uses of a variable instead of one,
and two kinds of ancestors that are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.code.aroma.trees import ACCESS, PASSED_OVER, Forest, TreeFolder, hash_text, mix
from ncsbench.code.java.java import parse_java
from ncsbench.code.java_trees.java_spt import method_records

TOKEN, PARENT, NEIGHBOUR, USAGE = 0, 1, 2, 3
"""Kinds of features; the two highest bits of an id."""

_VARIABLE = np.uint64(hash_text("#VAR"))
_ANCESTORS = 3
_EARLIER_USES = 2
_PER_LEAF = 2 + _ANCESTORS + 2 + 2 * _EARLIER_USES  # the most features that leaves own on average
_MASK = np.uint64((1 << 62) - 1)


class FeatureRoom(NamedTuple):
    """Working arrays for the features of a body of at most n leaves and m nodes.

    They are made once for many bodies, since making them takes as long as a small body.

    Attributes:
        ancestors: uint64, shape (m, 3), hash of each counted ancestor's place, the nearest first.
        known: int32, shape (m,), number of counted ancestors, at most 3.
        names: uint64, shape (n,), name of each use of a variable.
        contexts: uint64, shape (n,), what is around the variable.
        users: int32, shape (n,), the leaf that is the use.
        earlier: int32, shape (n,), the last use of the same name before; -1 where there is none.
        last: int32, hash table of more than n slots: the last use of each name so far.
    """

    ancestors: NDArray[np.uint64]
    known: NDArray[np.int32]
    names: NDArray[np.uint64]
    contexts: NDArray[np.uint64]
    users: NDArray[np.int32]
    earlier: NDArray[np.int32]
    last: NDArray[np.int32]


@njit(cache=True)
def make_feature_room(leaves: Any, nodes: Any) -> Any:
    """Make the ``FeatureRoom`` of bodies of at most so many leaves and nodes."""
    return FeatureRoom(
        np.empty((nodes, _ANCESTORS), np.uint64),
        np.empty(nodes, np.int32),
        np.empty(leaves, np.uint64),
        np.empty(leaves, np.uint64),
        np.empty(leaves, np.int32),
        np.empty(leaves, np.int32),
        np.empty(4 * leaves + 4, np.int32),
    )


@njit(cache=True)
def make_features(leaves: Any) -> Any:
    """Make room for the features of so many leaves: ids, uint64, and owners, int32."""
    return np.empty(leaves * _PER_LEAF, np.uint64), np.empty(leaves * _PER_LEAF, np.int32)


@njit(cache=True)
def collect_features(forest: Any, body: Any, kept: Any) -> Any:
    """List the features of one body; a feature is listed once for each leaf that owns it.

    A leaf owns its token, its parent features, and one copy of each neighbour and usage feature
    in which it is an end; the sum over the leaves is the multiset of the body.

    Args:
        forest: a ``trees.Forest``.
        body: number of the body.
        kept: bool, shape (leaves of the body,), true for the leaves that were not pruned away; with
            length 0, all leaves are kept. The tree keeps its labels and positions; neighbours and
            uses are joined across the gaps.

    Returns:
        ids: uint64, one entry per owned feature.
        owners: int32, the number of the leaf that owns it.
    """
    size = forest.body_leaves[body + 1] - forest.body_leaves[body]
    room = make_feature_room(size, forest.body_nodes[body + 1] - forest.body_nodes[body])
    features = make_features(size)
    find_ancestors(forest, body, room)
    leaves = np.flatnonzero(kept) if len(kept) else np.arange(size)
    made = write_features(forest, body, leaves, room, features)
    return features[0][:made], features[1][:made]


@njit(cache=True)
def find_ancestors(forest: Any, body: Any, room: Any) -> None:
    """Write the counted ancestors of each node of a body, from the root down.

    A leaf's own climb to the root would visit the same nodes again and again.
    """
    first = forest.body_nodes[body]
    ancestors, known = room.ancestors, room.known
    for node in range(forest.body_nodes[body + 1] - first):
        parent = forest.node_parent[first + node]
        if parent < 0:
            known[node] = 0
        elif forest.node_kind[first + parent] == PASSED_OVER:
            known[node] = known[parent]
            for up in range(_ANCESTORS):
                ancestors[node, up] = ancestors[parent, up]
        else:
            known[node] = min(known[parent] + 1, _ANCESTORS)
            position = np.uint64(forest.node_position[first + node])
            ancestors[node, 0] = mix(forest.node_label[first + parent], position)
            for up in range(1, _ANCESTORS):
                ancestors[node, up] = ancestors[parent, up - 1]


@njit(inline="always")
def _make_id(kind: Any, left: Any, right: Any) -> Any:
    return (np.uint64(kind) << np.uint64(62)) | (mix(left, right) & _MASK)


@njit(cache=True)
def write_features(forest: Any, body: Any, leaves: Any, room: Any, features: Any) -> Any:
    """Write the features of some leaves of a body, and count them (``collect_features``).

    Args:
        forest: a ``trees.Forest``.
        body: number of the body.
        leaves: int64, numbers of the leaves, ascending.
        room: a ``FeatureRoom``, with the body's ancestors (``find_ancestors``).
        features: takes ids and owners (``make_features``).
    """
    first, first_node = forest.body_leaves[body], forest.body_nodes[body]
    ids, owners = features
    made = uses = 0
    previous = -1
    previous_key = np.uint64(0)
    for number in range(len(leaves)):
        leaf = leaves[number]
        variable = forest.leaf_is_variable[first + leaf]
        key = _VARIABLE if variable else forest.leaf_text[first + leaf]
        ids[made], owners[made] = _make_id(TOKEN, np.uint64(0), key), leaf
        made += 1
        node, position = forest.leaf_node[first + leaf], forest.leaf_position[first + leaf]
        kind = forest.node_kind[first_node + node]
        place = mix(forest.node_label[first_node + node], np.uint64(position))
        ancestors = room.known[node]
        if kind != PASSED_OVER:
            ids[made], owners[made] = _make_id(PARENT, place, key), leaf
            made += 1
            ancestors = min(ancestors, _ANCESTORS - 1)
        for up in range(ancestors):
            ids[made], owners[made] = _make_id(PARENT, room.ancestors[node, up], key), leaf
            made += 1
        if previous >= 0:
            id_ = _make_id(NEIGHBOUR, previous_key, key)
            ids[made], owners[made] = id_, previous
            ids[made + 1], owners[made + 1] = id_, leaf
            made += 2
        previous, previous_key = leaf, key
        if variable:
            # The context is the name after the variable (``v.name``), or its place in the parent.
            if kind == ACCESS and position == 1:
                after = number + 1
                if after == len(leaves) or leaves[after] >= forest.node_end[first_node + node]:
                    continue  # this name was pruned away: such a use counts for nothing
                place = forest.leaf_text[first + leaves[after]]
            room.names[uses], room.contexts[uses] = forest.leaf_text[first + leaf], place
            room.users[uses] = leaf
            uses += 1
    return _link_uses(uses, room, features, made)


@njit(cache=True)
def _link_uses(uses: Any, room: Any, features: Any, made: Any) -> Any:
    """Write the usage features: each use of a name with the two uses before it."""
    ids, owners = features
    names, contexts, users, earlier, last = (
        room.names, room.contexts, room.users, room.earlier, room.last
    )  # fmt: skip
    size = 4
    while size < 2 * uses:
        size *= 2
    mask = size - 1  # a hash table: names are hashes, so their low bits are random
    last[:size] = -1
    for use in range(uses):
        slot = np.int64(names[use] & np.uint64(mask))
        while last[slot] >= 0 and names[last[slot]] != names[use]:
            slot = (slot + 1) & mask
        other = earlier[use] = last[slot]
        last[slot] = use
        for _ in range(_EARLIER_USES):
            if other >= 0:
                id_ = _make_id(USAGE, contexts[other], contexts[use])
                ids[made], owners[made] = id_, users[other]
                ids[made + 1], owners[made + 1] = id_, users[use]
                made += 2
                other = earlier[other]
    return made


MAXIMUM_CHARACTERS = 1 << 20
"""Most characters of a text that is read: longer ones would take minutes and gigabytes (DEV-25)."""

ALL_LEAVES: NDArray[np.bool_] = np.zeros(0, np.bool_)
"""Mask of kept leaves that keeps all: nothing was pruned away."""


@dataclass(frozen=True)
class FeatureSet:
    """A multiset of features.

    Attributes:
        ids: uint64, shape (distinct features,), ascending.
        counts: int32, how often each feature occurs.
    """

    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]

    @property
    def size(self) -> int:
        """Number of features, each as often as it occurs."""
        return int(self.counts.sum())


def count_features(ids: NDArray[np.uint64]) -> FeatureSet:
    """Make the multiset of ids in any order."""
    distinct, counts = np.unique(ids, return_counts=True)
    return FeatureSet(distinct, counts.astype(np.int32))


def body_feature_ids(
    forest: Forest, body: int, kept: NDArray[np.bool_] = ALL_LEAVES
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """Ids of the features of one body, and the leaf that owns each (``collect_features``)."""
    ids, owners = collect_features(forest, body, kept)
    return ids, owners


def features_of_bodies(forest: Forest) -> FeatureSet:
    """Features of all bodies of a forest together: the sum of their multisets."""
    bodies = range(len(forest.body_leaves) - 1)
    ids = [body_feature_ids(forest, body)[0] for body in bodies]
    return count_features(np.concatenate([np.zeros(0, np.uint64), *ids]))


def method_codes(code: str, folder: TreeFolder) -> Sequence[int]:
    """Code stream of a corpus method, given the text of one method declaration.

    The text is parsed as the only member of a class, whatever kind of type it was a member of. The
    stream is empty where the text has a syntax error, holds no record, as a constructor (DEV-23),
    or is too long (DEV-25).
    """
    if len(code) > MAXIMUM_CHARACTERS:
        return ()
    tree = parse_java(b"class C {\n" + code.encode("utf-8", "replace") + b"\n}\n")
    if tree.root_node.has_error:
        return ()
    records = method_records(tree, folder.symbols, outermost_only=True)
    return records[0].codes if records else ()


def features_of_method(code: str) -> FeatureSet:
    """Features of a corpus method; empty where it cannot be read (``method_codes``)."""
    folder = TreeFolder()
    return features_of_bodies(folder.fold([method_codes(code, folder)]))
