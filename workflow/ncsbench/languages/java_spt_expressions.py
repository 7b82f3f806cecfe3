"""Expressions of tree-sitter-java as rule applications of Aroma's Java grammar.

That grammar binds three constructs otherwise than Java does, and the features follow it: nested
ternaries associate to the left, ``::`` binds weaker than everything before it, and a postfix
operator binds tighter than a prefix operator but weaker than a cast.
"""

from __future__ import annotations

from collections.abc import Callable

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
    variable_leaf,
)
from ncsbench.languages.java_spt_types import (
    flat_type,
    list_arguments,
    splice_dimensions,
    type_name,
)

# Right-most operands of these may hold a method reference that takes in the whole expression.
_LAST_OPERAND = {
    "binary_expression": "right",
    "assignment_expression": "right",
    "cast_expression": "value",
    "unary_expression": "operand",
    "ternary_expression": "alternative",
}
_TYPE_ONLY = frozenset({"generic_type", "array_type", "scoped_type_identifier"})


def _last_operand(node: Node) -> Node | None:
    field = _LAST_OPERAND.get(node.type)
    return node.child_by_field_name(field) if field else None


@expands(*_LAST_OPERAND)
def _expression(node: Node) -> Parts:
    """An operator expression; a method reference at its right end is hoisted above it."""
    end: Node | None = node
    while end is not None and end.type != "method_reference":
        end = _last_operand(end)
    if end is not None and _takes_expression(end):
        return Parts([Deferred(_without_reference, node, 1), *_reference_name(end)])
    return _operator(node, _settled)


def _settled(node: Node) -> Part:
    """A right-most operand whose right end is known to hold no method reference to hoist."""
    if node.type in _LAST_OPERAND:
        return Deferred(_settled_operator, node, 1)
    return part_of(node)


def _settled_operator(node: Node) -> Parts:
    return _operator(node, _settled)


def _without_reference(node: Node) -> Parts:
    """The expression up to the ``::`` of the method reference at its right end."""
    if node.type == "method_reference":
        return Parts([part_of(children_of(node)[0])])
    return _operator(node, lambda operand: Deferred(_without_reference, operand, 1))


def _operator(node: Node, last: Callable[[Node], Part]) -> Parts:
    """One operator and its operands, the right-most of which is turned into a part by ``last``."""
    if node.type == "ternary_expression":
        return _ternary(node, last)
    parts = Parts()
    *others, operand = children_of(node)
    for child in others:
        if node.type == "binary_expression" and child.type in {"<<", ">>", ">>>"}:
            parts.extend(child.type)  # the grammar has no shift tokens
        else:
            parts.append(part_of(child))
    parts.append(last(operand))
    return parts


def _ternary(node: Node, last: Callable[[Node], Part]) -> Parts:
    """``a ? b : c ? d : e`` as ``(a ? b : c) ? d : e``."""
    condition, mark, second, colon, third = _ternary_children(node)
    parts = Parts([part_of(condition), mark, part_of(second), colon])
    while third.type == "ternary_expression":
        condition, mark, second, colon, third = _ternary_children(third)
        parts.append(part_of(condition))
        parts = Parts([parts, mark, part_of(second), colon])
    parts.append(last(third))
    return parts


def _ternary_children(node: Node) -> tuple[Node, str, Node, str, Node]:
    condition, _, second, _, third = children_of(node)
    return condition, "?", second, ":", third


@expands("update_expression")
def _update(node: Node) -> Parts:
    """``-a++`` is ``-(a++)`` here, where tree-sitter reads ``(-a)++``; ``(int) a++`` stays."""
    first, second = children_of(node)
    if first.type in {"++", "--"}:
        return Parts([first.type, part_of(second)])
    prefixes: list[Node] = []
    innermost = 0
    operand = first
    while operand.type in {"unary_expression", "cast_expression"}:
        prefixes.append(operand)
        if operand.type == "unary_expression":
            innermost = len(prefixes)
        operand = children_of(operand)[-1]
    del prefixes[innermost:]
    target = children_of(prefixes[-1])[-1] if prefixes else first
    parts = Parts([part_of(target), second.type])
    for prefix in reversed(prefixes):
        parts = Parts([*(part_of(child) for child in children_of(prefix)[:-1]), parts])
    return parts


def _takes_expression(reference: Node) -> bool:
    """Whether the left side of a method reference is read as an expression."""
    children = children_of(reference)
    return children[-1].type != "new" and children[0].type not in _TYPE_ONLY


