"""Features of methods and answers as multisets of 64-bit ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.feature_collection import (
    NEIGHBOUR,
    PARENT,
    TOKEN,
    USAGE,
    collect_features,
    collect_halves,
)
from ncsbench.aroma.feature_hashes import hash_text, mix
from ncsbench.aroma.trees import Forest, Items, TreeFolder
from ncsbench.languages.java import parse_java
from ncsbench.languages.java_spt import method_records

MAXIMUM_CHARACTERS = 1 << 20
"""Longer texts are not read: they would take minutes and gigabytes (DEV-25)."""

ALL_LEAVES: NDArray[np.bool_] = np.zeros(0, np.bool_)
"""In place of a mask of kept leaves: nothing was pruned away."""


@dataclass(frozen=True)
class FeatureSet:
    """A multiset of features.

    Attributes:
        ids: uint64, shape (distinct features,), ascending.
        counts: int32, how often each occurs.
    """

    ids: NDArray[np.uint64]
    counts: NDArray[np.int32]

    @property
    def size(self) -> int:
        """Number of features, each as often as it occurs."""
        return int(self.counts.sum())


def count_features(ids: NDArray[np.uint64]) -> FeatureSet:
    """The multiset of ids in any order."""
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

    It is parsed as the only member of a class, whatever it was a member of. Empty where the text
    has a syntax error or holds no record, as a constructor (DEV-23), or is too long (DEV-25).
    """
    if len(code) > MAXIMUM_CHARACTERS:
        return ()
    tree = parse_java(b"class C {\n" + code.encode("utf-8", "replace") + b"\n}\n")
    if tree.root_node.has_error:
        return ()
    records = method_records(tree, folder.symbols, outermost_only=True)
    return records[0].codes if records else ()


def features_of_method(code: str) -> FeatureSet:
    """Features of a corpus method; none where it cannot be read (``method_codes``)."""
    folder = TreeFolder()
    forest, _ = folder.fold([method_codes(code, folder)])
    return features_of_bodies(forest)


def describe_features(folder: TreeFolder, forest: Forest, items: Items) -> Counter[str]:
    """Features of all bodies of a forest as text, in the form of Aroma's reference code.

    The text of a feature is not a key: separators are not escaped in it.
    """
    texts = {hash_text(text): text for text in folder.symbols.texts}
    texts[hash_text("#VAR")] = "#VAR"
    for node, label in enumerate(node_labels(folder, items)):
        for position in range(1, int(items.starts[node + 1] - items.starts[node]) + 1):
            place = int(mix(forest.node_label[node], np.uint64(position)))
            texts[place] = f"{label}{position}"
    separators = {TOKEN: "", PARENT: ">", NEIGHBOUR: ">>", USAGE: ">>>"}
    counts: Counter[str] = Counter()
    for body in range(len(forest.body_leaves) - 1):
        ids, halves = collect_halves(forest, body)
        kinds = (ids >> np.uint64(62)).tolist()
        for kind, (left, right) in zip(kinds, halves.tolist(), strict=True):
            first = "" if kind == TOKEN else texts[left]
            counts[first + separators[kind] + texts[right]] += 1
    return counts


def node_labels(folder: TreeFolder, items: Items) -> list[str]:
    """Labels of all nodes: keyword tokens verbatim, all else as ``#``."""
    tokens = [folder.symbols.texts[code] if code else "#" for code in items.codes.tolist()]
    starts = items.starts.tolist()
    return ["".join(tokens[starts[i] : starts[i + 1]]) for i in range(len(starts) - 1)]
