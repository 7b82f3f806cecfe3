"""Pruning a method to the part that resembles an answer (Aroma paper, section 3.3).

Leaves of the method are added one by one, each time the one that gives the largest multiset
Jaccard similarity between the answer and the sum of the leaves so far, as long as it rises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ncsbench.judge.features import FeatureIndex, MethodFeatures, leaf_features


@dataclass(frozen=True, slots=True)
class Pruned:
    """The outcome of pruning.

    Attributes:
        kept: numbers of the kept leaves, ascending.
        size: number of features the kept leaves own.
        common: size of the intersection of those features with the answer's.
        jaccard: multiset Jaccard similarity of those features with the answer's.
    """

    kept: tuple[int, ...]
    size: int
    common: int
    jaccard: float


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a method, as far as the features of the answers go.

    Attributes:
        counts: per leaf, counts by id of those of its features that the index knows.
        sizes: per leaf, number of its features, known or not.
    """

    counts: Sequence[Mapping[int, int]]
    sizes: Sequence[int]


def index_leaves(method: MethodFeatures, index: FeatureIndex) -> Leaves:
    """The leaves of ``method`` by the feature ids of ``index``."""
    counts = [index.known(Counter(leaf)) for leaf in method.leaves]
    return Leaves(counts, [len(leaf) for leaf in method.leaves])


def prune_leaves(answer: Mapping[int, int], leaves: Leaves, *, enough: float = 1.0) -> Pruned:
    """Greedy choice of the leaves of a method that resemble an answer most.

    Of leaves that give the same similarity the first in the text is taken. A leaf that does not
    raise the similarity now never will: what it has in common with the rest of the answer only
    shrinks while the similarity it has to beat grows. Such leaves are dropped for good.

    Args:
        answer: counts of the answer by feature id.
        leaves: leaves of the method by the same ids.
        enough: stop as soon as the similarity is above this value; the result is then a lower
            bound of the similarity.

    Returns:
        The kept leaves; ``jaccard`` is the similarity with the kept leaves' original features,
        as in the Aroma paper (DEV-22).
    """
    answer_size = sum(answer.values())
    rest = dict(answer)
    owners: dict[int, list[int]] = {}
    gains: dict[int, int] = {}
    for number, leaf in enumerate(leaves.counts):
        gain = 0
        for feature, count in leaf.items():
            wanted = rest.get(feature)
            if wanted:
                gain += min(count, wanted)
                owners.setdefault(feature, []).append(number)
        if gain:
            gains[number] = gain
    kept: list[int] = []
    size = common = 0
    while gains and common / (answer_size + size - common) <= enough:
        best = _best_leaf(gains, leaves.sizes, common, answer_size + size - common)
        if best is None:
            break
        common += gains.pop(best)
        size += leaves.sizes[best]
        kept.append(best)
        _take_out(best, leaves.counts, rest, owners, gains)
    union = answer_size + size - common
    return Pruned(tuple(sorted(kept)), size, common, common / union if union else 0.0)


def _best_leaf(gains: dict[int, int], sizes: Sequence[int], common: int, union: int) -> int | None:
    """The leaf to add, or None; leaves that cannot raise the similarity leave ``gains``."""
    best, best_score = None, common / union
    hopeless = []
    for number, gain in gains.items():
        score = (common + gain) / (union + sizes[number] - gain)
        if score > best_score:
            best, best_score = number, score
        elif gain * union <= common * (sizes[number] - gain):
            hopeless.append(number)
    for number in hopeless:
        del gains[number]
    return best


def _take_out(
    chosen: int,
    leaves: Sequence[Mapping[int, int]],
    rest: dict[int, int],
    owners: Mapping[int, list[int]],
    gains: dict[int, int],
) -> None:
    """Take the features of a chosen leaf out of what the answer still wants; lower the gains."""
    for feature, count in leaves[chosen].items():
        before = rest.get(feature, 0)
        if not before:
            continue
        after = rest[feature] = max(0, before - count)
        for number in owners[feature]:
            if number in gains:
                has = leaves[number][feature]
                gains[number] -= min(has, before) - min(has, after)


def refeaturised_jaccard(
    answer: Mapping[int, int], method: MethodFeatures, pruned: Pruned, index: FeatureIndex
) -> float:
    """Similarity of an answer with the features computed anew from the pruned tree.

    This is the ranking score of Aroma's reference code (DEV-22): kept leaves are joined across
    the gaps, so that it may be above or below the one with the original features.

    Args:
        answer: counts of the answer by the ids of ``index``.
        method: features of one method body.
        pruned: what is kept of it.
        index: ids of features.
    """
    if not pruned.kept:
        return 0.0
    kept = leaf_features(method.bodies[0], frozenset(pruned.kept))
    counts = Counter(feature for leaf in kept for feature in leaf)
    known = index.known(counts)
    common = sum(min(count, answer.get(feature, 0)) for feature, count in known.items())
    return common / (sum(answer.values()) + counts.total() - common)
