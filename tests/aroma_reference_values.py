"""The judge's own values for the rows of reference files: features by name, and every score."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

from ncsbench.code.aroma.features import (
    MAXIMUM_CHARACTERS,
    FeatureSet,
    body_feature_ids,
    count_features,
    method_codes,
)
from ncsbench.code.aroma.similarity import count_common, find_places, prune_leaves, score_pair
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.java.java import parse_java
from ncsbench.code.java_trees.java_spt import method_records
from ncsbench.evaluation.judge.answers import features_of_answer
from tests.plain_spt import named_features

_NO_FEATURES = FeatureSet(np.zeros(0, np.uint64), np.zeros(0, np.int32))


class NamedFeatures(NamedTuple):
    """A record: the name of the method, and its features in the form of the reference."""

    method: str
    counts: Counter[str]


def feature_counts(code: str) -> Counter[str]:
    """Features of a corpus method by name; none where it cannot be read."""
    folder = TreeFolder()
    return named_features(folder, [method_codes(code, folder)])


def inner_records(code: str) -> list[NamedFeatures]:
    """The records nested in the body of a corpus method, in text order."""
    if len(code) > MAXIMUM_CHARACTERS:
        return []
    folder = TreeFolder()
    tree = parse_java(b"class C {\n" + code.encode("utf-8", "replace") + b"\n}\n")
    outermost = {
        record.start_byte for record in method_records(tree, folder.symbols, outermost_only=True)
    }
    return [
        NamedFeatures(record.name, named_features(folder, [record.codes]))
        for record in method_records(tree, folder.symbols)
        if record.start_byte not in outermost
    ]


def score_columns(query: str, code: str) -> dict[str, float]:
    """Columns of ``similarity_fixtures`` for a query and a method.

    Each of the two readings of a pruned method (DEV-22) has its size, intersection and Jaccard.
    """
    return _columns(features_of_answer(query) or _NO_FEATURES, code)


def example_columns(answer: str, code: str) -> dict[str, float]:
    """Columns of ``example_scores``: all records of the answer count, or (outer) the outermost."""
    outer = _columns(features_of_answer(answer) or _NO_FEATURES, code)
    every = _columns(features_of_answer(answer, outermost_only=False) or _NO_FEATURES, code)
    return {
        "n_answer_features": every["n_query"],
        "n_method_features": every["n_candidate"],
        "intersection": every["intersection"],
        "containment": every["containment"],
        "jaccard": every["jaccard"],
        "dice": every["dice"],
        "pruned_jaccard": every["pruned_jaccard_refeaturised"],
        "pruned_jaccard_leaf": every["pruned_jaccard_leaf"],
        "n_answer_features_outer": outer["n_query"],
        "containment_outer": outer["containment"],
    }


def _columns(query: FeatureSet, code: str) -> dict[str, float]:
    folder = TreeFolder()
    forest = folder.fold([method_codes(code, folder)])
    leaves = int(forest.body_leaves[1])
    ids, owners = body_feature_ids(forest, 0)
    method = count_features(ids)
    places = find_places(ids, query.ids)
    common, common_distinct = count_common(places, query.counts)
    kept, pruned, pruned_common = prune_leaves(
        places, owners, np.zeros(leaves, np.bool_), query.counts
    )
    again = body_feature_ids(forest, 0, kept)[0] if kept.any() else ids[:0]
    again_common, _ = count_common(find_places(again, query.ids), query.counts)
    scores = score_pair(query, forest, np.array([len(method.ids)], np.int32), 0)
    union = len(query.ids) + len(method.ids) - common_distinct
    return {
        **dict(zip(SIMILARITIES, scores.tolist(), strict=True)),
        "n_query": query.size,
        "n_candidate": method.size,
        "n_query_distinct": len(query.ids),
        "n_candidate_distinct": len(method.ids),
        "intersection": int(common),
        "set_intersection": int(common_distinct),
        "set_jaccard": common_distinct / union if union else 0.0,
        "n_leaves_candidate": leaves,
        "n_leaves_kept": int(kept.sum()),
        "n_pruned_leaf_features": int(pruned),
        "pruned_intersection_leaf": int(pruned_common),
        "n_pruned_refeaturised": len(again),
        "pruned_intersection_refeaturised": int(again_common),
        "pruned_containment_refeaturised": again_common / query.size if query.size else 0.0,
    }
