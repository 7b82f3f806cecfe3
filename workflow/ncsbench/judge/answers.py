"""Reading a Stack Overflow answer, a fragment of Java, as methods (DEV-21)."""

from __future__ import annotations

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

    The first of ``WRAPPINGS`` counts under which the answer is without syntax error and has at
    least one record; None if there is no such.
    """
    if len(answer) > MAXIMUM_CHARACTERS:
        return None
    for name, (before, after) in WRAPPINGS.items():
        tree = parse_java((before + answer + after).encode("utf-8", "replace"))
        if is_java_8(tree):
            records = method_records(tree, outermost_only=True)
            if records:
                return name, records
    return None


def features_of_answer(answer: str) -> MethodFeatures | None:
    """Features of an answer; None if it cannot be read as Java under any wrapping.

    Each outermost method body counts once: methods of anonymous classes are part of the body
    they stand in and not counted a second time.
    """
    read = answer_records(answer)
    return None if read is None else features_of_bodies(record.body for record in read[1])
