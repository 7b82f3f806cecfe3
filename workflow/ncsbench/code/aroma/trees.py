"""Simplified parse trees as arrays, made from streams of grammar-rule applications.

The simplification is that of Aroma's published converter (Luan et al., OOPSLA 2019, section 3.1).
A stream says where each rule application opens and closes, and which tokens it contains. One stack
holds the items of all open applications. An application that collapses into its only item, or is
inlined because it has no leaf, leaves its items on the stack as they are. Texts are stored as
64-bit hashes (DEV-37), so that trees of millions of methods fit into arrays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ncsbench.code.java_trees.java_spt_rules import KEYWORD_CODES, Symbols


def hash_text(text: str) -> int:
    """64-bit hash of a token."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


@njit(cache=True, inline="always")
def mix(left: Any, right: Any) -> Any:
    """Hash of an ordered pair of uint64 numbers (with the finaliser of SplitMix64)."""
    value = left * np.uint64(0x9E3779B97F4A7C15) + right + np.uint64(0x632BE59BD9B4E019)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


COUNTED, PASSED_OVER, ACCESS = 0, 1, 2
"""Kinds of nodes: counted as an ancestor; ``(#)`` and ``{##}``, which are not counted; ``#.#``."""

_CLOSE, _OPEN = 0, 1
_KEYWORD, _VARIABLE, _NODE = 0, 2, 3  # kinds of items; 1 is a leaf that is no variable
_OPENING, _CLOSING, _LEFT, _RIGHT, _POINT = 0, 1, 2, 3, 4  # indices in ``keywords``
_ANY = np.uint64(0x23)  # represents ``#`` in the hash of a label


def fold_streams(codes: Any, starts: Any, kinds: Any, hashes: Any, keywords: Any) -> Any:
    """Simplify bodies (Aroma paper, section 3.1; rules as in the reference code).

    Args:
        codes: int32, the concatenated streams.
        starts: int64, shape (bodies + 1,), where each stream begins.
        kinds: uint8, kind of each code.
        hashes: uint64, hash of the text of each code.
        keywords: int32, codes of ``{``, ``}``, ``(``, ``)`` and ``.``.

    Returns:
        The fields of ``trees.Forest``.
    """
    bodies, size = len(starts) - 1, len(codes)
    longest = int(np.diff(starts).max(initial=0))
    made = (
        np.zeros(longest + 2, np.int64),
        np.empty(2 * longest + 2, np.uint8),
        np.empty(2 * longest + 2, np.int32),
    )
    body_leaves = np.zeros(bodies + 1, np.int64)
    leaves = tuple(np.empty(size, kind) for kind in (np.uint64, np.bool_, np.int32, np.int32))
    body_nodes = np.zeros(bodies + 1, np.int64)
    kinds_of_nodes = (np.uint64, np.uint8, np.int32, np.int32, np.int32)
    nodes = tuple(np.empty(size, kind) for kind in kinds_of_nodes)
    _fold_bodies(
        codes, starts, kinds, hashes, keywords, made, body_leaves, leaves, body_nodes, nodes
    )
    n, m = body_leaves[bodies], body_nodes[bodies]
    return (
        *(body_leaves, *(array[:n].copy() for array in leaves)),
        *(body_nodes, *(array[:m].copy() for array in nodes)),
    )


@njit(cache=True)
def _fold_bodies(
    codes: Any, starts: Any, kinds: Any, hashes: Any, keywords: Any, made: Any,
    body_leaves: Any, leaves: Any, body_nodes: Any, nodes: Any,
) -> None:  # fmt: skip
    for body in range(len(starts) - 1):
        count = _fold_body(codes[starts[body] : starts[body + 1]], kinds, keywords, made)
        _number_body(body, count, made, hashes, keywords, body_leaves, leaves, body_nodes, nodes)


@njit(cache=True)
def _fold_body(stream: Any, kinds: Any, keywords: Any, made: Any) -> Any:
    """Write the nodes of one body bottom-up, in post-order, each with its items; count the nodes.

    ``made`` takes the start of the items of each node, and kind and value of each item: the code
    of a token, or the number of a node.
    """
    made_starts, made_kinds, made_values = made
    size = len(stream)
    frame_starts = np.empty(size + 1, np.int64)
    frame_leaves = np.empty(size + 1, np.bool_)
    stack_kinds = np.empty(size + 1, np.uint8)
    stack_values = np.empty(size + 1, np.int32)
    top = depth = count = 0
    for code in stream:
        if code == _OPEN:
            frame_starts[depth] = top
            frame_leaves[depth] = False
            depth += 1
        elif code != _CLOSE:
            stack_kinds[top] = kinds[code]
            stack_values[top] = code
            top += 1
            if kinds[code] != _KEYWORD:
                frame_leaves[depth - 1] = True
        else:
            depth -= 1
            first = frame_starts[depth]
            if depth:
                if top - first == 1:  # collapses into its item
                    frame_leaves[depth - 1] |= frame_leaves[depth]
                    continue
                braces = (
                    top - first == 2
                    and stack_kinds[first] + stack_kinds[first + 1] == 2 * _KEYWORD
                    and stack_values[first] == keywords[_OPENING]
                    and stack_values[first + 1] == keywords[_CLOSING]
                )
                if not (frame_leaves[depth] or braces):  # is inlined
                    continue
                frame_leaves[depth - 1] = True
            begin = made_starts[count]
            length = top - first
            for item in range(length):
                made_kinds[begin + item] = stack_kinds[first + item]
                made_values[begin + item] = stack_values[first + item]
            stack_kinds[first] = _NODE
            stack_values[first] = count
            top = first + 1
            count += 1
            made_starts[count] = begin + length
    return count


