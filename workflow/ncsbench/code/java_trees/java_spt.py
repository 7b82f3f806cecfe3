"""The bodies of Java methods as streams of codes, from which simplified parse trees are made.

Declarations and class members come first. Records and trees follow the published converter of Aroma
(Luan et al., OOPSLA 2019): one record per method body inside a class declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node, Tree

from ncsbench.code.java.java import ANNOTATIONS

# Expressions register themselves when their module is imported.
from ncsbench.code.java_trees import java_spt_expressions as _expressions  # noqa: F401
from ncsbench.code.java_trees.java_spt_rules import (
    CLOSE,
    KEYWORD_CODES,
    OPEN,
    Coder,
    Item,
    Symbols,
    children_as_items,
    children_of,
    deepen,
    expands,
    write_codes,
)
from ncsbench.code.java_trees.java_spt_statements import (
    TYPE_DECLARATIONS,
    annotated_type,
    name_and_rest,
    own_type_arguments,
    typed_declarators,
    with_names,
)


@expands("explicit_constructor_invocation")
def _constructor_call(node: Node, _: Coder) -> list[Item]:
    """``this(..);``, ``super(..);``, both with type arguments, ``super`` behind an object too."""
    *before, arguments, end = children_of(node)
    keyword = before.pop()
    call: list[Item] = [keyword, arguments]
    if before and before[-1].type == "type_arguments":
        call = [keyword, OPEN, arguments, CLOSE]
        if keyword.type == "super":
            call = [OPEN, *call, CLOSE]
        call = [own_type_arguments(before.pop()), *call]
    if before:
        call = [*before, OPEN, *call, CLOSE]
    return [OPEN, *call, CLOSE, end]


@expands(*TYPE_DECLARATIONS)
def _type_declaration(node: Node, coder: Coder) -> list[Item]:
    """Modifiers, then the declaration proper."""
    modifiers, rest = _split_modifiers(node)
    return [*modifiers, OPEN, *with_names(rest, coder), CLOSE]


def _split_modifiers(node: Node) -> tuple[list[Node], list[Node]]:
    children = children_of(node)
    has_modifiers = children[0].type == "modifiers"
    return children[:has_modifiers], children[has_modifiers:]


# `extends` or `implements`, and the types behind it.
expands("superclass", "super_interfaces", "extends_interfaces", "permits", levels=0)(
    children_as_items
)


@expands("@interface", levels=0)
def _at_interface(_: Node, __: Coder) -> list[Item]:
    return [KEYWORD_CODES["@"], KEYWORD_CODES["interface"]]


@expands("class_body", "interface_body")
def _class_body(node: Node, _: Coder) -> list[Item]:
    """A nested type or an initialiser block is one rule application deeper than a member."""
    in_interface = node.type == "interface_body"
    items: list[Item] = []
    for child in node.children:
        kind = child.type
        if kind == "method_declaration" and in_interface:
            items.append((_interface_method, child, 1))
        else:
            items.append(deepen(child, kind == "block" or kind in TYPE_DECLARATIONS))
    return items


@expands("annotation_type_body")
def _annotation_body(node: Node, coder: Coder) -> list[Item]:
    """Constants are fields here; a semicolon behind a nested type belongs to that."""
    items: list[Item] = []
    pending = children_of(node)[::-1]
    while pending:
        child = pending.pop()
        if child.type in TYPE_DECLARATIONS:
            end = [pending.pop()] if pending and pending[-1].type == ";" else []
            modifiers, rest = _split_modifiers(child)
            declaration: list[Item] = [OPEN, *with_names(rest, coder), CLOSE]
            items += [OPEN, *modifiers, OPEN, *declaration, *end, CLOSE, CLOSE]
        elif child.type == "constant_declaration":
            items.append((_field, child, 1))
        else:
            items.append(child)
    return items


@expands("field_declaration")
def _field(node: Node, _: Coder) -> list[Item]:
    modifiers, (*declaration, end) = _split_modifiers(node)
    return [*modifiers, OPEN, *typed_declarators(declaration), end, CLOSE]


@expands("constant_declaration")
def _constant(node: Node, _: Coder) -> list[Item]:
    """A constant of an interface: its name is never a variable, its declarators no list."""
    modifiers, rest = _split_modifiers(node)
    items: list[Item] = [
        (name_and_rest, child, 1) if child.type == "variable_declarator" else child
        for child in rest
    ]
    return [*modifiers, OPEN, *items, CLOSE]


@expands("method_declaration", "constructor_declaration")
def _method(node: Node, coder: Coder) -> list[Item]:
    modifiers, rest = _split_modifiers(node)
    first, second, third, *_ = rest
    inner = [_part_of_method(child, coder) for child in rest]
    if first.type != "type_parameters":
        return [*modifiers, OPEN, *inner, CLOSE]
    if second.type in ANNOTATIONS:  # of the type
        inner[1:3] = [OPEN, *annotated_type([second, third]), CLOSE]
    return [*modifiers, OPEN, first, OPEN, *inner[1:], CLOSE, CLOSE]


def _interface_method(node: Node, coder: Coder) -> list[Item]:
    """Modifiers from ``default`` on, and type parameters, are no rule of their own."""
    modifiers, rest = _split_modifiers(node)
    outer: list[Item] = []
    inner: list[Item] = []
    for child in modifiers[0].children if modifiers else []:
        (inner if inner or child.type == "default" else outer).append(child)
    return [*outer, OPEN, *inner, *(_part_of_method(child, coder) for child in rest), CLOSE]


def _part_of_method(child: Node, coder: Coder) -> Item:
    return coder.name(child) if child.type == "identifier" else deepen(child, 1)


@expands("annotation_type_element_declaration")
def _annotation_element(node: Node, coder: Coder) -> list[Item]:
    modifiers, (element_type, name, opening, closing, *default, end) = _split_modifiers(node)
    element: list[Item] = [coder.name(name), opening, closing, OPEN, *default, CLOSE]
    return [*modifiers, OPEN, element_type, OPEN, *element, CLOSE, end, CLOSE]


@expands("enum_body", levels=0)
def _enum_body(node: Node, _: Coder) -> list[Item]:
    """Constants are one list; a comma behind the last is outside it. The body is no rule."""
    opening, *children = children_of(node)
    positions = [i for i, child in enumerate(children) if child.type == "enum_constant"]
    behind = positions[-1] + 1 if positions else 0
    return [opening, OPEN, *children[:behind], CLOSE, *children[behind:]]


@expands("enum_constant")
def _enum_constant(node: Node, coder: Coder) -> list[Item]:
    items: list[Item] = []
    for item in with_names(node.children, coder):
        is_call = isinstance(item, Node) and item.type == "argument_list"
        items += [OPEN, item, CLOSE] if is_call else [item]
    return items


# Rule applications from the compilation unit to the block of a method of a top-level class, and
# those that each further enclosing class declaration adds.
_BLOCK_LEVEL = 9
_CLASS_LEVELS = 4


@dataclass(frozen=True, slots=True)
class Record:
    """The body of one method within a class declaration.

    Attributes:
        name: name of the method.
        start_byte: first byte of the name in the source.
        codes: tokens of the body by their codes in a ``Symbols``, in text order, with ``OPEN``
            and ``CLOSE`` around each rule application; the outermost pair is the block.
    """

    name: str
    start_byte: int
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
            write_codes(body, coder, _BLOCK_LEVEL + _CLASS_LEVELS * (classes - 1)),
        )
        for name, body, classes in _bodies(root, outermost_only)
    ]


def _bodies(root: Node, outermost_only: bool) -> Iterator[tuple[Node, Node, int]]:
    """Names and bodies, and how many classes they lie inside, in text order."""
    pending = [(root, 0)]
    while pending:
        node, classes = pending.pop()
        kind = node.type
        if kind == "class_declaration":
            classes += 1
        elif kind == "method_declaration" and classes:
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if name and body:
                yield name, body, classes
                if outermost_only:
                    continue
        pending.extend((child, classes) for child in reversed(node.named_children))
