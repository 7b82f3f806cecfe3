"""Tokens of Java that is no file: a method without its class, a snippet of a post."""

from __future__ import annotations

from tree_sitter import Parser

from ncsbench.functions.code_tokens import find_kinds, read_tokens
from ncsbench.functions.java_functions import WHOLE, grammar


def tokenize_java(code: str) -> list[str]:
    """The leaves of the tree of a piece of Java, as of a function: a string is one, a comment too.

    Broken syntax never raises.
    """
    source = code.replace("\0", " ").encode()
    root = Parser(grammar()).parse(source).root_node
    return read_tokens(root, source, whole=find_kinds(grammar(), WHOLE))[1]
