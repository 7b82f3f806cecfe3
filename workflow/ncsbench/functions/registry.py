"""The languages whose functions are known: a module and a row each (docs/add-a-language.md)."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from tree_sitter import Language, Node

    from ncsbench.functions.function_record import FoundFunction, Rules


class LanguageModule(Protocol):
    """What the module of a language has.

    Attributes:
        WHOLE: types of the nodes that are one token although they may have children: strings,
            comments and the like.
    """

    WHOLE: frozenset[str]

    def grammar(self) -> Language:
        """The tree-sitter grammar."""
        ...

    def find_functions(self, root: Node, *, rules: Rules) -> Iterator[FoundFunction]:
        """The functions of a file in text order, those included that the rules leave out."""
        ...


@dataclass(frozen=True)
class FunctionLanguage:
    """A language.

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

    def takes(self, path: str) -> bool:
        """Whether a file with this path is read for functions of the language."""
        lowered = path.lower()
        return lowered.endswith(self.suffixes) and not any(
            word in lowered for word in self.path_words
        )


def find_language(name: str) -> FunctionLanguage:
    """The language of a name.

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
_JAVA = """
abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native
new null package private protected public return short static strictfp super switch synchronized
this throw throws transient true try void volatile while
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
    name: str, title: str, suffix: str, path_words: tuple[str, ...], keywords: str
) -> FunctionLanguage:
    words = frozenset(keywords.split())
    module = f"ncsbench.functions.{name}_functions"
    return FunctionLanguage(name, title, (suffix,), path_words, words, module)


LANGUAGES = {
    row.name: row
    for row in (
        _row("go", "Go", ".go", ("test", "vendor"), _GO),
        _row("java", "Java", ".java", ("test", "tests"), _JAVA),
        _row("javascript", "JavaScript", ".js", ("test", "node_modules"), _JAVASCRIPT),
        _row("php", "PHP", ".php", ("test", "tests"), _PHP),
        _row("python", "Python", ".py", ("test",), _PYTHON),
        _row("ruby", "Ruby", ".rb", ("test", "vendor"), _RUBY),
    )
}
"""The six languages of CodeSearchNet in the order of the paper's tables; path words as released."""
