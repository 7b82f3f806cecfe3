"""The languages whose definitions are found, one row each: its files, its grammar, its query.

A query of tree-sitter captures each definition as ``@function`` or ``@type`` with its ``@name``.
``@scope`` is a name that the definition belongs to where no type is around it, such as the receiver
of a method of Go; ``@documentation`` is documentation inside the definition.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser, Query


@dataclass(frozen=True)
class CodeLanguage:
    """A language whose definitions are found.

    Attributes:
        title: its name for people, such as ``TypeScript``.
        suffixes: of the names of its files.
        grammar: package of its grammar, and the function of the package that gives it.
        query: captures of its definitions, in tree-sitter's language of queries.
    """

    title: str
    suffixes: tuple[str, ...]
    grammar: tuple[str, str]
    query: str

    def make_parser(self) -> tuple[Parser, Query]:
        """Return the parser and the query, which are made once."""
        return _make_parser(self)


@cache
def _make_parser(language: CodeLanguage) -> tuple[Parser, Query]:
    from tree_sitter import Language, Parser, Query

    package, function = language.grammar
    grammar = Language(getattr(importlib.import_module(package), function)())  # noqa: TID251
    return Parser(grammar), Query(grammar, language.query)


_GO = """
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @scope
  (generic_type type: (_) @scope)
  (pointer_type [(type_identifier) @scope (generic_type type: (_) @scope)])
])) name: (_) @name) @function
[(type_spec name: (_) @name) (type_alias name: (_) @name)] @type
"""
# Methods with a body are the corpus extraction's.
_JAVA = """
(method_declaration name: (_) @name !body) @function
[(constructor_declaration name: (_) @name) (compact_constructor_declaration name: (_) @name)]
  @function
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name)
 (enum_declaration name: (_) @name) (record_declaration name: (_) @name)
 (annotation_type_declaration name: (_) @name)] @type
"""
_VALUES = "[(arrow_function) (function_expression) (generator_function)]"
_JAVASCRIPT = f"""
[(function_declaration name: (_) @name) (generator_function_declaration name: (_) @name)
 (method_definition name: (_) @name)] @function
(class_declaration name: (_) @name) @type
(variable_declarator name: (identifier) @name value: {_VALUES}) @function
(variable_declarator name: (identifier) @name value: (class)) @type
(assignment_expression left: (identifier) @name right: {_VALUES}) @function
(assignment_expression left: (member_expression object: (_) @scope property: (_) @name)
  right: {_VALUES}) @function
(pair key: (property_identifier) @name value: {_VALUES}) @function
"""
_TYPESCRIPT = f"""
{_JAVASCRIPT}
(public_field_definition name: (_) @name value: {_VALUES}) @function
[(function_signature name: (_) @name) (method_signature name: (_) @name)
 (abstract_method_signature name: (_) @name)] @function
[(abstract_class_declaration name: (_) @name) (interface_declaration name: (_) @name)
 (type_alias_declaration name: (_) @name) (enum_declaration name: (_) @name)
 (internal_module name: (_) @name)] @type
(program (lexical_declaration (variable_declarator name: (identifier) @name
  value: [(call_expression) (object) (new_expression)]) @type))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name
  value: [(call_expression) (object) (new_expression)]) @type)))
"""
_KOTLIN = """
(function_declaration name: (_) @name) @function
[(class_declaration name: (_) @name) (object_declaration name: (_) @name)
 (type_alias type: (_) @name)] @type
(source_file (property_declaration (variable_declaration . (identifier) @name)) @type)
"""
_PHP = """
[(function_definition name: (_) @name) (method_declaration name: (_) @name)] @function
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name)
 (trait_declaration name: (_) @name) (enum_declaration name: (_) @name)] @type
"""
_PYTHON = """
(function_definition name: (_) @name
  body: (block . (expression_statement . (string) @documentation)?)) @function
(class_definition name: (_) @name
  body: (block . (expression_statement . (string) @documentation)?)) @type
"""
_RUBY = """
[(method name: (_) @name) (singleton_method name: (_) @name)] @function
[(class name: (_) @name) (module name: (_) @name)] @type
"""

LANGUAGES = (
    CodeLanguage("Go", (".go",), ("tree_sitter_go", "language"), _GO),
    CodeLanguage("Java", (".java",), ("tree_sitter_java", "language"), _JAVA),
    CodeLanguage(
        "JavaScript",
        (".js", ".mjs", ".cjs", ".jsx"),
        ("tree_sitter_javascript", "language"),
        f"{_JAVASCRIPT}\n(field_definition property: (_) @name value: {_VALUES}) @function",
    ),
    CodeLanguage("Kotlin", (".kt", ".kts"), ("tree_sitter_kotlin", "language"), _KOTLIN),
    CodeLanguage("PHP", (".php",), ("tree_sitter_php", "language_php"), _PHP),
    CodeLanguage("Python", (".py", ".pyi"), ("tree_sitter_python", "language"), _PYTHON),
    CodeLanguage("Ruby", (".rb",), ("tree_sitter_ruby", "language"), _RUBY),
    CodeLanguage(
        "TypeScript",
        (".ts", ".mts", ".cts"),
        ("tree_sitter_typescript", "language_typescript"),
        _TYPESCRIPT,
    ),
    CodeLanguage("TypeScript", (".tsx",), ("tree_sitter_typescript", "language_tsx"), _TYPESCRIPT),
)
"""The languages; TypeScript has a second row, since markup in it (TSX) has a grammar of its own."""
TITLES = tuple(dict.fromkeys(row.title for row in LANGUAGES))
"""The names of the languages for people, each once."""
_BY_SUFFIX = {suffix: row for row in LANGUAGES for suffix in row.suffixes}


def find_language_of(path: str) -> CodeLanguage | None:
    """Return the language of a file by the end of its name; None for a file that is not read."""
    name = path.rpartition("/")[2]
    return _BY_SUFFIX.get(name[name.rfind(".") :])
