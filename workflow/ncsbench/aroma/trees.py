"""Simplified parse trees as arrays, made from streams of grammar-rule applications.

The simplification is that of Aroma's published converter (Luan et al., OOPSLA 2019, section 3.1).
Texts are stored as 64-bit hashes (DEV-37), so that trees of millions of methods fit into arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ncsbench.aroma.feature_hashes import hash_text
from ncsbench.aroma.tree_builder import fold_streams
from ncsbench.languages.java_spt_codes import KEYWORD_CODES, Symbols


class Forest(NamedTuple):
    """Trees of n bodies: their leaves in text order, their nodes in pre-order.

    Attributes:
        body_leaves: int64, shape (n + 1,); body i has the leaves from ``body_leaves[i]`` on.
        leaf_text: uint64, hash of the token.
        leaf_is_variable: bool; a variable's key is ``#VAR`` instead of its name.
        leaf_node: int32, number of the node in which it is an item, counted from the body's first.
        leaf_position: int32, its item number in that node, from 1.
        body_nodes: int64, shape (n + 1,); body i has the nodes from ``body_nodes[i]`` on.
        node_label: uint64, hash of the label.
        node_kind: uint8, ``COUNTED``, ``PASSED_OVER`` or ``ACCESS``.
        node_parent: int32, number of its parent within the body; -1 for the root.
        node_position: int32, its item number in its parent, from 1.
        node_end: int32, number of its last leaf within the body, plus 1.
    """

    body_leaves: NDArray[np.int64]
    leaf_text: NDArray[np.uint64]
    leaf_is_variable: NDArray[np.bool_]
    leaf_node: NDArray[np.int32]
    leaf_position: NDArray[np.int32]
    body_nodes: NDArray[np.int64]
    node_label: NDArray[np.uint64]
    node_kind: NDArray[np.uint8]
    node_parent: NDArray[np.int32]
    node_position: NDArray[np.int32]
    node_end: NDArray[np.int32]


class Items(NamedTuple):
    """What the nodes of a forest are made of, for those who want to read a tree.

    Attributes:
        starts: int64, shape (nodes + 1,); node i has the items from ``starts[i]`` on.
        codes: int32; the code of a keyword token, or 0 for a leaf or node.
    """

    starts: NDArray[np.int64]
    codes: NDArray[np.int32]


class TreeFolder:
    """Makes trees of bodies read with one table of symbols, which grows with new texts."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self._kinds = np.zeros(0, np.uint8)
        self._hashes = np.zeros(0, np.uint64)

    def fold(self, bodies: Sequence[Sequence[int]]) -> tuple[Forest, Items]:
        """Simplify bodies given as code streams (``languages.java_spt.Record.codes``)."""
        starts = np.zeros(len(bodies) + 1, np.int64)
        np.cumsum([len(body) for body in bodies], out=starts[1:])
        codes = np.fromiter(chain.from_iterable(bodies), np.int32, int(starts[-1]))
        keywords = [KEYWORD_CODES[text] for text in "{}()."]
        self._extend()
        forest, items = fold_streams(
            codes, starts, self._kinds, self._hashes, np.array(keywords, np.int32)
        )
        return Forest(*forest), Items(*items)

    def _extend(self) -> None:
        known, all_ = len(self._kinds), len(self.symbols.texts)
        if known < all_:
            kinds = np.array(self.symbols.kinds[known:], np.uint8)
            hashes = np.array([hash_text(t) for t in self.symbols.texts[known:]], np.uint64)
            self._kinds = np.concatenate([self._kinds, kinds])
            self._hashes = np.concatenate([self._hashes, hashes])


def join_forests(forests: Sequence[Forest]) -> Forest:
    """One forest of the bodies of several, in their order."""
    fields: dict[str, NDArray[Any]] = {}
    for name in Forest._fields:
        parts = [getattr(forest, name) for forest in forests]
        if name.startswith("body_"):
            ends = np.cumsum([0, *(part[-1] for part in parts)])
            shifted = [part[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
            fields[name] = np.concatenate([np.zeros(1, np.int64), *shifted])
        else:
            fields[name] = np.concatenate(parts)
    return Forest(**fields)
