"""Functions of PHP: methods directly inside classes and traits of the top level."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter_php
from tree_sitter import Language, Node

from ncsbench.code.functions.java_functions import find_methods
from ncsbench.code.functions.registry import FoundFunction, Rules

GRAMMAR = Language(tree_sitter_php.language_php())
WHOLE = frozenset(
    {"comment", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression", "string"}
)
_DROPPED_NAMES = frozenset(
    """__construct __destruct __call __callStatic __get __set __isset __unset __sleep __wakeup
    __toString __invoke __set_state __clone __debugInfo __serialize __unserialize""".split()
)


def find_functions(root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
    """The methods, abstract ones too."""
    types = {"class_declaration", "trait_declaration"}
    return find_methods(root.children, types=types, names=_DROPPED_NAMES, rules=rules)
