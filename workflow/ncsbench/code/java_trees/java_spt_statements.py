"""Types, names, annotations and statements of tree-sitter-java as rules of Aroma's grammar."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ncsbench.code.java.java import ANNOTATIONS
from ncsbench.code.java_trees.java_spt_rules import (
    CLOSE,
    KEYWORD_CODES,
    OPEN,
    Coder,
    Item,
    children_of,
    deepen,
    expands,
)

_NESTED = frozenset({"scoped_type_identifier", "generic_type", "scoped_identifier", "field_access"})
_NAMES = frozenset({"identifier", "type_identifier"})


@expands("scoped_type_identifier", "generic_type", levels=2)
@expands("scoped_identifier")
def flat_type(node: Node, coder: Coder) -> list[Item]:
    """``A.B<C>.D`` as the items A . B <C> . D; tree-sitter nests what the grammar has flat."""
    items: list[Item] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if current.type in _NESTED:
            pending.extend(reversed(current.children))
        else:
            items.append(coder.name(current) if current.type in _NAMES else current)
    return items


def with_names(children: Sequence[Node], coder: Coder) -> list[Item]:
    """The children, of which identifiers are names, never variables."""
    return [coder.name(child) if child.type == "identifier" else child for child in children]


def type_name(node: Node) -> Item:
    """A type where tree-sitter may have seen an expression: never with variables in it."""
    return (flat_type, node, 2) if node.type in _NESTED | _NAMES else node


@expands("argument_list", "annotation_argument_list", levels=0)
@expands("formal_parameters")
def bracketed_list(node: Node, _: Coder) -> list[Item]:
    """``(``, one list, ``)``; brackets of a plain call belong to the call, others to a rule."""
    opening, *arguments, closing = node.children
    return [opening, OPEN, *arguments, CLOSE, closing]


def own_type_arguments(node: Node) -> Item:
    """Type arguments of an explicit generic call or creation: a list inside the brackets."""
    return bracketed_list, node, 1


@expands("annotated_type")
def _annotated_type(node: Node, _: Coder) -> list[Item]:
    return annotated_type(children_of(node))


def annotated_type(children: list[Node]) -> list[Item]:
    """Annotations and the type that they annotate; array brackets are beside the two."""
    *annotations, annotated = children
    inner = annotated.children if annotated.type == "array_type" else [annotated]
    return [*annotations, *inner]


@expands(*ANNOTATIONS, levels=2)
def _annotation(node: Node, _: Coder) -> list[Item]:
    """``@``, the name, and the argument brackets as items; the pairs inside are one list."""
    mark, name, *arguments = children_of(node)
    return [mark, (flat_type, name, 1), *arguments]


@expands("element_value_pair")
def name_and_rest(node: Node, coder: Coder) -> list[Item]:
    """A name that is no variable, and its arguments."""
    key, *rest = children_of(node)
    return [coder.name(key), *rest]


@expands("type_parameter")
def _type_parameter(node: Node, coder: Coder) -> list[Item]:
    return [coder.name(child) if child.type in _NAMES else child for child in node.children]


@expands("type_bound", levels=0)
def _type_bound(node: Node, _: Coder) -> list[Item]:
    extends, *bounds = node.children
    return [extends, OPEN, *bounds, CLOSE]


@expands("catch_type")
def exception_types(node: Node, _: Coder) -> list[Item]:
    """Names of exceptions, without variables, and the signs between them."""
    return [(flat_type, child, 1) if child.is_named else child for child in children_of(node)]


@expands("throws", levels=0)
def _throws(node: Node, coder: Coder) -> list[Item]:
    keyword, *names = exception_types(node, coder)
    return [keyword, OPEN, *names, CLOSE]


TYPE_DECLARATIONS = frozenset(
    {
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "annotation_type_declaration",
        "record_declaration",
    }
)
_DECLARATIONS = TYPE_DECLARATIONS | {"local_variable_declaration"}


OPEN_ENDED = frozenset(
    {
        "enhanced_for_statement",
        "for_statement",
        "if_statement",
        "labeled_statement",
        "while_statement",
    }
)
"""Statements which may end in another one."""


@expands("block", "constructor_body")
def _block(node: Node, _: Coder) -> list[Item]:
    return _statements(node.children)


def _statements(children: Sequence[Node]) -> list[Item]:
    """Declarations and statements; a statement is one rule application deeper, a block two."""
    items: list[Item] = []
    for child in children:
        kind = child.type
        if kind in _DECLARATIONS:
            items.append(child)
            continue
        items.append(deepen(child, 2 if kind == "block" else 1))
        last = child
        while kind in OPEN_ENDED:
            last = last.children[-1]
            kind = last.type
        if kind == "expression_statement" and last.children[0].type == "switch_expression":
            items.append(last.children[-1])
    return items


@expands("expression_statement")
def _expression_statement(node: Node, _: Coder) -> Sequence[Item]:
    """The semicolon of ``switch (..) {..};`` is a statement of its own, which the block adds."""
    children = node.children
    return children[:1] if children[0].type == "switch_expression" else children


@expands("local_variable_declaration")
def _local_variables(node: Node, _: Coder) -> list[Item]:
    *declaration, end = node.children
    return [OPEN, *typed_declarators(declaration), CLOSE, end]


def typed_declarators(children: Sequence[Node]) -> list[Item]:
    """Modifiers and type, then one list of the declarators and commas."""
    first = next(i for i, child in enumerate(children) if child.type == "variable_declarator")
    return [*children[:first], OPEN, *children[first:], CLOSE]


@expands("variable_declarator")
def _variable_declarator(node: Node, coder: Coder) -> list[Item]:
    """The name with its brackets, and the value, are rule applications."""
    name, *rest = children_of(node)
    dimensions = [rest.pop(0)] if rest and rest[0].type == "dimensions" else []
    items: list[Item] = [OPEN, coder.variable(name), *dimensions, CLOSE]
    if rest:
        equals, value = rest
        items += [equals, OPEN, value, CLOSE]
    return items


@expands("for_statement")
def _for(node: Node, _: Coder) -> list[Item]:
    """Items of a ``for``: the part in brackets is one rule application, with lists inside it."""
    keyword, opening, *control, closing, body = children_of(node)
    header: list[Item] = []
    pieces: list[Item] = []
    for child in control:
        if child.type == "local_variable_declaration":
            *declaration, end = child.children
            header += [OPEN, OPEN, *typed_declarators(declaration), CLOSE, CLOSE, end]
        elif child.type == ";":
            header += [OPEN, *pieces, CLOSE, child]
            pieces = []
        else:
            pieces.append(child)
    return [keyword, opening, OPEN, *header, OPEN, *pieces, CLOSE, CLOSE, closing, body]


@expands("enhanced_for_statement")
def _enhanced_for(node: Node, coder: Coder) -> list[Item]:
    keyword, opening, *parameter, colon, values, closing, body = children_of(node)
    header = [*_parameter(parameter, coder), colon, values]
    return [keyword, opening, OPEN, *header, CLOSE, closing, body]


def _parameter(children: Sequence[Node], coder: Coder) -> list[Item]:
    """Modifiers and type as items, then the name with its brackets as one rule application."""
    items: list[Item] = []
    identifier: list[Item] = []
    for child in children:
        if child.type == "identifier":
            identifier.append(coder.variable(child))
        elif child.type == "dimensions":
            identifier.append(child)
        elif child.type == "variable_declarator":
            identifier.append((_variable_declarator, child, 0))
        else:
            items.append(child)
    return [*items, OPEN, *identifier, CLOSE]


@expands("formal_parameter", "spread_parameter")
def _formal_parameter(node: Node, coder: Coder) -> list[Item]:
    return _parameter(node.children, coder)


@expands("switch_expression")
def _switch(node: Node, _: Coder) -> list[Item]:
    """The block is no rule; labels without statements belong to the next group that has some."""
    keyword, condition, block = children_of(node)
    items: list[Item] = [keyword, condition]
    labels: list[Item] = []
    for child in block.children:
        if child.type != "switch_block_statement_group":
            if child.type == "}":
                items += labels
            items.append(child)
            continue
        statements: list[Node] = []
        for piece in children_of(child):
            if piece.type == "switch_label":
                labels += [OPEN, *piece.children, KEYWORD_CODES[":"], CLOSE]
            elif piece.type != ":":
                statements.append(piece)
        if statements:
            items += [OPEN, *labels, *_statements(statements), CLOSE]
            labels = []
    return items


@expands("resource_specification")
def _resources(node: Node, _: Coder) -> list[Item]:
    """A semicolon behind the last resource is outside the list."""
    opening, *resources, closing = children_of(node)
    last = [resources.pop()] if resources[-1].type == ";" else []
    return [opening, OPEN, *resources, CLOSE, *last, closing]


@expands("resource")
def _resource(node: Node, coder: Coder) -> list[Item]:
    children = children_of(node)
    equals = next((i for i, child in enumerate(children) if child.type == "="), len(children))
    return [*_parameter(children[:equals], coder), *children[equals:]]
