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
    first, first_node = forest.body_leaves[body], forest.body_nodes[body]
    size = forest.body_leaves[body + 1] - first
    ids = np.empty(size * _PER_LEAF, np.uint64)
    owners = np.empty(size * _PER_LEAF, np.int32)
    features = (ids, owners)
    made = np.int64(0)  # a literal 0 would be compiled for anew
    previous = -1
    previous_key = np.uint64(0)
    for leaf in range(size):
        if len(kept) and not kept[leaf]:
            continue
        key = forest.leaf_text[first + leaf]
        if forest.leaf_is_variable[first + leaf]:
            key = _VARIABLE
        made = _put(features, made, TOKEN, np.uint64(0), key, leaf)
        node = first_node + forest.leaf_node[first + leaf]
        position = forest.leaf_position[first + leaf]
        ancestors = 0
        while True:
            if forest.node_kind[node] != PASSED_OVER:
                place = mix(forest.node_label[node], np.uint64(position))
                made = _put(features, made, PARENT, place, key, leaf)
                ancestors += 1
            if ancestors == _ANCESTORS or forest.node_parent[node] < 0:
                break
            position = forest.node_position[node]
            node = first_node + forest.node_parent[node]
        if previous >= 0:
            made = _put(features, made, NEIGHBOUR, previous_key, key, previous)
            made = _put_again(features, made, leaf)
        previous, previous_key = leaf, key
    made = _link_uses(forest, body, kept, features, made)
    return ids[:made], owners[:made]


@njit(cache=True)
def _put(features: Any, made: Any, kind: Any, left: Any, right: Any, owner: Any) -> Any:
    """Write one feature and return the index of the next."""
    ids, owners = features
    ids[made] = (np.uint64(kind) << np.uint64(62)) | (mix(left, right) & _MASK)
    owners[made] = owner
    return made + 1


@njit(cache=True)
def _put_again(features: Any, made: Any, owner: Any) -> Any:
    """Write the last feature for another owner and return the index of the next."""
    ids, owners = features
    ids[made] = ids[made - 1]
    owners[made] = owner
    return made + 1


@njit(cache=True)
def _link_uses(forest: Any, body: Any, kept: Any, features: Any, made: Any) -> Any:
    """Write the usage features: each use of a name with the two uses before it."""
    first, end = forest.body_leaves[body], forest.body_leaves[body + 1]
    names = np.empty(end - first, np.uint64)
    contexts = np.empty(end - first, np.uint64)
    users = np.empty(end - first, np.int32)
    uses = 0
    for leaf in range(end - first):
        if forest.leaf_is_variable[first + leaf] and (not len(kept) or kept[leaf]):
            known, context = _context(forest, body, leaf, kept)
            if known:
                names[uses], contexts[uses] = forest.leaf_text[first + leaf], context
                users[uses] = leaf
                uses += 1
    earlier_uses = _find_earlier_uses(names[:uses])
    for use in range(uses):
        other = earlier_uses[use]
        for _ in range(_EARLIER_USES):
            if other >= 0:
                made = _put(features, made, USAGE, contexts[other], contexts[use], users[other])
                made = _put_again(features, made, users[use])
                other = earlier_uses[other]
    return made


@njit(cache=True)
def _find_earlier_uses(names: Any) -> Any:
    """Find the last use of the same name before each use; -1 where there is no earlier use."""
    size = 4
    while size < 2 * len(names):
        size *= 2
    mask = np.uint64(size - 1)  # a hash table: names are hashes, so their low bits are random
    last = np.full(size, -1, np.int64)
    earlier = np.empty(len(names), np.int64)
    for use in range(len(names)):
        slot = names[use] & mask
        while last[slot] >= 0 and names[last[slot]] != names[use]:
            slot = (slot + np.uint64(1)) & mask
        earlier[use] = last[slot]
        last[slot] = use
    return earlier


@njit(cache=True)
def _context(forest: Any, body: Any, leaf: Any, kept: Any) -> Any:
    """Find the context of a variable: the name after it (``v.name``), or its place in the parent.

    The first result is False where this name was pruned away: such a use counts for nothing.
    """
    first = forest.body_leaves[body]
    node = forest.body_nodes[body] + forest.leaf_node[first + leaf]
    position = forest.leaf_position[first + leaf]
    if forest.node_kind[node] != ACCESS or position != 1:
        return True, mix(forest.node_label[node], np.uint64(position))
    for other in range(leaf + 1, forest.node_end[node]):
        if not len(kept) or kept[other]:
            return True, forest.leaf_text[first + other]
    return False, np.uint64(0)


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
