"""Statements of tree-sitter-java as rule applications of Aroma's grammar."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ncsbench.languages.java_spt_codes import CLOSE, KEYWORD_CODES, OPEN
from ncsbench.languages.java_spt_rules import Coder, Item, children_of, deepen, expands

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
    """What stands between the brackets is one rule application, with lists inside it."""
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
