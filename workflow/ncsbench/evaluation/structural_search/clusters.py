"""Clusters of search results that share more than the query (Aroma paper, section 3.3, phase 3).

The results of a search come best first, each with the features of the whole method and those of
its pruned part. A cluster starts with one result and adds later ones while two conditions hold:
the members share clearly more with each other than with the query, so that there is something to
recommend, and their pruned parts stay similar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ncsbench.code.aroma.features import FeatureSet

Counts = NDArray[np.int32]
Cluster = tuple[int, ...]
"""Places of the members in the list of results, ascending; at least two."""


@dataclass(frozen=True)
class ClusterOptions:
    """Conditions under which results form a cluster; the thresholds are the paper's.

    Attributes:
        gain: least size of the features that the members share, relative to those that their pruned
            parts share (tau2).
        likeness: least size of the features that the pruned parts share, relative to the size of
            the first pruned part (tau3).
        overlap: a cluster that is more similar to an earlier one than this is dropped (Jaccard).
    """

    gain: float = 1.5
    likeness: float = 0.9
    overlap: float = 0.5


def find_clusters(
    methods: Sequence[FeatureSet], pruned: Sequence[FeatureSet], options: ClusterOptions
) -> Iterator[Cluster]:
    """Find clusters, in the order of recommendation: by first member, longer ones first.

    Each result starts one chain: of the later results for which the cluster stays valid, it adds
    the one that leaves most features in common, then the best after that one, and so on. Every
    prefix of a chain is a cluster.

    Args:
        methods: features of the whole methods, best result first.
        pruned: features of the part of each that pruning kept, aligned.
        options: thresholds.
    """
    whole, kept = _tabulate(methods), _tabulate(pruned)
    chains: list[Cluster] = []
    for first in range(len(methods)):
        chain = _grow_chain(first, whole, kept, options)
        for length in range(len(chain), 1, -1):
            # The next longer beginning of the same chain comes before this beginning.
            if length < len(chain) and length / (length + 1) > options.overlap:
                continue
            cluster = chain[:length]
            if not any(_is_near_beginning(cluster, earlier, options.overlap) for earlier in chains):
                yield cluster
        chains.append(chain)


def _grow_chain(first: int, whole: Counts, kept: Counts, options: ClusterOptions) -> Cluster:
    # Only the features of the first result count, and only later results can join it.
    common, *_ = others = whole[first:, whole[first] > 0]
    common_kept, *_ = others_kept = kept[first:, kept[first] > 0]
    size = int(common_kept.sum())
    later = np.arange(first + 1, len(whole))
    chain = [first]
    while len(later) and size:
        rows = later - first
        shared = np.minimum(others[rows], common).sum(axis=1, dtype=np.int64)
        shared_kept = np.minimum(others_kept[rows], common_kept).sum(axis=1, dtype=np.int64)
        alike = shared_kept / size > options.likeness
        valid = np.flatnonzero(alike & (shared > options.gain * shared_kept))
        if not len(valid):
            break
        best = int(valid[np.argmax(shared[valid])])
        chain.append(int(later[best]))
        common = np.minimum(common, others[rows[best]])
        common_kept = np.minimum(common_kept, others_kept[rows[best]])
        # A result that is not alike now never will be: the features that kept parts share only
        # shrink.
        later = later[best + 1 :][alike[best + 1 :]]
    return tuple(chain)


def _is_near_beginning(cluster: Cluster, chain: Cluster, overlap: float) -> bool:
    """Return True if a prefix of two or more members of ``chain`` is too similar to ``cluster``."""
    members = set(cluster)
    common = 0
    for length, member in enumerate(chain, start=1):
        common += member in members
        if length > 1 and common / (len(cluster) + length - common) > overlap:
            return True
    return False


def _tabulate(multisets: Sequence[FeatureSet]) -> Counts:
    """Count each feature in each multiset, shape (multisets, features)."""
    ids = np.concatenate([np.zeros(0, np.uint64), *(each.ids for each in multisets)])
    features, columns = np.unique(ids, return_inverse=True)
    table = np.zeros((len(multisets), len(features)), np.int32)
    for row, each in enumerate(multisets):
        own, columns = columns[: len(each.ids)], columns[len(each.ids) :]
        table[row, own] = each.counts
    return table
