"""Structural search of a corpus for a snippet of code, in Aroma's four phases.

Luan et al., OOPSLA 2019, section 3.3: (1) the methods that share most distinct features with the
query are found, (2) pruned to the query and ranked again, (3) clustered, (4) intersected. All
copies of a method are one result; the paper's corpus has no copies (DEV-34). A recommendation is
the first method of a cluster, pruned to the query and then to each other member in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.code.aroma.features import (
    ALL_LEAVES,
    FeatureSet,
    body_feature_ids,
    collect_features,
    count_features,
)
from ncsbench.code.aroma.similarity import count_common, find_places, prune_leaves
from ncsbench.code.aroma.trees import Forest, mix
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.judge.judge_index import IndexBlock
from ncsbench.evaluation.structural_search.clusters import Cluster, ClusterOptions, find_clusters

Kept: TypeAlias = NDArray[np.bool_]
"""Mask of the kept leaves of a method, shape (leaves,)."""

OwnedFeatures: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.int32]]
"""Features of a method, and the leaf that owns each feature, shape (features,) both."""


def intersect_cluster(
    query: FeatureSet,
    first: Callable[[Kept], OwnedFeatures],
    leaves: int,
    others: Sequence[FeatureSet],
) -> Kept:
    """Find the leaves of a cluster's first method that resemble the query or all other members.

    The method is pruned to the query first and then on to each other member (DEV-36).

    Args:
        query: features of the query.
        first: gives the features of the first member's kept leaves: their original features, or
            features computed anew from the pruned tree (DEV-22).
        leaves: number of leaves of the first member.
        others: features of the other members, in order.
    """
    kept = np.ones(leaves, np.bool_)
    for other in others:
        ids, owners = first(kept)
        kept = np.zeros(leaves, np.bool_)
        for wanted in (query, other):
            places = find_places(ids, wanted.ids)
            kept, _, _ = prune_leaves(places, owners, kept, wanted.counts)
    return kept


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search, as in the paper; ``REFERENCE_CODE`` has its code's (DEV-34 to 36).

    Attributes:
        candidates: largest number of methods that are pruned (eta1).
        least_overlap: share of the query's distinct features that a candidate must exceed.
        score: score of a pruned method: its Jaccard similarity with the query, or the share of the
            query that it contains.
        refeaturise: True to compute a pruned method's features anew from its tree (DEV-22).
        similar: score that a method must exceed to be clustered (tau1).
        clustered: largest number of methods that are clustered (eta2).
        clusters: conditions of a cluster (tau2, tau3).
        snippets: largest number of recommendations (K).
    """

    candidates: int = 1000
    least_overlap: float = 0.0
    score: Literal["jaccard", "containment"] = "containment"
    refeaturise: bool = False
    similar: float = 0.65
    clustered: int = 100
    clusters: ClusterOptions = field(default_factory=ClusterOptions)
    snippets: int = 5

    def __post_init__(self) -> None:
        for name in ("candidates", "clustered", "snippets"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"{name} must not be negative")
        for name in ("least_overlap", "similar"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigurationError(f"{name} must lie between 0 and 1")


REFERENCE_CODE = SearchOptions(
    candidates=100,
    least_overlap=0.4,
    score="jaccard",
    refeaturise=True,
)


@dataclass(frozen=True, eq=False)
class FoundMethod:
    """A method that resembles the query.

    Attributes:
        id: id of the method in the corpus; of copies the smallest id.
        score: similarity of its pruned tree with the query.
        overlap: number of distinct features that it shares with the query.
        kept: bool, shape (leaves,), true for leaves that pruning kept.
        copies: ids of the candidates with the same features, ascending.
        forest: the trees of which its tree is one.
        body: number of its tree in ``forest``.
    """

    id: int
    score: float
    overlap: int
    kept: Kept
    copies: tuple[int, ...]
    forest: Forest
    body: int

    def features(self, kept: Kept = ALL_LEAVES, *, anew: bool = False) -> OwnedFeatures:
        """List features owned by kept leaves (default: all): original ones, or computed anew."""
        ids, owners = body_feature_ids(self.forest, self.body, kept if anew else ALL_LEAVES)
        if anew or not len(kept):
            return ids, owners
        return ids[kept[owners]], owners[kept[owners]]


@dataclass(frozen=True, eq=False)
class Recommendation:
    """The code that the members of a cluster share.

    Attributes:
        members: indices of the members in ``SearchResult.methods``.
        kept: bool, shape (leaves of the first member,), true for leaves that are recommended.
    """

    members: Cluster
    kept: Kept


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The result of a search: methods by (score, ascending id), and recommended parts of them."""

    methods: tuple[FoundMethod, ...]
    recommendations: tuple[Recommendation, ...]


@dataclass(frozen=True)
class Candidates:
    """Methods of one block: their numbers in it, ascending, and their overlaps with a query."""

    block: IndexBlock
    methods: NDArray[np.int64]
    overlaps: NDArray[np.int32]


def find_candidates(
    query: FeatureSet, blocks: Iterable[IndexBlock], options: SearchOptions
) -> list[Candidates]:
    """Phase 1: the methods with most distinct features in common; ties by ascending id."""
    least = options.least_overlap * len(query.ids)
    found: list[Candidates] = []
    for block in blocks:
        overlaps = block.overlap(query).distinct
        above = np.flatnonzero((overlaps > least) & (overlaps > 0))
        above = above[_largest(overlaps[above], options.candidates)]
        found.append(Candidates(block, above, overlaps[above]))
    overlaps = np.concatenate([np.zeros(0, np.int32), *(part.overlaps for part in found)])
    best = np.zeros(len(overlaps), np.bool_)
    best[_largest(overlaps, options.candidates)] = True
    picked = np.split(best, np.cumsum([len(part.methods) for part in found])[:-1])
    return [
        replace(part, methods=part.methods[which], overlaps=part.overlaps[which])
        for part, which in zip(found, picked, strict=False)
        if which.any()
    ]


def rank_pruned(
    query: FeatureSet, candidates: Iterable[Candidates], options: SearchOptions
) -> tuple[FoundMethod, ...]:
    """Phase 2: prune candidates to the query, join copies, and sort by (score, ascending id)."""
    copies: dict[int, list[int]] = {}
    found: dict[int, FoundMethod] = {}
    for part in candidates:
        block = part.block
        scores, hashes, starts, kept = _prune_methods(
            block.forest, part.methods, query.ids, query.counts,
            options.score == "jaccard", options.refeaturise,
        )  # fmt: skip
        for place, body in enumerate(part.methods.tolist()):
            key = int(hashes[place])
            if key in found:
                copies[key].append(block.first_id + body)
                continue
            copies[key] = []
            found[key] = FoundMethod(
                id=block.first_id + body,
                score=float(scores[place]),
                overlap=int(part.overlaps[place]),
                kept=kept[starts[place] : starts[place + 1]],
                copies=(),
                forest=block.forest,
                body=body,
            )
    methods = [replace(method, copies=tuple(copies[key])) for key, method in found.items()]
    return tuple(sorted(methods, key=lambda method: (-method.score, method.id)))


def recommend(
    query: FeatureSet, methods: Sequence[FoundMethod], options: SearchOptions
) -> tuple[Recommendation, ...]:
    """Phases 3 and 4: cluster the ranked methods, and intersect the members of each cluster."""
    anew = options.refeaturise
    similar = [method for method in methods if method.score > options.similar]
    similar = similar[: options.clustered]
    whole = [count_features(method.features()[0]) for method in similar]
    pruned = [count_features(method.features(method.kept, anew=anew)[0]) for method in similar]
    clusters = find_clusters(whole, pruned, options.clusters)
    recommendations = []
    for cluster in islice(clusters, options.snippets):
        first = similar[cluster[0]]
        kept = intersect_cluster(
            query,
            lambda kept, first=first: first.features(kept, anew=anew),  # type: ignore[misc]
            len(first.kept),
            [whole[member] for member in cluster[1:]],
        )
        recommendations.append(Recommendation(cluster, kept))
    return tuple(recommendations)


def _largest(values: NDArray[np.int32], count: int) -> NDArray[np.int64]:
    """Indices of the largest values, ascending; ties go to the lower index."""
    order = np.argsort(-values, kind="stable")[:count]
    return np.sort(order)


@njit(cache=True)
def _prune_methods(
    forest: Any, methods: Any, query_ids: Any, query_counts: Any, jaccard: Any, anew: Any
) -> Any:
    """Prune methods to a query.

    Returns:
        Score of each method, hash of its features, start of its leaves, and a mask of kept leaves.
    """
    scores = np.zeros(len(methods), np.float64)
    hashes = np.zeros(len(methods), np.uint64)
    starts = np.zeros(len(methods) + 1, np.int64)
    for place, method in enumerate(methods):
        leaves = forest.body_leaves[method + 1] - forest.body_leaves[method]
        starts[place + 1] = starts[place] + leaves
    all_kept = np.zeros(starts[-1], np.bool_)
    query = query_counts.sum()
    for place, method in enumerate(methods):
        ids, owners = collect_features(forest, method, np.zeros(0, np.bool_))
        places = find_places(ids, query_ids)
        begun = all_kept[starts[place] : starts[place + 1]]
        kept, size, common = prune_leaves(places, owners, begun, query_counts)
        begun[:] = kept
        if anew and kept.any():
            pruned_ids, _ = collect_features(forest, method, kept)
            places = find_places(pruned_ids, query_ids)
            common, _ = count_common(places, query_counts)
            size = len(places)
        whole = query + size - common if jaccard else query
        scores[place] = common / whole if whole else 0.0
        for id_ in np.sort(ids):
            hashes[place] = mix(hashes[place], id_)
    return scores, hashes, starts, all_kept
