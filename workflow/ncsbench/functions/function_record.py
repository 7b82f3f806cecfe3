"""What is known of a function, whatever its language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from tree_sitter import Node

Rules = Literal["as_meant", "as_released"]
"""Where the released code errs: what is right, or what its program gives."""

GAVE_UP = "parser gave up"
"""Why a file has no functions on which the parser takes too many steps (DEV-122)."""


@dataclass(frozen=True)
class FoundFunction:
    """One function of a tree, as the module of its language finds it.

    Attributes:
        node: its first and last line are the function's, its text is the code.
        name: unqualified; empty where it has none.
        identifier: the name as released, such as ``Class.method``.
        docstring: its documentation without comment marks or quotes; empty where it has none.
        summary: the first paragraph of the documentation.
        dropped: why the rules of the language leave it out; empty for one that stays.
        without: nodes inside whose leaves are no tokens of the code, such as Python's docstring.
        last: where the function ends, if before the end of ``node``.
    """

    node: Node
    name: str
    identifier: str
    docstring: str
    summary: str
    dropped: str = ""
    without: tuple[Node, ...] = ()
    last: Node | None = None


@dataclass(frozen=True)
class Function:
    """One function.

    Attributes:
        name: unqualified; empty where it has none.
        identifier: the name as released, such as ``Class.method``; may be empty.
        start_line: its first line, from 1.
        end_line: its last line.
        code: its text.
        code_tokens: leaves of its tree in text order; a string is one, a comment inside is one.
        docstring: its documentation without comment marks or quotes; empty where it has none.
        summary: the first paragraph of the documentation.
        docstring_tokens: runs of word characters and of punctuation of the summary.
    """

    name: str
    identifier: str
    start_line: int
    end_line: int
    code: str
    code_tokens: list[str]
    docstring: str
    summary: str
    docstring_tokens: list[str]


@dataclass(frozen=True)
class ParsedFile:
    """The functions of a file.

    Attributes:
        functions: those that stay, in text order.
        dropped: how many were left out, by reason.
        has_errors: whether the file has syntax errors.
        has_deep_types: whether a part of it was read as blanks (DEV-183); ``code`` has that part.
    """

    functions: list[Function]
    dropped: Mapping[str, int]
    has_errors: bool
    has_deep_types: bool = False
