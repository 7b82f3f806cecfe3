"""Reading a Stack Overflow answer, a fragment of Java, as methods (DEV-21)."""

from __future__ import annotations

from tree_sitter import Tree

from ncsbench.judge.features import MAXIMUM_CHARACTERS, MethodFeatures, features_of_bodies
from ncsbench.languages.java import parse_java
from ncsbench.languages.java_accept import is_java_8
from ncsbench.languages.java_spt import Record, method_records

WRAPPINGS = {
    "statements": ("class C { void m() {\n", "\n} }\n"),
    "members": ("class C {\n", "\n}\n"),
    "unit": ("", ""),
}
"""What is put around an answer, in the order in which it is tried."""


def answer_records(answer: str) -> tuple[str, list[Record]] | None:
    """How an answer was read, and its outermost records in text order.

    The first of ``WRAPPINGS`` counts under which the reference would read the answer and it has at
    least one record; where there is none, the first under which tree-sitter reads it without a
    syntax error, as later Java and looser fragments are. None where that fails too, and for texts
    that are too long (DEV-25).
    """
    if len(answer) > MAXIMUM_CHARACTERS:
        return None
    trees = [
        (name, parse_java((before + answer + after).encode("utf-8", "replace")))
        for name, (before, after) in WRAPPINGS.items()
    ]
    for is_readable in (is_java_8, _is_free_of_errors):
        for name, tree in trees:
            if is_readable(tree):
                records = method_records(tree, outermost_only=True)
                if records:
                    return name, records
    return None


def _is_free_of_errors(tree: Tree) -> bool:
    return not tree.root_node.has_error


def features_of_answer(answer: str) -> MethodFeatures | None:
    """Features of an answer; None if it cannot be read as Java under any wrapping.

    Each outermost method body counts once: methods of anonymous classes are part of the body
    they stand in and not counted a second time.
    """
    read = answer_records(answer)
    return None if read is None else features_of_bodies(record.body for record in read[1])
