"""The common part of a cluster, as a part of its first member (phase 4 of Aroma).

Aroma (Luan et al., OOPSLA 2019, section 3.3) recommends the first method of a cluster, pruned to
the query and then to each other member in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.pruning import find_places, prune_leaves

if TYPE_CHECKING:
    from ncsbench.aroma.features import FeatureSet

Kept: TypeAlias = NDArray[np.bool_]
"""Per leaf of a method whether it is kept, shape (leaves,)."""

OwnedFeatures: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.int32]]
"""Features of a method and the number of the leaf that owns each, shape (features,) both."""

Intersection: TypeAlias = Literal["sequence", "union"]
"""How a method is pruned to the query and to another member: to the query first and then on to
the other, as the reference code does it, or at once to the union of their features (DEV-36)."""


def intersect_cluster(
    query: FeatureSet,
    first: Callable[[Kept], OwnedFeatures],
    leaves: int,
    others: Sequence[FeatureSet],
    intersection: Intersection = "sequence",
) -> Kept:
    """The leaves of a cluster's first method that resemble the query or all other members.

    Args:
        query: features of the query.
        first: gives the features of the first member's kept leaves: their original ones, or those
            computed anew from the pruned tree (DEV-22).
        leaves: number of leaves of the first member.
        others: features of the other members, in order.
        intersection: way of pruning.
    """
    kept = np.ones(leaves, np.bool_)
    for other in others:
        ids, owners = first(kept)
        if intersection == "union":
            wanted_ids, wanted_counts = _unite(query, other)
            places = find_places(ids, wanted_ids)
            kept, _, _ = prune_leaves(places, owners, leaves, wanted_counts)
        else:
            kept = np.zeros(leaves, np.bool_)
            for wanted in (query, other):
                kept = add_leaves(wanted, (ids, owners), kept)
    return kept


def add_leaves(wanted: FeatureSet, owned: OwnedFeatures, kept: Kept) -> Kept:
    """Prune, starting from leaves that are already kept (``pruning.prune_leaves``).

    Each step adds the first leaf that gives the largest multiset Jaccard similarity with
    ``wanted``; it ends when no leaf raises the similarity.
    """
    ids, owners = owned
    places = find_places(ids, wanted.ids)
    known = places >= 0
    pairs, counts = np.unique(np.stack([owners[known], places[known]]), axis=1, return_counts=True)
    leaf, place = pairs
    sizes = np.bincount(owners, minlength=len(kept))
    kept = kept.copy()
    has = np.bincount(place, counts * kept[leaf], minlength=len(wanted.counts))
    size = int(sizes[kept].sum())
    while True:
        common = np.minimum(has, wanted.counts).sum()
        union = wanted.counts.sum() + size - common
        rest = np.maximum(wanted.counts - has, 0)
        gains = np.bincount(leaf, np.minimum(counts, rest[place]), minlength=len(kept))
        gains[kept] = 0
        scores = np.where(gains > 0, (common + gains) / np.maximum(union + sizes - gains, 1), 0.0)
        best = int(np.argmax(scores)) if len(scores) else 0
        if not len(scores) or scores[best] <= (common / union if union else 0.0):
            return kept
        kept[best] = True
        size += int(sizes[best])
        has += np.bincount(place, counts * (leaf == best), minlength=len(has))


def _unite(query: FeatureSet, other: FeatureSet) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The larger count of each feature of either; ids ascending."""
    ids, places = np.unique(np.concatenate([query.ids, other.ids]), return_inverse=True)
    counts = np.zeros(len(ids), np.int32)
    np.maximum.at(counts, places, np.concatenate([query.counts, other.counts]))
    return ids, counts
