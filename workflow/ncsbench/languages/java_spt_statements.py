"""Statements of tree-sitter-java as rule applications of Aroma's grammar."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from ncsbench.languages.java_spt_expressions import bracketed_arguments
from ncsbench.languages.java_spt_parts import (
    Deferred,
    Part,
    Parts,
    children_of,
    expand_children,
    expands,
    name_leaf,
    part_of,
    variable_leaf,
)
from ncsbench.languages.java_spt_types import (
    splice_dimensions,
    splice_modifiers,
)

TYPE_DECLARATIONS = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "annotation_type_declaration",
        "record_declaration",
    }
)


@expands("block", "constructor_body")
def _block(node: Node) -> Parts:
    parts = Parts()
    for child in children_of(node):
        if _holds_switch(child):  # `switch (..) {..};` is a statement and a stray `;`
            parts.extend(part_of(piece) for piece in children_of(child))
        elif child.type in {"local_variable_declaration", *TYPE_DECLARATIONS}:
            parts.append(part_of(child))
        else:
            parts.append(deepen(part_of(child), 2 if child.type == "block" else 1))
    return parts


def deepen(part: Part, levels: int) -> Part:
    """Count rule applications of one item, which leave no trace but their depth."""
    if isinstance(part, Deferred):
        return Deferred(part.expand, part.node, part.levels + levels)
    return part


def _holds_switch(node: Node) -> bool:
    return node.type == "expression_statement" and node.children[0].type == "switch_expression"


@expands("local_variable_declaration")
def _local_variables(node: Node) -> Parts:
    *declaration, end = children_of(node)
    return Parts([typed_declarators(declaration), end.type])


def typed_declarators(children: Iterable[Node]) -> Parts:
    """Modifiers and type, then one list of the declarators and commas."""
    parts, declarators = Parts(), Parts()
    for child in children:
        if child.type == "modifiers":
            parts.extend(splice_modifiers(child))
        elif child.type in {"variable_declarator", ","}:
            declarators.append(part_of(child))
        else:
            parts.append(part_of(child))
    parts.append(declarators)
    return parts


@expands("variable_declarator")
def _variable_declarator(node: Node) -> Parts:
    name, *rest = children_of(node)
    identifier = Parts([variable_leaf(name)])
    parts = Parts([identifier])
    for child in rest:
        if child.type == "dimensions":
            identifier.extend(splice_dimensions(child))
        else:
            parts.append(Parts([part_of(child)]) if child.is_named else child.type)
    return parts


@expands("for_statement")
def _for(node: Node) -> Parts:
    """What stands between the brackets is one rule application, with lists inside it."""
    keyword, opening, *control, closing, body = children_of(node)
    header, pieces = Parts(), Parts()
    for child in control:
        if child.type == "local_variable_declaration":
            *declaration, end = children_of(child)
            header.extend([Parts([typed_declarators(declaration)]), end.type])
        elif child.type == ";":
            header.extend([pieces, ";"])
            pieces = Parts()
        else:
            pieces.append(part_of(child))
    header.append(pieces)
    return Parts([keyword.type, opening.type, header, closing.type, part_of(body)])


@expands("enhanced_for_statement")
def _enhanced_for(node: Node) -> Parts:
    keyword, opening, *control, closing, body = children_of(node)
    colon = next(i for i, child in enumerate(control) if child.type == ":")
    header = Parts([*_parameter(control[:colon]), ":", part_of(control[colon + 1])])
    return Parts([keyword.type, opening.type, header, closing.type, part_of(body)])


def _parameter(children: Iterable[Node]) -> Parts:
    """Modifiers and type as items, then the name with its brackets as one rule application."""
    parts, identifier = Parts(), Parts()
    for child in children:
        if child.type == "modifiers":
            parts.extend(splice_modifiers(child))
        elif child.type == "identifier":
            identifier.append(variable_leaf(child))
        elif child.type == "dimensions":
            identifier.extend(splice_dimensions(child))
        elif child.type == "variable_declarator":
            identifier.append(Deferred(_variable_declarator, child, 0))
        else:
            parts.append(part_of(child))
    parts.append(identifier)
    return parts


@expands("formal_parameter", "spread_parameter")
def _formal_parameter(node: Node) -> Parts:
    return _parameter(children_of(node))


@expands("formal_parameters")
def _formal_parameters(node: Node) -> Parts:
    return bracketed_arguments(node)


@expands("switch_expression")
def _switch(node: Node) -> Parts:
    """The block is no rule; labels without statements belong to the next group that has some."""
    keyword, condition, block = children_of(node)
    parts = Parts([keyword.type, part_of(condition)])
    labels = Parts()
    for child in children_of(block):
        if child.type != "switch_block_statement_group":
            if child.type == "}":
                parts.extend(labels)
            parts.append(part_of(child))
            continue
        statements = Parts()
        for piece in children_of(child):
            if piece.type == "switch_label":
                labels.append(Parts([*expand_children(piece), ":"]))
            elif piece.type != ":":
                statements.append(deepen(part_of(piece), 1))
        if statements:
            parts.append(Parts([*labels, *statements]))
            labels = Parts()
    return parts


@expands("labeled_statement", "break_statement", "continue_statement")
def _labelled(node: Node) -> Parts:
    return Parts(
        name_leaf(child) if child.type == "identifier" else part_of(child)
        for child in children_of(node)
    )


@expands("catch_clause")
def _catch(node: Node) -> Parts:
    parts = Parts()
    for child in children_of(node):
        if child.type != "catch_formal_parameter":
            parts.append(part_of(child))
            continue
        for piece in children_of(child):
            if piece.type == "modifiers":
                parts.extend(splice_modifiers(piece))
            elif piece.type == "identifier":
                parts.append(variable_leaf(piece))
            else:
                parts.append(part_of(piece))
    return parts


@expands("resource_specification")
def _resources(node: Node) -> Parts:
    opening, *resources, closing = children_of(node)
    last = [";"] if resources[-1].type == ";" else []
    inside = Parts(part_of(child) for child in resources[: len(resources) - len(last)])
    return Parts([opening.type, inside, *last, closing.type])


@expands("resource")
def _resource(node: Node) -> Parts:
    children = children_of(node)
    equals = next((i for i, child in enumerate(children) if child.type == "="), len(children))
    rest = (part_of(child) for child in children[equals:])
    return Parts([*_parameter(children[:equals]), *rest])
