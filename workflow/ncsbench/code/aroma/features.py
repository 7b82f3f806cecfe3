"""Features of methods and answers as multisets of 64-bit ids (Luan et al., OOPSLA 2019, 3.1).

The features are those of the published reference code. They differ from the paper's text in three
points (DEV-20): one neighbour instead of two, the two previous uses of a variable instead of one,
and two kinds of ancestors that are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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


@njit(cache=True)
def make_uses(leaves: Any) -> Any:
    """Make working arrays for the uses of variables in bodies of at most so many leaves.

    They are made once for many bodies, since making them takes as long as a small body.

    Returns:
        names: uint64, name of each use; contexts: uint64, what is around it; users: int32, the
        leaf; earlier: int32, the last use of the same name before, or -1; last: int32, hash table
        of the last use of each name so far.
    """
    names, contexts = np.empty(leaves, np.uint64), np.empty(leaves, np.uint64)
    users, earlier = np.empty(leaves, np.int32), np.empty(leaves, np.int32)
    return names, contexts, users, earlier, np.empty(4 * leaves + 4, np.int32)


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
    leaves = np.flatnonzero(kept) if len(kept) else np.arange(size)
    ids, owners = make_features(size)
    made = write_features(forest, body, leaves, make_uses(size), (ids, owners))
    return ids[:made], owners[:made]


@njit(inline="always")
def _make_id(kind: Any, left: Any, right: Any) -> Any:
    return (np.uint64(kind) << np.uint64(62)) | (mix(left, right) & _MASK)


@njit(cache=True)
def write_features(forest: Any, body: Any, leaves: Any, uses: Any, features: Any) -> Any:
    """Write the features of some leaves of a body, and count them (``collect_features``).

    Args:
        forest: a ``trees.Forest``.
        body: number of the body.
        leaves: int64, numbers of the leaves, ascending.
        uses: working arrays (``make_uses``).
        features: takes ids and owners (``make_features``).
    """
    first, first_node = forest.body_leaves[body], forest.body_nodes[body]
    ids, owners = features
    names, contexts, users, _, _ = uses
    made = used = 0
    previous = -1
    previous_key = np.uint64(0)
    for number in range(len(leaves)):
        leaf = leaves[number]
        variable = forest.leaf_is_variable[first + leaf]
        key = _VARIABLE if variable else forest.leaf_text[first + leaf]
        ids[made], owners[made] = _make_id(TOKEN, np.uint64(0), key), leaf
        made += 1
        node = parent = first_node + forest.leaf_node[first + leaf]
        position = forest.leaf_position[first + leaf]
        ancestors = 0
        while True:
            if forest.node_kind[node] != PASSED_OVER:
                place = mix(forest.node_label[node], np.uint64(position))
                ids[made], owners[made] = _make_id(PARENT, place, key), leaf
                made += 1
                ancestors += 1
            if ancestors == _ANCESTORS or forest.node_parent[node] < 0:
                break
            position = forest.node_position[node]
            node = first_node + forest.node_parent[node]
        if previous >= 0:
            id_ = _make_id(NEIGHBOUR, previous_key, key)
            ids[made], owners[made] = id_, previous
            ids[made + 1], owners[made + 1] = id_, leaf
            made += 2
        previous, previous_key = leaf, key
        if variable:
            # The context is the name after the variable (``v.name``), or its place in the parent.
            position = forest.leaf_position[first + leaf]
            context = mix(forest.node_label[parent], np.uint64(position))
            if forest.node_kind[parent] == ACCESS and position == 1:
                after = number + 1
                if after == len(leaves) or leaves[after] >= forest.node_end[parent]:
                    continue  # this name was pruned away: such a use counts for nothing
                context = forest.leaf_text[first + leaves[after]]
            names[used], contexts[used] = forest.leaf_text[first + leaf], context
            users[used] = leaf
            used += 1
    return _link_uses(used, uses, features, made)


@njit(cache=True)
def _link_uses(used: Any, uses: Any, features: Any, made: Any) -> Any:
    """Write the usage features: each use of a name with the two uses before it."""
    ids, owners = features
    names, contexts, users, earlier, last = uses
    size = 4
    while size < 2 * used:
        size *= 2
    mask = size - 1  # a hash table: names are hashes, so their low bits are random
    last[:size] = -1
    for use in range(used):
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
