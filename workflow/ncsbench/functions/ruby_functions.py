"""Functions of Ruby: methods of classes and modules directly inside a module of the top level."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_ruby
from tree_sitter import Language, Node

from ncsbench.functions.documentation import summarize
from ncsbench.functions.function_record import FoundFunction, Rules
from ncsbench.functions.members import text_of

WHOLE = frozenset({"string", "delimited_symbol", "regex", "subshell", "heredoc_body"})
_DROPPED_NAMES = {
    *("initialize", "to_text", "display", "dup", "clone", "equal?", "eql?", "hash", "between?"),
    *("==", "<=>", "===", "<=", "<", ">", ">="),
}


@cache
def grammar() -> Language:
    """The tree-sitter grammar."""
    return Language(tree_sitter_ruby.language())


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The methods, without those of singletons (``def self.x``).

    Their documentation is the run of comments just before. Of a file whose top level has a syntax
    error all are left out. The rules of the released code all work.
    """
    broken = any(node.type == "ERROR" for node in root.children)
    for module in root.children:
        if module.type != "module":
            continue
        for inner in _members(module):
            if inner.type in {"class", "module"}:
                scope = f"{_name(module)}.{_name(inner)}"
                yield from _methods(inner, scope, "syntax error" if broken else "")


def _methods(scope_node: Node, scope: str, dropped: str) -> Iterator[FoundFunction]:
    comments: list[str] = []
    for node in _members(scope_node):
        if node.type == "comment":
            comments.append(text_of(node).strip().strip("#").strip())
            continue
        if node.type == "method":
            name = _name(node)
            docstring = "\n".join(comments).strip()
            reason = dropped or ("name" if name in _DROPPED_NAMES else "")
            yield FoundFunction(
                node, name, f"{scope}.{name}", docstring, summarize(docstring), reason
            )
        comments = []


def _members(node: Node) -> Iterator[Node]:
    """What stands in a class or module; comments before the first member are outside its body."""
    for child in node.children:
        if child.type == "body_statement":
            yield from child.children
        else:
            yield child


def _name(node: Node) -> str:
    return text_of(node.child_by_field_name("name"))
