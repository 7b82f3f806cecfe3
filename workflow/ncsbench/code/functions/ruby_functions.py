"""Functions of Ruby: methods of classes and modules directly inside a module of the top level."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter_ruby
from tree_sitter import Language, Node, Query, QueryCursor

from ncsbench.code.functions.function_texts import (
    comments_before,
    summarize,
    text_of,
    without_directives,
)
from ncsbench.code.functions.registry import FoundFunction, Rules

GRAMMAR = Language(tree_sitter_ruby.language())
WHOLE = frozenset({"string", "delimited_symbol", "regex", "subshell", "heredoc_body"})
_DROPPED_NAMES = {
    *("initialize", "to_text", "display", "dup", "clone", "equal?", "eql?", "hash", "between?"),
    *("==", "<=>", "===", "<=", "<", ">", ">="),
}
_RDOC_DIRECTIVE = re.compile(r"#*\s*:[a-z][\w-]*:")
_BLOCK = re.compile(r"\A=begin\b[^\n]*|^=end\b[^\n]*\Z", re.MULTILINE)


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The methods, without those of singletons (``def self.x``).

    The documentation of a method is the run of comments just before it. Where the top level of a
    file has a syntax error, all methods are left out. As meant, ``private def x`` is a method
    (DEV-222).
    """
    if root.type == "ERROR":  # classes cannot be distinguished there
        for word in QueryCursor(Query(GRAMMAR, '"def" @def')).captures(root).get("def", ()):
            yield FoundFunction(word, "", "", "", "", "syntax error")
    broken = any(node.type == "ERROR" for node in root.children)
    for module in root.children:
        if module.type != "module":
            continue
        for inner in _members(module):
            if inner.type in {"class", "module"}:
                scope = f"{_name(module)}.{_name(inner)}"
                yield from _methods(inner, scope, "syntax error" if broken else "", rules)


def _methods(scope_node: Node, scope: str, dropped: str, rules: Rules) -> Iterator[FoundFunction]:
    for member, comments in comments_before(_members(scope_node), rules=rules):
        for node in _defined(member):
            name = _name(node)
            docstring = _document(comments, rules)
            reason = dropped or ("name" if name in _DROPPED_NAMES else "")
            if rules == "as_released" and node != member:
                reason = reason or "argument of a call"
            yield FoundFunction(
                node, name, f"{scope}.{name}", docstring, summarize(docstring), reason
            )


def _defined(member: Node) -> Iterator[Node]:
    """The method that a member is, or the methods that are arguments of its calls."""
    nodes = [member]
    while nodes:
        node = nodes.pop()
        if node.type == "method":
            yield node
        elif node.type in {"call", "argument_list", "parenthesized_statements"}:
            nodes += reversed(node.named_children)


def _document(comments: list[Node], rules: Rules) -> str:
    lines = [text_of(comment).strip() for comment in comments]
    if rules == "as_meant":
        lines = [_BLOCK.sub("", without_directives(line, _RDOC_DIRECTIVE)) for line in lines]
        lines = [line for line in lines if line]
    return "\n".join(line.strip("#").strip() for line in lines).strip()


def _members(node: Node) -> Iterator[Node]:
    """The members of a class or module; comments before the first member are outside its body."""
    for child in node.children:
        if child.type == "body_statement":
            yield from child.children
        else:
            yield child


def _name(node: Node) -> str:
    return text_of(node.child_by_field_name("name"))
