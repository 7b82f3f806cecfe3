"""The NCS items of a Java snippet that need not be a whole method, as in a Stack Overflow answer.

``java_methods`` extracts from whole files only, so a snippet is wrapped first. A snippet that
consists of methods is parsed as the members of a class; its methods get the same items as methods
of a corpus. Any other snippet is parsed as the body of a method or, where that has syntax errors,
as the members of a class inside a method; the items of the wrapping method are those of the
snippet. Text that cannot be parsed at all, or that closes the wrapper, is scanned without a parser.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from ncsbench.code.java.java import COMMENTS, parse_java, walk
from ncsbench.code.java.java_methods import Method, ParsedFile, parse_methods
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java.search_fields import find_names

MAXIMUM_CHARACTERS = 16_384
"""Characters of a snippet that are read: of 46,070 real snippets 8 are longer, and the parser takes
quadratic time on hostile ones."""

# The wrappers' names are no words: "$" is neither a letter nor a digit.
_CLASS = "class ${"
_AS_METHODS = (_CLASS, "\n}")
# Two methods deep, so that text behind a brace that closes the inner one is not lost.
_AS_BODY = (f"{_CLASS}void $(){{class ${{void $(){{", "\n}}}}")
_AS_MEMBERS = (f"{_CLASS}void $(){{class ${{", "\n}}}")
_HEAD = re.compile(r"^[ \t]*+(?:import|package)\s[^;\n]*+;?", re.MULTILINE)
_KIND_OF_NAME = {
    "call": ItemKind.INVOCATION,
    "creation": ItemKind.CREATION,
    "declaration": ItemKind.METHOD_NAME,
}


def find_snippet_items(code: str) -> tuple[list[int], list[str]]:
    """Kinds (values of ``ItemKind``) and texts of the items of a snippet.

    The items are those that the extraction gives for the methods of a corpus: names of declared
    methods and of the types around them, comments, invocations, constants, short strings,
    creations, resource identifiers. A snippet of methods alone has the items of its outermost
    methods one after the other, without a class; in any other, names of methods and types come
    first, everything else in text order. Imports are left out, as no method contains them. Broken
    code and other languages never raise.
    """
    text = _HEAD.sub("", code[:MAXIMUM_CHARACTERS].replace("\0", " "))
    methods = _find_methods(_wrap(text, _AS_METHODS))
    if methods:
        return _join_items(methods)
    best: tuple[list[int], list[str]] = ([], [])
    for wrapper in (_AS_BODY, _AS_MEMBERS):
        source = _wrap(text, wrapper)
        parsed = parse_methods(source)
        items = _collect_items(parsed)
        if not parsed.has_errors:
            # The end of a text that leads out of the wrapper would be lost.
            return items if _is_whole(parsed, source) else _read_signs(text)
        if len(items[0]) > len(best[0]):
            best = items
    return best if best[0] else _read_signs(text)


def _read_signs(text: str) -> tuple[list[int], list[str]]:
    names = find_names(text)
    return [int(_KIND_OF_NAME[kind]) for _, kind in names], [name for name, _ in names]


def _wrap(text: str, wrapper: tuple[str, str]) -> bytes:
    return text.join(wrapper).encode("utf-8", "replace")


def _find_methods(source: bytes) -> list[Method]:
    """The outermost methods of a wrapped text of methods and comments alone; else no method."""
    root = parse_java(source).root_node
    body = None if root.child_count != 1 else root.children[0].child_by_field_name("body")
    if root.has_error or body is None:
        return []
    members = [node for node in body.named_children if node.type not in COMMENTS]
    if not all(map(_is_method, members)):
        return []
    outermost = {node.start_byte for node in members}
    methods = parse_methods(source).methods
    if len(methods) == len(members):
        return methods
    starts = [node.start_byte for node in walk(body) if _is_method(node)]
    return [m for m, start in zip(methods, starts, strict=True) if start in outermost]


def _is_method(node: Node) -> bool:
    return node.type == "method_declaration" and node.child_by_field_name("body") is not None


def _join_items(methods: list[Method]) -> tuple[list[int], list[str]]:
    """The items of methods without the names of their classes."""
    items = [
        (kind, text)
        for method in methods
        for kind, text in zip(method.kinds, method.texts, strict=True)
        if kind != ItemKind.CLASS_NAME
    ]
    return [kind for kind, _ in items], [text for _, text in items]


def _is_whole(parsed: ParsedFile, source: bytes) -> bool:
    """Say whether the outermost method ends with the wrapper: no brace of the text closes it."""
    return bool(parsed.methods) and parsed.methods[0].code.encode() == source[len(_CLASS) : -1]


def _collect_items(parsed: ParsedFile) -> tuple[list[int], list[str]]:
    """Items of the wrapper with the names of the methods within it, each type's name once."""
    if not parsed.methods:
        return [], []
    outer, *within = parsed.methods
    inner = [method for method in within if method.name != "$"]
    types = dict.fromkeys(method.class_name for method in inner if method.class_name != "$")
    named = [(int(ItemKind.CLASS_NAME), name) for name in types]
    named += [(int(ItemKind.METHOD_NAME), method.name) for method in inner]
    # The first two items are the names of the wrapper itself.
    kinds = [kind for kind, _ in named] + outer.kinds[2:]
    return kinds, [name for _, name in named] + outer.texts[2:]
