"""Tokens of Java that is no file: a method without its class, a snippet of a post."""

from __future__ import annotations

from functools import cache

from ncsbench.functions.code_tokens import find_kinds, read_tokens
from ncsbench.functions.documentation import tokenize_docstring
from ncsbench.functions.java_functions import WHOLE, grammar
from ncsbench.languages.java import parse_java_bounded


def tokenize_java(code: str) -> list[str]:
    """The leaves of the tree of a piece of Java, as of a function: a string is one, a comment too.

    Broken syntax never raises. Where the parser takes too many steps, code is split as
    documentation is (DEV-162).
    """
    source = code.replace("\0", " ").encode()
    tree = parse_java_bounded(source)
    if tree is None:
        return tokenize_docstring(code)
    return read_tokens(tree.root_node, source, whole=_whole())[1]


@cache
def _whole() -> frozenset[int]:
    return find_kinds(grammar(), WHOLE)
