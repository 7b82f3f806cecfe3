"""Types, names and annotations of tree-sitter-java as rule applications of Aroma's grammar."""

from __future__ import annotations

from tree_sitter import Node

from ncsbench.languages.java_spt_parts import (
    Deferred,
    Part,
    Parts,
    children_of,
    expand_children,
    expands,
    name_leaf,
    part_of,
    text_of,
)

_NESTED = frozenset({"scoped_type_identifier", "generic_type", "scoped_identifier", "field_access"})
_NAMES = frozenset({"identifier", "type_identifier"})


@expands("scoped_type_identifier", "generic_type", levels=2)
def flat_type(node: Node) -> Parts:
    """``A.B<C>.D`` as the items A . B <C> . D; tree-sitter nests what the grammar has flat."""
    parts = Parts()
    pending = [node]
    while pending:
        current = pending.pop()
        if current.type in _NESTED:
            pending.extend(reversed(children_of(current)))
        elif current.type in _NAMES:
            parts.append(name_leaf(current))
        else:
            parts.append(part_of(current))
    return parts


def type_name(node: Node) -> Part:
    """A type where tree-sitter may have seen an expression: never with variables in it."""
    return Deferred(flat_type, node, 2) if node.type in _NESTED | _NAMES else part_of(node)


@expands("scoped_identifier")
def qualified_name(node: Node) -> Parts:
    """A name such as ``java.io.File`` as one flat rule application, without variables."""
    return flat_type(node)


@expands("type_arguments")
def _type_arguments(node: Node) -> Parts:
    return expand_children(node)


def list_arguments(node: Node) -> Parts:
    """Type arguments of an explicit generic call or creation: a list inside the brackets."""
    opening, *arguments, closing = children_of(node)
    return Parts([opening.type, Parts(part_of(child) for child in arguments), closing.type])


@expands("array_type")
def _array_type(node: Node) -> Parts:
    element, *dimensions = children_of(node)
    parts = Parts([part_of(element)])
    for child in dimensions:
        parts.extend(splice_dimensions(child))
    return parts


@expands("annotated_type")
def _annotated_type(node: Node) -> Parts:
    *annotations, type_node = children_of(node)
    parts = Parts(part_of(child) for child in annotations)
    parts.extend(_array_type(type_node) if type_node.type == "array_type" else [part_of(type_node)])
    return parts


def splice_dimensions(node: Node) -> Parts:
    """The brackets of an array, and lengths between them, as items of what encloses them."""
    return Parts(part_of(child) for child in children_of(node))


def splice_modifiers(node: Node) -> Parts:
    """Modifiers and annotations as items of the declaration."""
    return Parts(part_of(child) for child in children_of(node))


@expands("annotation", "marker_annotation", levels=2)
def _annotation(node: Node) -> Parts:
    """``@``, the name, and the argument brackets as items; the pairs inside are one list."""
    mark, name, *arguments = children_of(node)
    parts = Parts([mark.type, Deferred(flat_type, name, 1)])
    for child in arguments:
        opening, *values, closing = children_of(child)
        parts.extend([opening.type, Parts(part_of(value) for value in values), closing.type])
    return parts


@expands("element_value_pair")
def _element_value_pair(node: Node) -> Parts:
    key, *rest = children_of(node)
    return Parts([name_leaf(key), *(part_of(child) for child in rest)])


@expands("type_parameter")
def _type_parameter(node: Node) -> Parts:
    parts = Parts()
    for child in children_of(node):
        if child.type == "type_bound":
            extends, *bounds = children_of(child)
            parts.extend([extends.type, Parts(part_of(bound) for bound in bounds)])
        elif child.type in _NAMES:
            parts.append(name_leaf(child))
        else:
            parts.append(part_of(child))
    return parts


@expands("catch_type")
def _catch_type(node: Node) -> Parts:
    return Parts(
        Deferred(flat_type, child, 1) if child.is_named else text_of(child)
        for child in children_of(node)
    )
