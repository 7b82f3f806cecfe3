"""Types, names and annotations of tree-sitter-java as rule applications of Aroma's grammar."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from ncsbench.languages.java_spt_codes import CLOSE, OPEN
from ncsbench.languages.java_spt_rules import Coder, Item, children_of, expands

ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
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
    """Annotations and what they annotate; array brackets stand beside them."""
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
    """A name that is no variable, and what is given to it."""
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
    """Names of exceptions, without variables, and what stands between them."""
    return [(flat_type, child, 1) if child.is_named else child for child in children_of(node)]


@expands("throws", levels=0)
def _throws(node: Node, coder: Coder) -> list[Item]:
    keyword, *names = exception_types(node, coder)
    return [keyword, OPEN, *names, CLOSE]