@njit(cache=True)
def _number_body(
    body: Any, count: Any, made: Any, hashes: Any, keywords: Any,
    body_leaves: Any, leaves: Any, body_nodes: Any, nodes: Any,
) -> None:  # fmt: skip
    """Top-down: write the leaves of one body in text order and its nodes in pre-order."""
    made_starts, made_kinds, made_values = made
    leaf_text, leaf_is_variable, leaf_node, leaf_position = leaves
    node_label, node_kind, node_parent, node_position, node_end = nodes
    first_leaf, first_node = body_leaves[body], body_nodes[body]
    leaf, node = first_leaf, first_node
    path_numbers = np.empty(count, np.int64)
    path_items = np.empty((count, 3), np.int64)  # a node's first item, next item, end
    height = 0
    entered, parent, position = count - 1, -1, 0
    while True:
        if entered >= 0:
            begin, end = made_starts[entered], made_starts[entered + 1]
            item_kinds, item_values = made_kinds[begin:end], made_values[begin:end]
            node_label[node], node_kind[node] = _label(item_kinds, item_values, hashes, keywords)
            node_parent[node] = parent
            node_position[node] = position
            path_numbers[height] = node - first_node
            path_items[height, 0] = begin
            path_items[height, 1] = begin
            path_items[height, 2] = end
            height += 1
            node += 1
        if not height:
            break
        entered = -1
        parent = path_numbers[height - 1]
        item = path_items[height - 1, 1]
        if item == path_items[height - 1, 2]:
            node_end[first_node + parent] = leaf - first_leaf
            height -= 1
            continue
        path_items[height - 1, 1] += 1
        position = item - path_items[height - 1, 0] + 1
        if made_kinds[item] == _NODE:
            entered = made_values[item]
        elif made_kinds[item] != _KEYWORD:
            leaf_text[leaf] = hashes[made_values[item]]
            leaf_is_variable[leaf] = made_kinds[item] == _VARIABLE
            leaf_node[leaf] = parent
            leaf_position[leaf] = position
            leaf += 1
    body_leaves[body + 1] = leaf
    body_nodes[body + 1] = node


@njit(cache=True)
def _label(kinds: Any, values: Any, hashes: Any, keywords: Any) -> Any:
    """Hash the label of a node, keyword tokens verbatim and all else as ``#``; find its kind."""
    size = len(kinds)
    label = np.uint64(size)
    for item in range(size):
        label = mix(label, hashes[values[item]] if kinds[item] == _KEYWORD else _ANY)
    inner = 0  # items from the second to the last but one that are not keywords
    for item in range(1, size - 1):
        inner += kinds[item] != _KEYWORD
    if kinds[0] == _KEYWORD and kinds[size - 1] == _KEYWORD and inner == size - 2:
        first, last = values[0], values[size - 1]
        if first == keywords[_OPENING] and last == keywords[_CLOSING]:
            return label, PASSED_OVER
        if size == 3 and first == keywords[_LEFT] and last == keywords[_RIGHT]:
            return label, PASSED_OVER
    if size == 3 and kinds[0] != _KEYWORD and kinds[2] != _KEYWORD and inner == 0:
        if values[1] == keywords[_POINT]:
            return label, ACCESS
    return label, COUNTED


class Forest(NamedTuple):
    """Trees of n bodies: their leaves in text order, their nodes in pre-order.

    Attributes:
        body_leaves: int64, shape (n + 1,); body i has the leaves from ``body_leaves[i]`` on.
        leaf_text: uint64, hash of the token.
        leaf_is_variable: bool; a variable's key is ``#VAR`` instead of its name.
        leaf_node: int32, number of the node that has the leaf as an item, counted from the body's
            first node.
        leaf_position: int32, item number of the leaf in that node, from 1.
        body_nodes: int64, shape (n + 1,); body i has the nodes from ``body_nodes[i]`` on.
        node_label: uint64, hash of the label.
        node_kind: uint8, ``COUNTED``, ``PASSED_OVER`` or ``ACCESS``.
        node_parent: int32, number of the node's parent within the body; -1 for the root.
        node_position: int32, item number of the node in its parent, from 1.
        node_end: int32, number of the node's last leaf within the body, plus 1.
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


class TreeFolder:
    """Makes trees of bodies read with one table of symbols, which grows with new texts."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self._kinds = np.zeros(0, np.uint8)
        self._hashes = np.zeros(0, np.uint64)

    def fold(self, bodies: Sequence[Sequence[int]]) -> Forest:
        """Simplify bodies given as code streams (``code.java_trees.java_spt.Record.codes``)."""
        starts = np.zeros(len(bodies) + 1, np.int64)
        np.cumsum([len(body) for body in bodies], out=starts[1:])
        codes = np.fromiter(chain.from_iterable(bodies), np.int32, int(starts[-1]))
        keywords = [KEYWORD_CODES[text] for text in "{}()."]
        self._extend()
        fields = fold_streams(
            codes, starts, self._kinds, self._hashes, np.array(keywords, np.int32)
        )
        return Forest(*fields)

    def _extend(self) -> None:
        known, all_ = len(self._kinds), len(self.symbols.texts)
        if known < all_:
            kinds = np.array(self.symbols.kinds[known:], np.uint8)
            hashes = np.array([hash_text(t) for t in self.symbols.texts[known:]], np.uint64)
            self._kinds = np.concatenate([self._kinds, kinds])
            self._hashes = np.concatenate([self._hashes, hashes])


def join_forests(forests: Sequence[Forest]) -> Forest:
    """Join the bodies of several forests into one, in their order."""
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
