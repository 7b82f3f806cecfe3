"""Aroma's features of a tree (Luan et al., OOPSLA 2019, section 3.1), compiled.

The features are those of the published reference code, which differ from the paper's text in
three points (DEV-20): one neighbour instead of two, the two previous uses of a variable instead
of one, and two kinds of ancestors that are passed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from ncsbench.judge.folding import ACCESS, PASSED_OVER
from ncsbench.judge.hashing import hash_text, mix

TOKEN, PARENT, NEIGHBOUR, USAGE = 0, 1, 2, 3
"""Kinds of features; the two highest bits of an id."""

_VARIABLE = np.uint64(hash_text("#VAR"))
_ANCESTORS = 3
_EARLIER_USES = 2
_PER_LEAF = 2 + _ANCESTORS + 2 + 2 * _EARLIER_USES  # the most features that leaves own on average
_MASK = np.uint64((1 << 62) - 1)


@njit(cache=True)
def feature_ids(kinds: Any, lefts: Any, rights: Any) -> Any:
    """Ids of features given by kind and the hashes of their two halves, uint64."""
    ids = np.empty(len(kinds), np.uint64)
    for i in range(len(kinds)):
        shifted = np.uint64(kinds[i]) << np.uint64(62)
        ids[i] = shifted | (mix(lefts[i], rights[i]) & _MASK)
    return ids


@njit(cache=True)
def collect_features(forest: Any, body: Any, kept: Any) -> Any:
    """Features of one body, each once for each leaf that owns it.

    A leaf owns its token, its parent features, and one copy of each neighbour and usage feature
    in which it is an end; the sum over the leaves is the multiset of the body.

    Args:
        forest: a ``trees.Forest``.
        body: number of the body.
        kept: bool, shape (leaves of the body,), the leaves that were not pruned away; with
            length 0 all of them. The tree keeps its labels and positions; neighbours and uses
            are joined across the gaps.

    Returns:
        Four arrays, one entry per owned feature: its kind (uint8), the hashes of its halves
        (uint64, uint64), and the number of the leaf that owns it (int32).
    """
    first, end = forest.body_leaves[body], forest.body_leaves[body + 1]
    size = end - first
    kinds = np.empty(size * _PER_LEAF, np.uint8)
    lefts = np.empty(size * _PER_LEAF, np.uint64)
    rights = np.empty(size * _PER_LEAF, np.uint64)
    owners = np.empty(size * _PER_LEAF, np.int32)
    made = 0
    previous = -1
    previous_key = np.uint64(0)
    for leaf in range(size):
        if len(kept) and not kept[leaf]:
            continue
        is_variable = forest.leaf_is_variable[first + leaf]
        key = _VARIABLE if is_variable else forest.leaf_text[first + leaf]
        kinds[made], lefts[made], rights[made], owners[made] = TOKEN, 0, key, leaf
        made += 1
        node = forest.body_nodes[body] + forest.leaf_node[first + leaf]
        position = forest.leaf_position[first + leaf]
        ancestors = 0
        while True:
            if forest.node_kind[node] != PASSED_OVER:
                left = mix(forest.node_label[node], np.uint64(position))
                kinds[made], lefts[made], rights[made], owners[made] = PARENT, left, key, leaf
                made += 1
                ancestors += 1
            if ancestors == _ANCESTORS or forest.node_parent[node] < 0:
                break
            position = forest.node_position[node]
            node = forest.body_nodes[body] + forest.node_parent[node]
        if previous >= 0:
            for owner in (previous, leaf):
                kinds[made], lefts[made], rights[made] = NEIGHBOUR, previous_key, key
                owners[made] = owner
                made += 1
        previous, previous_key = leaf, key
    made = _link_uses(forest, body, kept, (kinds, lefts, rights, owners), made)
    return kinds[:made], lefts[:made], rights[:made], owners[:made]


@njit(cache=True)
def _link_uses(forest: Any, body: Any, kept: Any, features: Any, made: Any) -> Any:
    """Write the usage features: each use of a name with the two uses before it."""
    kinds, lefts, rights, owners = features
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
    order = np.argsort(names[:uses], kind="mergesort")  # uses of a name side by side, in text order
    for place in range(1, uses):
        use = order[place]
        for earlier in range(max(0, place - _EARLIER_USES), place):
            other = order[earlier]
            if names[other] == names[use]:
                for owner in (users[other], users[use]):
                    kinds[made], lefts[made] = USAGE, contexts[other]
                    rights[made], owners[made] = contexts[use], owner
                    made += 1
    return made


@njit(cache=True)
def _context(forest: Any, body: Any, leaf: Any, kept: Any) -> Any:
    """Where a variable is used: what is taken from it (``v.name``), or its place in the parent.

    False where the name after the point was pruned away: such a use counts for nothing.
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
