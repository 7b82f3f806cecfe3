"""Expressions of tree-sitter-java as rules of Aroma's grammar.

Some operators bind differently there than in Java and tree-sitter, and the features follow Aroma:
nested ternaries associate to the left; ``::`` binds weaker than everything before it; a postfix
operator binds tighter than a prefix operator but weaker than a cast; the left side of an assignment
is everything before it; ``(a) - b`` is a difference if ``a`` may be a variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tree_sitter import Node

from ncsbench.code.java_trees.java_spt_rules import (
    CLOSE,
    OPEN,
    Coder,
    Item,
    children_as_items,
    children_of,
    expands,
)
from ncsbench.code.java_trees.java_spt_statements import (
    flat_type,
    own_type_arguments,
    type_name,
    with_names,
)

_OPERATORS = frozenset(
    {
        "assignment_expression",
        "binary_expression",
        "cast_expression",
        "instanceof_expression",
        "method_reference",
        "ternary_expression",
        "unary_expression",
        "update_expression",
    }
)
_TYPE_ONLY = frozenset(
    {
        "annotated_type",
        "array_type",
        "boolean_type",
        "floating_point_type",
        "generic_type",
        "integral_type",
        "scoped_type_identifier",
    }
)

_CAST, _POSTFIX, _SIGN, _NOT = range(4)
_RANKS = {
    operator: rank
    for rank, operators in enumerate(
        "* / %,+ -,<< >> >>>,< > <= >=,instanceof,== !=,&,^,|,&&,||,?".split(","), start=_NOT + 1
    )
    for operator in operators.split()
}
_ASSIGNMENT = _RANKS["?"] + 1
_REFERENCE = _ASSIGNMENT + 1
"""Rank of a method reference; the larger the rank, the weaker the operator binds."""


_SHAPES = {
    "assignment_expression": 3,
    "binary_expression": 3,
    "cast_expression": 4,
    "ternary_expression": 5,
    "unary_expression": 2,
    "update_expression": 2,
}
"""Numbers of children by kind of expression, comments not counted."""

_OPERAND, _PREFIX, _INFIX, _SUFFIX = range(4)
_Part: TypeAlias = tuple[int, int, Sequence[Item]]
"""An operand or an operator: its kind by the places of operands around it; its rank; its own
items."""


@expands(*_OPERATORS)
def _expression(node: Node, _: Coder) -> Sequence[Item]:
    """An operator and its operands; several operators are grouped anew."""
    children = node.children
    for child in children:
        if child.type in _OPERATORS:
            return _group(_parts(node))
    return children


def _group(parts: list[_Part]) -> list[Item]:
    """Operands and operators as nested rule applications, by precedence climbing."""
    opened, closed = [0] * len(parts), [0] * len(parts)
    waiting: list[tuple[int, int]] = []  # first part of an application, weakest rank on its right
    start = 0
    for number, (position, rank, _) in enumerate(parts):
        if position == _OPERAND:
            start = number
        elif position == _PREFIX:
            waiting.append((number, rank))
        else:
            while waiting and rank > waiting[-1][1]:
                start, _ = waiting.pop()
                opened[start] += 1
                closed[number - 1] += 1
            if position == _INFIX:
                waiting.append((start, rank if rank == _ASSIGNMENT else rank - 1))
            else:
                opened[start] += 1
                closed[number] += 1
    for start, _ in waiting:
        opened[start] += 1
    opened[0] -= 1  # the node itself
    closed[-1] += len(waiting) - 1
    items: list[Item] = []
    for (_, _, own), opening, closing in zip(parts, opened, closed, strict=True):
        items += [OPEN] * opening
        items += own
        items += [CLOSE] * closing
    return items


def _parts(node: Node) -> list[_Part]:
    """Operands and operators of an expression in text order, without regard to their grouping."""
    parts: list[_Part] = []
    pending: list[Node | _Part] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            parts.append(part)
        elif part.type in _OPERATORS:
            follows_operand = bool(parts) and parts[-1][0] in {_OPERAND, _SUFFIX}
            pending += _split(part, follows_operand)
        else:
            parts.append((_OPERAND, 0, (part,)))
    return parts


def _split(node: Node, follows_operand: bool) -> tuple[Node | _Part, ...]:
    """One operator and its operands, the last one first."""
    kind = node.type
    children = node.children
    if len(children) != _SHAPES.get(kind):
        children = children_of(node)
    first, *middle, last = children
    parts: tuple[Node | _Part, ...]
    if kind == "unary_expression":
        parts = last, _sign(first, follows_operand)
    elif kind == "update_expression" and last.type in {"++", "--"}:
        parts = (_SUFFIX, _POSTFIX, (last,)), first
    elif kind == "update_expression":
        parts = last, _sign(first, follows_operand)
    elif kind == "cast_expression":
        parts = last, _cast(children)
    elif kind == "instanceof_expression":
        parts = (_SUFFIX, _RANKS["instanceof"], children[1:]), first
    elif kind == "method_reference" and _takes_expression(node):
        parts = (_SUFFIX, _REFERENCE, ((_reference_name, node, 0),)), first
    elif kind == "method_reference":
        parts = ((_OPERAND, 0, (node,)),)
    else:
        rank = _ASSIGNMENT if kind == "assignment_expression" else _RANKS[middle[0].type]
        parts = last, (_INFIX, rank, middle), first
    return parts


def _sign(operator: Node, follows_operand: bool) -> _Part:
    """A prefix operator; behind an operand, which looked like a cast, an infix or suffix one."""
    if not follows_operand:
        return _PREFIX, _NOT if operator.type in {"!", "~"} else _SIGN, (operator,)
    if operator.type in {"++", "--"}:
        return _SUFFIX, _POSTFIX, (operator,)
    return _INFIX, _RANKS[operator.type], (operator,)


def _cast(children: list[Node]) -> _Part:
    """A cast without its operand; an operand itself if it is a name before a sign."""
    opening, cast_type, closing, operand = children
    if _is_name(cast_type) and _begins_with_sign(operand):
        return _OPERAND, 0, (OPEN, opening, (_name, cast_type, 1), closing, CLOSE)
    return _PREFIX, _CAST, (opening, cast_type, closing)


def _is_name(cast_type: Node) -> bool:
    """Say whether the seeming type of a cast may be an expression: ``a`` or ``a.b``."""
    while cast_type.type == "scoped_type_identifier" and cast_type.named_child_count <= 2:
        cast_type = cast_type.children[0]
    return cast_type.type == "type_identifier"


def _begins_with_sign(node: Node) -> bool:
    """Say whether an expression begins with ``+`` or ``-``, perhaps behind ``++`` or ``--``."""
    while node.type in _OPERATORS:
        first = node.children[0]
        node = node.children[-1] if first.type in {"++", "--"} else first
    return node.type in {"+", "-"}


def _name(node: Node, coder: Coder) -> list[Item]:
    """A name which tree-sitter takes for a type, as an expression."""
    if node.type == "type_identifier":
        return [coder.variable(node)]
    scope, point, name = children_of(node)
    return [(_name, scope, 1), point, coder.name(name)]


def _takes_expression(reference: Node) -> bool:
    """Say whether the left side of a method reference is read as an expression."""
    children = reference.children
    return children[-1].type != "new" and children[0].type not in _TYPE_ONLY


@expands("method_reference")
def _method_reference(node: Node, coder: Coder) -> list[Item]:
    first, *rest = children_of(node)
    left = first if _takes_expression(node) else type_name(first)
    if [child.type for child in rest] == ["::", "type_arguments", "new"]:
        left = (_created_class, first, 1)
    return [left, *_reference_name(node, coder)]


def _created_class(node: Node, coder: Coder) -> list[Item]:
    """A class before ``::<T>new``: the qualifier of its name is a type of its own."""
    items: list[Item] = [*flat_type(node, coder)]
    behind = 0
    for number, item in enumerate(items):
        if isinstance(item, Node) and item.type == ".":
            behind = number
    return [OPEN, *items[:behind], CLOSE, *items[behind:]]


def _reference_name(reference: Node, coder: Coder) -> list[Item]:
    """``::``, type arguments if any, and the name or ``new``."""
    return with_names(reference.children[1:], coder)


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