def _reference_name(reference: Node) -> Parts:
    """``::``, type arguments if any, and the name or ``new``."""
    _, *rest = children_of(reference)
    return Parts(name_leaf(part) if part.type == "identifier" else part_of(part) for part in rest)


@expands("method_reference")
def _method_reference(node: Node) -> Parts:
    first = children_of(node)[0]
    left = part_of(first) if _takes_expression(node) else type_name(first)
    return Parts([left, *_reference_name(node)])


@expands("parenthesized_expression", levels=2)
def _parenthesized(node: Node) -> Parts:
    return expand_children(node)


@expands("array_access", "instanceof_expression")
def _plain(node: Node) -> Parts:
    return expand_children(node)


@expands("class_literal", levels=2)
def _class_literal(node: Node) -> Parts:
    return expand_children(node)


@expands("field_access")
def _field_access(node: Node) -> Parts:
    """``object . name``; in ``X.super.f`` the last point and the name are a rule of their own."""
    first, *rest = children_of(node)
    parts = Parts([part_of(first)])
    parts.extend(name_leaf(part) if part.type == "identifier" else part_of(part) for part in rest)
    if len(parts) > 3:
        parts[3:] = [Parts(parts[3:])]
    return parts


def bracketed_arguments(node: Node) -> Parts:
    """Arguments with brackets of their own: ``(``, one list, ``)``."""
    opening, *arguments, closing = children_of(node)
    return Parts([opening.type, Parts(part_of(child) for child in arguments), closing.type])


@expands("method_invocation")
def _method_invocation(node: Node) -> Parts:
    *before, name_node, arguments = children_of(node)
    name = name_leaf(name_node)
    call: Part = Parts([name, *bracketed_arguments(arguments)])
    if not before:
        return Parts([call])
    if before[-1].type == "type_arguments":
        explicit = list_arguments(before.pop())
        call = Parts([explicit, Parts([name, bracketed_arguments(arguments)])])
    parts = Parts(part_of(child) for child in before)
    if len(parts) > 3:  # X.super.f(a)
        parts[3:] = [Parts([".", name, bracketed_arguments(arguments)])]
    else:
        parts.append(call)
    return parts


@expands("object_creation_expression")
def _object_creation(node: Node) -> Parts:
    children = children_of(node)
    position = next(i for i, child in enumerate(children) if child.type == "new")
    rest = children[position + 1 :]
    body = [part_of(rest.pop())] if rest[-1].type == "class_body" else []
    suffix = Parts([bracketed_arguments(rest.pop()), *body])
    created = rest.pop()
    explicit = [
        list_arguments(child) if child.type == "type_arguments" else part_of(child)
        for child in rest
    ]
    if position == 0:
        return Parts(["new", Parts([*explicit, type_name(created), suffix])])
    return Parts(
        [part_of(children[0]), ".", "new", *explicit, Parts([*_inner_name(created), suffix])]
    )


def _inner_name(created: Node) -> Parts:
    """Class name after ``outer.new``: type arguments are a list there."""
    if created.type != "generic_type":
        return flat_type(created)
    name, arguments = children_of(created)
    return Parts([*flat_type(name), list_arguments(arguments)])


@expands("array_creation_expression")
def _array_creation(node: Node) -> Parts:
    _, created, *rest = children_of(node)
    brackets = Parts()
    for child in rest:
        if child.type in {"dimensions", "dimensions_expr"}:
            brackets.extend(splice_dimensions(child))
        else:
            brackets.append(part_of(child))
    return Parts(["new", Parts([type_name(created), brackets])])


@expands("lambda_expression", levels=2)
def _lambda(node: Node) -> Parts:
    parameters, *rest = children_of(node)
    first = variable_leaf(parameters) if parameters.type == "identifier" else part_of(parameters)
    return Parts([first, *(part_of(child) for child in rest)])


@expands("inferred_parameters")
def _inferred_parameters(node: Node) -> Parts:
    parts = Parts()
    for child in children_of(node):
        parts.append(variable_leaf(child) if child.type == "identifier" else text_of(child))
    return parts


@expands("array_initializer", "element_value_array_initializer")
def _array_initializer(node: Node) -> Parts:
    # Each element is a rule application of its own above the expression.
    return Parts(
        text_of(child) if not child.is_named else Parts([part_of(child)])
        for child in children_of(node)
    )
