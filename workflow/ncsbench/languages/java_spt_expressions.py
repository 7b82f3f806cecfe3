"""Primary expressions, calls and lambdas of tree-sitter-java as rules of Aroma's grammar."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

# Operators register themselves too when their module is imported.
from ncsbench.languages import java_spt_operators as _operators  # noqa: F401
from ncsbench.languages.java_spt_codes import CLOSE, OPEN
from ncsbench.languages.java_spt_rules import (
    Coder,
    Item,
    children_as_items,
    children_of,
    expands,
)
from ncsbench.languages.java_spt_types import flat_type, own_type_arguments, type_name, with_names

expands("parenthesized_expression", "class_literal", levels=2)(children_as_items)


@expands("labeled_statement", "break_statement", "continue_statement")
def _label(node: Node, coder: Coder) -> list[Item]:
    return with_names(node.children, coder)


@expands("catch_formal_parameter", levels=0)
@expands("inferred_parameters")
def _identifiers_as_variables(node: Node, coder: Coder) -> list[Item]:
    """The children, of which identifiers declare variables."""
    return [
        coder.variable(child) if child.type == "identifier" else child for child in node.children
    ]


@expands("field_access")
def _field_access(node: Node, coder: Coder) -> list[Item]:
    """``object . name``; in ``X.super.f`` the last point and the name are a rule of their own."""
    *before, name = children_of(node)
    field = coder.name(name) if name.type == "identifier" else name
    if len(before) > 2:
        outer, point, keyword, last_point = before
        return [outer, point, keyword, OPEN, last_point, field, CLOSE]
    return [*before, field]


@expands("method_invocation")
def _method_invocation(node: Node, coder: Coder) -> list[Item]:
    *before, name_node, arguments = children_of(node)
    name = coder.name(name_node)
    if not before:
        return [OPEN, name, arguments, CLOSE]
    bracketed: list[Item] = [OPEN, arguments, CLOSE]
    explicit = before.pop() if before[-1].type == "type_arguments" else None
    if len(before) > 2:  # X.super.f(a)
        outer, point, keyword, last_point = before
        return [outer, point, keyword, OPEN, last_point, name, *bracketed, CLOSE]
    if explicit:
        return [*before, OPEN, own_type_arguments(explicit), OPEN, name, *bracketed, CLOSE, CLOSE]
    return [*before, OPEN, name, arguments, CLOSE]


@expands("object_creation_expression")
def _object_creation(node: Node, coder: Coder) -> list[Item]:
    children = children_of(node)
    body = [children.pop()] if children[-1].type == "class_body" else []
    arguments = children.pop()
    created = children.pop()
    suffix: list[Item] = [OPEN, OPEN, arguments, CLOSE, *body, CLOSE]
    before: list[Item] = [
        own_type_arguments(child) if child.type == "type_arguments" else child for child in children
    ]
    if children[0].type == "new":
        keyword, *explicit = before
        return [keyword, OPEN, *explicit, type_name(created), *suffix, CLOSE]
    return [*before, OPEN, *_inner_name(created, coder), *suffix, CLOSE]


def _inner_name(created: Node, coder: Coder) -> Sequence[Item]:
    """Class name after ``outer.new``: type arguments are a list there."""
    if created.type != "generic_type":
        return flat_type(created, coder)
    name, arguments = children_of(created)
    return [*flat_type(name, coder), own_type_arguments(arguments)]


@expands("array_creation_expression")
def _array_creation(node: Node, _: Coder) -> list[Item]:
    keyword, created, *rest = children_of(node)
    return [keyword, OPEN, type_name(created), OPEN, *rest, CLOSE, CLOSE]


@expands("lambda_expression", levels=2)
def _lambda(node: Node, coder: Coder) -> list[Item]:
    parameters, *rest = node.children
    is_name = parameters.type == "identifier"
    return [coder.variable(parameters) if is_name else parameters, *rest]


@expands("array_initializer", "element_value_array_initializer")
def _array_initializer(node: Node, _: Coder) -> list[Item]:
    """Each element is a rule application of its own above the expression."""
    items: list[Item] = []
    for child in node.children:
        items += [OPEN, child, CLOSE] if child.is_named else [child]
    return items
