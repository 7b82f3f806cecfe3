"""Clusters of search results that share more than the query (Aroma paper, section 3.3, phase 3).

The results of a search come best first, each with the features of the whole method and those of
its pruned part. A cluster starts with one result and adds later ones while two conditions hold:
the members share clearly more with each other than with the query, so that there is something to
recommend, and their pruned parts stay similar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ncsbench.aroma.features import FeatureSet

Counts = NDArray[np.int32]
Cluster = tuple[int, ...]
"""Places of the members in the list of results, ascending; at least two."""


@dataclass(frozen=True)
class ClusterOptions:
    """When results form a cluster; the thresholds are the paper's.

    Attributes:
        gain: least size of what the members share, over what their pruned parts share (tau2).
        likeness: least size of what the pruned parts share, over the first one's size (tau3).
        overlap: a cluster is dropped that is more similar to an earlier one than this (Jaccard).
        growth: a cluster takes the result that leaves most in common ("common", the reference
            code), or most in proportion to what the pruned parts share ("gain") (DEV-35).
    """

    gain: float = 1.5
    likeness: float = 0.9
    overlap: float = 0.5
    growth: Literal["common", "gain"] = "common"


def find_clusters(
    methods: Sequence[FeatureSet], pruned: Sequence[FeatureSet], options: ClusterOptions
) -> Iterator[Cluster]:
    """Clusters in the order of recommendation: by first member, longer ones first.

    Each result starts one chain: it adds the best later result for which the cluster stays
    valid, then the best after that one, and so on. Every prefix of a chain is a cluster.

    Args:
        methods: features of the whole methods, best result first.
        pruned: features of what pruning kept of each, aligned.
        options: thresholds.
    """
    whole, kept = _tabulate(methods), _tabulate(pruned)
    chains: list[Cluster] = []
    for first in range(len(methods)):
        chain = _grow_chain(first, whole, kept, options)
        for length in range(len(chain), 1, -1):
            # The next longer beginning of the same chain comes before this one.
            if length < len(chain) and length / (length + 1) > options.overlap:
                continue
            cluster = chain[:length]
            if not any(_is_near_beginning(cluster, earlier, options.overlap) for earlier in chains):
                yield cluster
        chains.append(chain)


def _grow_chain(first: int, whole: Counts, kept: Counts, options: ClusterOptions) -> Cluster:
    # Only the features of the first count, and only later results can join it.
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
        score = shared if options.growth == "common" else shared / np.maximum(shared_kept, 1)
        best = int(valid[np.argmax(score[valid])])
        chain.append(int(later[best]))
        common = np.minimum(common, others[rows[best]])
        common_kept = np.minimum(common_kept, others_kept[rows[best]])
        # What is not alike now will not be: what the kept parts share only shrinks.
        later = later[best + 1 :][alike[best + 1 :]]
    return tuple(chain)


def _is_near_beginning(cluster: Cluster, chain: Cluster, overlap: float) -> bool:
    """Whether a prefix of at least two members of ``chain`` is too similar to ``cluster``."""
    members = set(cluster)
    common = 0
    for length, member in enumerate(chain, start=1):
        common += member in members
        if length > 1 and common / (len(cluster) + length - common) > overlap:
            return True
    return False


def _tabulate(multisets: Sequence[FeatureSet]) -> Counts:
    """How often each multiset has each feature of any, shape (multisets, features)."""
    ids = np.concatenate([np.zeros(0, np.uint64), *(each.ids for each in multisets)])
    features, columns = np.unique(ids, return_inverse=True)
    table = np.zeros((len(multisets), len(features)), np.int32)
    for row, each in enumerate(multisets):
        own, columns = columns[: len(each.ids)], columns[len(each.ids) :]
        table[row, own] = each.counts
    return table
