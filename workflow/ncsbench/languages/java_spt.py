"""Simplified parse trees (SPT) of Java methods, equal to those of Aroma's reference code.

Records and trees follow Aroma (Luan et al., OOPSLA 2019) as its published converter behaves: one
record per method body that lies within a class declaration.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tree_sitter import Node, Query, QueryCursor, Tree

# The expanders register themselves when their modules are imported; this one imports the rest.
from ncsbench.languages import java_spt_declarations as _declarations  # noqa: F401
from ncsbench.languages.java import java_language
from ncsbench.languages.java_spt_parts import (
    DEPTH_CAP,
    EXPANDERS,
    Item,
    Leaf,
    SptNode,
    fold_tree,
    text_of,
)

__all__ = ["DEPTH_CAP", "Item", "Leaf", "Record", "SptNode", "body_tree", "method_records"]

# Rule applications from the compilation unit to the block of a method of a top-level class, and
# those that each further enclosing class declaration adds.
_BLOCK_LEVEL = 9
_CLASS_LEVELS = 4


@dataclass(frozen=True, slots=True)
class Record:
    """The body of one method within a class declaration.

    Attributes:
        name: name of the method.
        start_byte: where the name stands in the source.
        nesting: how many other records the method lies inside; 0 for an outermost one.
        body: tree of the body.
    """

    name: str
    start_byte: int
    nesting: int
    body: SptNode


@cache
def _declarations_query() -> Query:
    # Patterns of one node each: the cost of others is quadratic in the depth of the source.
    return Query(java_language(), "(class_declaration) @class (method_declaration) @method")


def method_records(tree: Tree, *, outermost_only: bool = False) -> list[Record]:
    """Records of a compilation unit in text order.

    A method with a body counts if it lies somewhere within a class declaration: neither
    constructors, initialisers and lambdas, nor methods of a top-level interface or enum.
    Methods of anonymous and local classes are records of their own besides being part of the
    outer one; ``outermost_only`` leaves them out.
    """
    captures = QueryCursor(_declarations_query()).captures(tree.root_node)
    found = [(node, False) for node in captures.get("class", ())]
    found += [(node, True) for node in captures.get("method", ())]
    found.sort(key=lambda pair: (pair[0].start_byte, -pair[0].end_byte))
    records: list[Record] = []
    enclosing: list[Node] = []
    nesting = {False: 0, True: 0}  # enclosing classes, enclosing records
    for node, is_method in found:
        while enclosing and enclosing[-1].end_byte <= node.start_byte:
            nesting[enclosing.pop().type == "method_declaration"] -= 1
        if is_method and not (nesting[False] and node.child_by_field_name("body")):
            continue
        if is_method and not (outermost_only and nesting[True]):
            level = _BLOCK_LEVEL + _CLASS_LEVELS * (nesting[False] - 1)
            records.append(_record(node, nesting[True], level))
        enclosing.append(node)
        nesting[is_method] += 1
    return records


def body_tree(method: Node) -> SptNode | None:
    """Tree of the body of a ``method_declaration``; None where it has no body.

    The depth is counted as for a method of a top-level class.
    """
    body = method.child_by_field_name("body")
    return None if body is None else _fold_block(body, _BLOCK_LEVEL)


def _record(method: Node, nesting: int, level: int) -> Record:
    name, block = (method.child_by_field_name(field) for field in ("name", "body"))
    if name is None or block is None:
        raise ValueError("not a method with a name and a body")
    return Record(text_of(name), name.start_byte, nesting, _fold_block(block, level))


def _fold_block(block: Node, level: int) -> SptNode:
    expand, _ = EXPANDERS["block"]
    return fold_tree(expand(block), level)
