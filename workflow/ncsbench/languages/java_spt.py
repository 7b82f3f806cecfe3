"""The bodies of Java methods as streams of codes, from which simplified parse trees are made.

Records and trees follow the published converter of Aroma (Luan et al., OOPSLA 2019): one record per
method body inside a class declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Tree

# The expanders register themselves when their modules are imported; this one imports the rest.
from ncsbench.languages import java_spt_declarations as _declarations  # noqa: F401
from ncsbench.languages.java_spt_codes import CLOSE, KEYWORD, LEAF, OPEN, VARIABLE, Symbols
from ncsbench.languages.java_spt_rules import DEPTH_CAP, Coder, write_codes

__all__ = [
    "CLOSE",
    "DEPTH_CAP",
    "KEYWORD",
    "LEAF",
    "OPEN",
    "VARIABLE",
    "Record",
    "Symbols",
    "method_records",
]

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
        codes: tokens of the body by their codes in a ``Symbols``, in text order, with ``OPEN``
            and ``CLOSE`` around each rule application; the outermost pair is the block.
    """

    name: str
    start_byte: int
    nesting: int
    codes: list[int]


def method_records(tree: Tree, symbols: Symbols, *, outermost_only: bool = False) -> list[Record]:
    """Records of a compilation unit in text order.

    A method with a body counts if it lies somewhere within a class declaration: neither
    constructors, initialisers and lambdas, nor methods of a top-level interface or enum.
    Methods of anonymous and local classes are records of their own besides being part of the
    outer one; ``outermost_only`` leaves them out.

    Args:
        tree: a parsed source text.
        symbols: table of the codes; tokens that it lacks are added.
        outermost_only: whether to leave out records inside another.
    """
    root = tree.root_node
    # The root begins at the first token; positions count from the start of the text.
    coder = Coder(bytes(root.start_byte) + (root.text or b""), symbols)
    return [
        Record(
            coder.source[name.start_byte : name.end_byte].decode("utf-8", "replace"),
            name.start_byte,
            nesting,
            write_codes(body, coder, _BLOCK_LEVEL + _CLASS_LEVELS * (classes - 1)),
        )
        for name, body, classes, nesting in _bodies(root, outermost_only)
    ]


def _bodies(root: Node, outermost_only: bool) -> Iterator[tuple[Node, Node, int, int]]:
    """Names and bodies, and how many classes and records they lie inside, in text order."""
    pending = [(root, 0, 0)]
    while pending:
        node, classes, nesting = pending.pop()
        kind = node.type
        if kind == "class_declaration":
            classes += 1
        elif kind == "method_declaration" and classes:
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name and body:
                yield name, body, classes, nesting
                if outermost_only:
                    continue
                nesting += 1
        pending.extend((child, classes, nesting) for child in reversed(node.named_children))
