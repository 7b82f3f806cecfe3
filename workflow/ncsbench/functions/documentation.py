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
_MARKS = ("*", "/**", "//")


def strip_comment_marks(comment: str, *, rules: Rules) -> str:
    """The text of one or more comments of the C family, line by line without blanks around it.

    Args:
        comment: with its marks.
        rules: as released, a plain ``/*`` stays.
    """
    marks = _MARKS if rules == "as_released" else (*_MARKS, "/*")
    return "\n".join(_strip_line(line, marks) for line in comment.split("\n")).strip()


def _strip_line(line: str, marks: tuple[str, ...]) -> str:
    line = line.strip().removesuffix("*/")
    for mark in marks:
        if line.startswith(mark):
            return line.removeprefix(mark).strip()
    return line.strip()


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
