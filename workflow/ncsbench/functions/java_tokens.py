"""Tokens of Java that is no file: a method without its class, a snippet of a post."""

from __future__ import annotations

from tree_sitter import Parser

from ncsbench.functions.code_tokens import iterate_leaves
from ncsbench.functions.java_functions import WHOLE, grammar


def tokenize_java(code: str) -> list[str]:
    """The leaves of the tree of a piece of Java, as of a function: a string is one, a comment too.

    Broken syntax never raises.
    """
    source = code.replace("\0", " ").encode()
    leaves = iterate_leaves(Parser(grammar()).parse(source).root_node, whole=WHOLE)
    return [text for leaf in leaves if (text := (leaf.text or b"").decode("utf-8").strip())]
