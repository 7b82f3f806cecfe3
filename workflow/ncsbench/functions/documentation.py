"""Documentation of functions: without comment marks, its summary, and the summary's tokens.

The rules are CodeSearchNet's (DEV-120): a summary is the first paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncsbench.functions.function_record import Rules

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_TOKEN = re.compile(r"\w+|[^\w\s]+")
_MARK = re.compile(r"\*|/\*+!?|//+!?")
_RELEASED_MARK = re.compile(r"\*|/\*\*|//")
_HASHES = re.compile(r"#+")


def strip_comment_marks(comment: str, *, rules: Rules) -> str:
    """The text of one or more comments of the C family, line by line without blanks around it.

    Args:
        comment: with its marks; where it begins with ``#``, all its lines do.
        rules: as released, a plain ``/*``, a third ``/`` and ``#`` stay.
    """
    mark = _RELEASED_MARK
    if rules == "as_meant":
        mark = _HASHES if comment.startswith("#") else _MARK
    return "\n".join(_strip_line(line, mark) for line in comment.split("\n")).strip()


def _strip_line(line: str, mark: re.Pattern[str]) -> str:
    line = line.strip().removesuffix("*/")
    found = mark.match(line)
    return line[found.end() if found else 0 :].strip()


def read_comment(comment: str, *, rules: Rules) -> tuple[str, str]:
    """The documentation that a comment of the C family is, and its summary."""
    docstring = strip_comment_marks(comment, rules=rules)
    return docstring, summarize(docstring)


def summarize(documentation: str) -> str:
    """The text up to the first line without text; else up to the first ``@``; else all of it."""
    blank = _BLANK_LINE.search(documentation)
    if blank:
        return documentation[: blank.start()].strip()
    return documentation.partition("@")[0].strip()


def tokenize_docstring(text: str) -> list[str]:
    """Runs of word characters, and runs of other characters that are no blanks."""
    return _TOKEN.findall(text)
