"""What a simplified parse tree (SPT) is made of, and how it is folded from grammar rules.

Aroma (Luan et al., OOPSLA 2019, section 3.1) simplifies the parse tree of its own ANTLR grammar.
Here each tree-sitter node is expanded into the rule applications of that grammar
(``java_spt_expressions``, ``java_spt_declarations``), and ``fold_tree`` simplifies them bottom-up
with an explicit stack, so that no input can exhaust the interpreter's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tree_sitter import Node

DEPTH_CAP = 1000
"""Rule applications deeper than this, counted from the compilation unit, are dropped (DEV-24)."""


class Leaf(NamedTuple):
    """A token whose spelling the language does not fix: an identifier or a literal."""

    text: str
    is_variable: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SptNode:
    """A node of the simplified parse tree.

    Attributes:
        label: the items in order, keyword tokens verbatim and everything else as ``#``.
        items: keyword tokens (``str``), leaves and nodes; never a single one.
    """

    label: str
    items: tuple[Item, ...]


Item: TypeAlias = str | Leaf | SptNode


class BuriedLeaf(NamedTuple):
    """A leaf that stands ``levels`` rule applications, of one item each, below its place."""

    leaf: Leaf
    levels: int


class Deferred(NamedTuple):
    """A tree-sitter node yet to be expanded; it stands for ``levels`` nested rule applications."""

    expand: Callable[[Node], Parts]
    node: Node
    levels: int


Part: TypeAlias = "str | Leaf | BuriedLeaf | Deferred | Parts"


class Parts(list[Part]):
    """The children of one rule application of the reference grammar."""


Expander: TypeAlias = Callable[[Node], Parts]

EXPANDERS: dict[str, tuple[Expander, int]] = {}
"""By tree-sitter type: how a node is expanded, and how many rule applications it stands for."""

_COMMENTS = frozenset({"line_comment", "block_comment"})
# Type -> rule applications between the place of the token and the token itself.
_LEAVES = {
    "type_identifier": 2,
    "decimal_integer_literal": 4,
    "hex_integer_literal": 4,
    "octal_integer_literal": 4,
    "binary_integer_literal": 4,
    "decimal_floating_point_literal": 4,
    "hex_floating_point_literal": 4,
    "character_literal": 3,
    "string_literal": 3,
    "true": 3,
    "false": 3,
}
_KEYWORDS_WITH_CHILDREN = frozenset({"integral_type", "floating_point_type"})


def expands(*kinds: str, levels: int = 1) -> Callable[[Expander], Expander]:
    """Register an expander for tree-sitter types that stand for ``levels`` rule applications."""

    def register(expander: Expander) -> Expander:
        for kind in kinds:
            EXPANDERS[kind] = (expander, levels)
        return expander

    return register


def text_of(node: Node) -> str:
    """Source text of a node."""
    return (node.text or b"").decode("utf-8", "replace")


def children_of(node: Node) -> list[Node]:
    """Children in text order without comments, which may stand anywhere."""
    return [child for child in node.children if child.type not in _COMMENTS]


def name_leaf(node: Node) -> Leaf:
    """A name that cannot be a variable: of a method, field, type, label or annotation."""
    return Leaf(text_of(node), is_variable=False)


def variable_leaf(node: Node) -> Leaf:
    """A name where a variable may stand; an upper-case first letter tells a class or constant."""
    text = text_of(node)
    return Leaf(text, is_variable=not text[:1].isupper())


def part_of(node: Node) -> Part:
    """What a tree-sitter node contributes; a bare ``identifier`` is read as an expression."""
    kind = node.type
    if kind == "identifier":
        return BuriedLeaf(variable_leaf(node), 2)
    known = EXPANDERS.get(kind)
    if known is not None:
        return Deferred(known[0], node, known[1])
    if kind in _LEAVES:
        return BuriedLeaf(name_leaf(node), _LEAVES[kind])
    if node.child_count == 0 or kind in _KEYWORDS_WITH_CHILDREN:
        return text_of(node)
    return Deferred(expand_children, node, 1)


def expand_children(node: Node) -> Parts:
    """The common case: the node is one rule application over its own children."""
    return Parts(part_of(child) for child in children_of(node))


class _Frame:
    """A rule application under way."""

    __slots__ = ("has_leaf", "items", "label", "level", "pending")

    def __init__(self, pending: Iterator[Part], level: int) -> None:
        self.pending = pending
        self.level = level
        self.items: list[Item] = []
        self.label: list[str] = []
        self.has_leaf = False

    def add_leaf(self, leaf: Leaf) -> None:
        self.items.append(leaf)
        self.label.append("#")
        self.has_leaf = True

    def add_child(self, child: _Frame) -> None:
        """Collapse, inline or append a finished rule application (rules 3 to 5)."""
        label = "".join(child.label)
        if len(child.items) == 1:
            self.items.append(child.items[0])
            self.label.append(label)
            self.has_leaf = self.has_leaf or child.has_leaf
        elif not child.has_leaf and label != "{}":
            self.items.extend(child.items)
            self.label.append(label)
        else:
            self.items.append(SptNode(label, tuple(child.items)))
            self.label.append("#")
            self.has_leaf = True


def fold_tree(parts: Parts, level: int) -> SptNode:
    """Simplify a rule application (Aroma paper, section 3.1; rules as in the reference code).

    Args:
        parts: children of the rule application.
        level: its depth in rule applications, the compilation unit being 1. What lies deeper
            than ``DEPTH_CAP`` is left out, as the reference leaves it out.
    """
    root = _Frame(iter(parts), level)
    stack = [root]
    while True:
        frame = stack[-1]
        for part in frame.pending:
            if isinstance(part, str):
                frame.items.append(part)
                frame.label.append(part)
            elif isinstance(part, Leaf):
                frame.add_leaf(part)
            elif isinstance(part, BuriedLeaf):
                if frame.level + part.levels <= DEPTH_CAP:
                    frame.add_leaf(part.leaf)
            elif isinstance(part, Deferred):
                below = frame.level + part.levels
                if below <= DEPTH_CAP:
                    stack.append(_Frame(iter(part.expand(part.node)), below))
                    break
            elif frame.level < DEPTH_CAP:
                stack.append(_Frame(iter(part), frame.level + 1))
                break
        else:
            stack.pop()
            if not stack:
                return SptNode("".join(root.label), tuple(root.items))
            stack[-1].add_child(frame)
