"""Compiled similarities of an answer and a method.

With Q and M the feature multisets of answer and method, S(.) their sets of distinct features and
I the sum of the minima of the counts. An empty side gives 0. Containment is what the Aroma paper
(section 2) calls similarity. The pruned ones are those of its section 3.3, in the two readings of
DEV-22. The others are standard symmetric similarities, except for the last.

The charged overlap was chosen for this project (DEV-38). It is a containment that also penalises
the length of the method, at a lower rate than that of the answer::

    I / (7/8 |Q| + 1/8 |M|)  =  8 I / (7 |Q| + |M|)

This is no new formula: it is Tversky's index (Features of similarity, Psychological Review 84,
1977, ratio model) with the weight 7/8 for what only the answer has and 1/8 for what only the method
has. Containment is the same with 1 and 0, Dice with 1/2 and 1/2. What is our own is the use as a
judge, the weights and the threshold; docs/judge.md says how they were found.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numba import njit

from ncsbench.aroma.feature_collection import collect_features
from ncsbench.aroma.pruning import find_places, prune_leaves
from ncsbench.aroma.similarity_names import ANSWER_WEIGHT, METHOD_WEIGHT, SIMILARITIES

UNPRUNED = tuple(similarity for similarity in SIMILARITIES if not similarity.startswith("pruned"))
"""The similarities that follow from sizes alone (``similarity_of_sizes``)."""


@njit(cache=True)
def similarity_of_sizes(
    number: Any, common: Any, answer: Any, method: Any,
    common_distinct: Any, answer_distinct: Any, method_distinct: Any,
) -> Any:  # fmt: skip
    """One of the similarities that need no pruning.

    Args:
        number: position of the similarity in ``UNPRUNED``.
        common: I.
        answer: size of Q.
        method: size of M.
        common_distinct: size of the intersection of S(Q) and S(M).
        answer_distinct: size of S(Q).
        method_distinct: size of S(M).

    Returns:
        containment: I / |Q|; set containment: the same on S(Q), S(M); Jaccard: I / (|Q| + |M| - I);
        Dice: 2 I / (|Q| + |M|); set cosine: common distinct features / sqrt(|S(Q)| |S(M)|);
        charged overlap: 8 I / (7 |Q| + |M|).
    """
    if not common:
        return 0.0
    if number == 0:
        similarity = common / answer
    elif number == 1:
        similarity = common_distinct / answer_distinct
    elif number == 2:
        similarity = common / (answer + method - common)
    elif number == 3:
        similarity = 2 * common / (answer + method)
    elif number == 4:
        similarity = common_distinct / sqrt(answer_distinct * method_distinct)
    else:
        charged = ANSWER_WEIGHT * answer + METHOD_WEIGHT * method
        similarity = (ANSWER_WEIGHT + METHOD_WEIGHT) * common / charged
    return similarity


@njit(cache=True)
def pruned_jaccard_leaf(answer_counts: Any, places: Any, owners: Any, leaves: Any) -> Any:
    """Jaccard similarity with the kept leaves' original features, and the kept leaves."""
    kept, size, common = prune_leaves(places, owners, leaves, answer_counts)
    return _jaccard(common, answer_counts.sum(), size), kept


@njit(cache=True)
def pruned_jaccard_refeaturised(
    answer_ids: Any, answer_counts: Any, forest: Any, body: Any, kept: Any
) -> Any:
    """Jaccard similarity with the features computed anew from the pruned tree.

    This is the ranking score of Aroma's reference code (DEV-22): kept leaves are joined across
    the gaps, so that it may be above or below the one with the original features.
    """
    if not kept.any():
        return 0.0
    ids, _ = collect_features(forest, body, kept)
    places = find_places(ids, answer_ids)
    common, _ = count_common(places, answer_counts)
    return _jaccard(common, answer_counts.sum(), len(places))


@njit(cache=True)
def count_common(places: Any, answer_counts: Any) -> Any:
    """I, and the number of distinct common features, from indices by ``find_places``."""
    has = np.zeros(len(answer_counts), np.int32)
    for place in places:
        if place >= 0:
            has[place] += 1
    common = distinct = 0
    for place in range(len(has)):
        if has[place]:
            common += min(has[place], answer_counts[place])
            distinct += 1
    return common, distinct


@njit(cache=True)
def score_pair(
    answer_ids: Any, answer_counts: Any, forest: Any, body: Any, method_distinct: Any, scores: Any
) -> None:
    """Write the similarity of an answer with a method under each of ``SIMILARITIES``."""
    for similarity in range(len(scores)):
        scores[similarity] = 0.0
    ids, owners = collect_features(forest, body, np.zeros(0, np.bool_))
    places = find_places(ids, answer_ids)
    common, common_distinct = count_common(places, answer_counts)
    if not common:
        return
    leaves = forest.body_leaves[body + 1] - forest.body_leaves[body]
    scores[0], kept = pruned_jaccard_leaf(answer_counts, places, owners, leaves)
    scores[1] = pruned_jaccard_refeaturised(answer_ids, answer_counts, forest, body, kept)
    for number in range(len(UNPRUNED)):
        scores[2 + number] = similarity_of_sizes(
            number, common, answer_counts.sum(), len(ids),
            common_distinct, len(answer_ids), method_distinct,
        )  # fmt: skip


@njit(cache=True)
def _jaccard(common: Any, answer: Any, method: Any) -> Any:
    union = answer + method - common
    return common / union if union else 0.0
