"""Declarations and class members of tree-sitter-java as rules of Aroma's grammar."""

from __future__ import annotations

from tree_sitter import Node

from ncsbench.languages.java_spt_expressions import bracketed_arguments
from ncsbench.languages.java_spt_parts import (
    Deferred,
    Parts,
    children_of,
    expands,
    name_leaf,
    part_of,
)
from ncsbench.languages.java_spt_statements import TYPE_DECLARATIONS, deepen, typed_declarators
from ncsbench.languages.java_spt_types import (
    flat_type,
    list_arguments,
    splice_dimensions,
    splice_modifiers,
)


@expands("explicit_constructor_invocation")
def _constructor_call(node: Node) -> Parts:
    *before, arguments, end = children_of(node)
    call = Parts()
    for child in before:
        call.append(list_arguments(child) if child.type == "type_arguments" else part_of(child))
    if len(before) == 1:
        call.extend(bracketed_arguments(arguments))
    else:
        call.append(bracketed_arguments(arguments))
    return Parts([call, end.type])


@expands(*TYPE_DECLARATIONS, levels=1)
def _type_declaration(node: Node) -> Parts:
    """Modifiers, then the declaration proper."""
    parts, inner = Parts(), Parts()
    for child in children_of(node):
        if child.type == "modifiers":
            parts.extend(splice_modifiers(child))
        elif child.type in {"superclass", "super_interfaces", "extends_interfaces", "permits"}:
            inner.extend(_clause(child))
        elif child.type == "identifier":
            inner.append(name_leaf(child))
        elif child.type == "@interface":
            inner.extend(["@", "interface"])
        else:
            inner.append(part_of(child))
    parts.append(inner)
    return parts


def _clause(node: Node) -> Parts:
    """``extends`` or ``implements`` as an item, and the types behind it."""
    keyword, types = children_of(node)
    return Parts([keyword.type, part_of(types)])


@expands("class_body", "interface_body", "annotation_type_body")
def _class_body(node: Node) -> Parts:
    parts = Parts()
    for child in children_of(node):
        nested = child.type == "block" or child.type in TYPE_DECLARATIONS
        parts.append(deepen(part_of(child), 1) if nested else part_of(child))
    return parts


@expands("field_declaration")
def _field(node: Node) -> Parts:
    modifiers, rest = _split_modifiers(node)
    *declaration, end = rest
    return Parts([*modifiers, Parts([*typed_declarators(declaration), end.type])])


def _split_modifiers(node: Node) -> tuple[Parts, list[Node]]:
    children = children_of(node)
    if children[0].type == "modifiers":
        return splice_modifiers(children[0]), children[1:]
    return Parts(), children


@expands("constant_declaration")
def _constant(node: Node) -> Parts:
    """A constant of an interface: its name is never a variable, its declarators no list."""
    modifiers, rest = _split_modifiers(node)
    inner = Parts()
    for child in rest:
        if child.type == "variable_declarator":
            name, *tail = children_of(child)
            declarator = Parts([name_leaf(name)])
            for piece in tail:
                if piece.type == "dimensions":
                    declarator.extend(splice_dimensions(piece))
                else:
                    declarator.append(part_of(piece))
            inner.append(declarator)
        else:
            inner.append(part_of(child))
    return Parts([*modifiers, inner])


@expands("method_declaration", "constructor_declaration", "annotation_type_element_declaration")
def _method(node: Node) -> Parts:
    modifiers, rest = _split_modifiers(node)
    generic = Parts()
    inner = Parts()
    for child in rest:
        if child.type == "type_parameters":
            generic.append(part_of(child))
        elif child.type == "identifier":
            inner.append(name_leaf(child))
        elif child.type == "throws":
            keyword, *names = children_of(child)
            thrown = (Deferred(flat_type, n, 1) if n.is_named else n.type for n in names)
            inner.extend([keyword.type, Parts(thrown)])
        elif child.type == "dimensions":
            inner.extend(splice_dimensions(child))
        else:
            inner.append(deepen(part_of(child), 1))
    return Parts([*modifiers, Parts([*generic, inner]) if generic else inner])


@expands("enum_body")
def _enum_body(node: Node) -> Parts:
    """Constants are one list; a comma behind the last is outside it."""
    constants, parts = Parts(), Parts()
    opening, *children = children_of(node)
    for index, child in enumerate(children):
        more = index + 1 < len(children) and children[index + 1].type == "enum_constant"
        if child.type == "enum_constant" or (child.type == "," and more):
            constants.append(part_of(child))
        else:
            parts.append(part_of(child))
    return Parts([opening.type, constants, *parts])


@expands("enum_constant")
def _enum_constant(node: Node) -> Parts:
    modifiers, rest = _split_modifiers(node)
    parts = Parts()
    for child in rest:
        if child.type == "identifier":
            parts.append(name_leaf(child))
        elif child.type == "argument_list":
            parts.append(bracketed_arguments(child))
        else:
            parts.append(part_of(child))
    return Parts([*modifiers, *parts])
