"""The languages whose functions are known, and the record of a function in any of them.

A language is a module and a row here (docs/codesearchnet.md).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, cast

from ncsbench.code.java.java_terms import RESERVED
from ncsbench.errors import ConfigurationError, nearest

if TYPE_CHECKING:
    from tree_sitter import Language, Node

Rules = Literal["as_meant", "as_released"]
"""Treatment of errors of the released code: ``as_meant`` does what is right, ``as_released`` what
the released program does."""

GAVE_UP = "parser gave up"
"""Reason of a file without functions, since the parser takes too many steps on it (DEV-122)."""


@dataclass(frozen=True)
class FoundFunction:
    """One function of a tree, as the module of its language finds it.

    Attributes:
        node: its first and last line are the function's, its text is the code.
        name: unqualified; empty where it has none.
        identifier: the name as released, such as ``Class.method``.
        docstring: its documentation without comment marks or quotes; empty where it has none.
        summary: the first paragraph of the documentation.
        dropped: why the rules of the language leave it out; empty for a function that stays.
        without: nodes inside whose leaves are no tokens of the code, such as Python's docstring.
        last: the last node of the function, if it ends before ``node``; else None.
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
        dropped: number of functions that were left out, by reason.
        has_errors: whether the file has syntax errors.
        has_deep_types: whether a part of it was read as blanks (DEV-183); ``code`` has that part.
    """

    functions: list[Function]
    dropped: Mapping[str, int]
    has_errors: bool
    has_deep_types: bool = False


class LanguageModule(Protocol):
    """The interface of the module of a language.

    Attributes:
        GRAMMAR: grammar of tree-sitter.
        WHOLE: types of the nodes that are one token although they may have children: strings,
            comments and the like.
    """

    GRAMMAR: Language
    WHOLE: frozenset[str]

    def find_functions(self, root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
        """The functions of a file in text order, also those that the rules leave out."""
        ...


@dataclass(frozen=True)
class FunctionLanguage:
    """A language whose functions are known.

    Attributes:
        name: in files and commands, such as ``go``.
        title: as the annotations write it, such as ``Go``.
        suffixes: of the names of its files.
        path_words: a file is skipped where its lower-cased path contains one.
        keywords: reserved words; near-duplicate detection compares all other identifiers.
        module: its module; ``load`` imports it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    path_words: tuple[str, ...]
    keywords: frozenset[str]
    module: str

    def load(self) -> LanguageModule:
        """The module of the language, with its grammar."""
        return cast("LanguageModule", importlib.import_module(self.module))  # noqa: TID251

    def refuse_path(self, path: str) -> str:
        """Give the reason to skip a file for a word in its path; empty without such a word."""
        lowered = path.lower()
        return next((f"path word ({word})" for word in self.path_words if word in lowered), "")


def find_language(name: str) -> FunctionLanguage:
    """The language with a name.

    Raises:
        ConfigurationError: for a language that is not known.
    """
    if name not in LANGUAGES:
        raise ConfigurationError(f"unknown language {name!r}; {nearest(name, list(LANGUAGES))}")
    return LANGUAGES[name]


_GO = """
break case chan const continue default defer else fallthrough for func go goto if import interface
map package range return select struct switch type var
"""
_JAVASCRIPT = """
await break case catch class const continue debugger default delete do else enum export extends
false finally for function if implements import in instanceof interface let new null package private
protected public return static super switch this throw true try typeof var void while with yield
"""
_PHP = """
__halt_compiler abstract and array as break callable case catch class clone const continue declare
default die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile eval
exit extends final finally fn for foreach function global goto if implements include include_once
instanceof insteadof interface isset list match namespace new or print private protected public
readonly require require_once return static switch throw trait try unset use var while xor yield
"""
_PYTHON = """
False None True and as assert async await break class continue def del elif else except finally for
from global if import in is lambda nonlocal not or pass raise return try while with yield
"""
_RUBY = """
BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined do else elsif
end ensure false for if in module next nil not or redo rescue retry return self super then true
undef unless until when while yield
"""


def _row(
    name: str, title: str, suffix: str, path_words: tuple[str, ...], keywords: Iterable[str]
) -> FunctionLanguage:
    module = f"ncsbench.code.functions.{name}_functions"
    return FunctionLanguage(name, title, (suffix,), path_words, frozenset(keywords), module)


LANGUAGES = {
    row.name: row
    for row in (
        _row("go", "Go", ".go", ("test", "vendor"), _GO.split()),
        _row("java", "Java", ".java", ("test", "tests"), RESERVED),
        _row("javascript", "JavaScript", ".js", ("test", "node_modules"), _JAVASCRIPT.split()),
        _row("php", "PHP", ".php", ("test", "tests"), _PHP.split()),
        _row("python", "Python", ".py", ("test",), _PYTHON.split()),
        _row("ruby", "Ruby", ".rb", ("test", "vendor"), _RUBY.split()),
    )
}
"""The six languages of CodeSearchNet in the order of the paper's tables; path words as released."""
