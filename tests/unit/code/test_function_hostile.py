"""Files that are hostile: none of any language raises."""

from collections.abc import Mapping

import pytest

from ncsbench.code.functions.function_parser import (
    MAXIMUM_AROUND,
    MAXIMUM_COMMENT,
    parse_functions,
)

DEEP = 5_000
PARTS: Mapping[str, tuple[str, str]] = {
    "go": ("package a\nfunc f() int {\n\treturn ", "\n}\n"),
    "java": ("class A {\n  int f() {\n    return ", ";\n  }\n}\n"),
    "javascript": ("function f() {\n  return ", ";\n}\n"),
    "php": ("<?php\nclass A {\n  function f() {\n    return ", ";\n  }\n}\n"),
    "python": ("def f():\n    return ", "\n"),
    "ruby": ("module M\n  class A\n    def f\n      return ", "\n    end\n  end\nend\n"),
}
"""What stands before an expression of a function, and what after it."""
NESTING: Mapping[str, tuple[str, str]] = {
    "go": ("func() int { return ", " }()"),
    "java": ("new A() { int g() { return ", "; } }.g()"),
    "javascript": ("function() { return ", "; }"),
    "php": ("new class { function g() { return ", "; } }"),
    "python": ("lambda: ", ""),
    "ruby": ("proc { ", " }"),
}
"""An expression that is a function, or has one inside."""


def wrap(language: str, expression: str) -> bytes:
    return expression.join(PARTS[language]).encode()


at_hand = pytest.mark.parametrize("language", PARTS)


@at_hand
def test_an_expression_nested_deeply(language: str) -> None:
    source = wrap(language, "(" * DEEP + "1" + ")" * DEEP)
    (function,) = parse_functions(source, language).functions
    assert len(function.code_tokens) > 2 * DEEP
    parse_functions(wrap(language, "[" * DEEP + "]" * DEEP), language)


@pytest.mark.parametrize(
    ("language", "scope"),
    [("javascript", "function a() { "), ("python", "class A: "), ("ruby", "module A\n")],
)
def test_scopes_inside_each_other(language: str, scope: str) -> None:
    functions = parse_functions((scope * DEEP).encode(), language).functions
    assert len(functions) <= MAXIMUM_AROUND + 1


@at_hand
def test_functions_nested_deeply_dev_122(language: str) -> None:
    opening, closing = NESTING[language]
    parsed = parse_functions(wrap(language, opening * DEEP + "1" + closing * DEEP), language)
    assert parsed.functions
    assert sum(len(one.code) for one in parsed.functions) < 100 * DEEP * len(opening + closing)


OPENINGS = [
    *("(", "{", "[", '"', "/*", "if (a) ", "- ", "'", "`", "`${", "/", "<a>", '"""', 'f"{', '"#{'),
    *("<<END\n", "<<A + <<B\n", "%w(", "=begin\n"),
]


@at_hand
@pytest.mark.parametrize("around", OPENINGS)
def test_what_is_never_closed(language: str, around: str) -> None:
    count = 1_000 if "\n" in around else DEEP
    for source in (wrap(language, around * count), (PARTS[language][0] + around).encode()):
        parse_functions(source, language)


@pytest.mark.parametrize(
    ("language", "unit"),
    [
        ("go", "-> -> "),
        ("java", "~ ] "),
        ("javascript", "+ - , function \\ "),
        ("php", "~ , "),
        ("python", "+ , -> ? = "),
        ("ruby", "! ) "),
    ],
)
def test_a_file_on_which_the_parser_would_take_hours_is_given_up_dev_122(
    language: str, unit: str
) -> None:
    parsed = parse_functions(wrap(language, unit * 2_500), language)
    assert (parsed.functions, dict(parsed.dropped)) == ([], {"parser gave up": 1})
    assert parsed.has_errors
    # The next file knows nothing of it.
    assert parse_functions(wrap(language, "1 + 1"), language).functions


@at_hand
def test_bytes_of_all_kinds(language: str) -> None:
    every = bytes(range(256))
    parse_functions(every * 20, language)
    parse_functions(wrap(language, "@").replace(b"@", every), language)
    parse_functions(wrap(language, '"@"').replace(b"@", b"\xff\xfe\0"), language)


@at_hand
@pytest.mark.parametrize(
    "source",
    [
        *(b"", b"\0", b"\n" * 100, b'"' + b"a" * 100_000, b"\xef\xbb\xbf"),
        *(b"\xff\xfe" * 500, bytes(range(256)) * 40),
    ],
)
def test_files_without_functions(language: str, source: bytes) -> None:
    assert parse_functions(source, language).functions == []


@at_hand
def test_a_long_line(language: str) -> None:
    parsed = parse_functions(wrap(language, "f(1" + ", 1" * 30_000 + ")"), language)
    (function,) = parsed.functions
    assert len(function.code_tokens) > 60_000
    (function,) = parse_functions(wrap(language, f'"{"a" * 1_000_000}"'), language).functions
    assert max(map(len, function.code_tokens)) == 1_000_002


@pytest.mark.parametrize("language", ["javascript", "python", "ruby"])
@pytest.mark.parametrize("line", ["x" * 10_000_000, " " * 10_000_000, f'"{"x" * 10_000_000}"'])
def test_a_line_of_ten_million_bytes(language: str, line: str) -> None:
    source = wrap(language, "1") + b"\n" + line.encode()
    assert [one.name for one in parse_functions(source, language).functions] == ["f"]


def test_many_functions_with_comments_in_one_place() -> None:
    many = 20_000
    pairs = b"x = {" + b"/* a */ b: function () { return 1 }," * many + b"}"
    declared = b"var a = 1" + b", /* a */ b = function () { return 1 }" * many
    for source in (pairs, declared):
        assert len(parse_functions(source, "javascript").functions) == many


@pytest.mark.parametrize("line", [b"    # a", b"# a", b"    \\", b"    # a\n\n"])
def test_comments_of_many_lines_are_empty_lines_dev_126(line: bytes) -> None:
    source = b"def a():\n    return 1\n" + (line + b"\n") * 300_000 + wrap("python", "1")
    functions = parse_functions(source, "python").functions
    lines = [(one.name, one.start_line, one.end_line) for one in functions]
    first = source.count(b"\n") - 1
    assert lines == [("a", 1, 2), ("f", first, first + 1)]


def test_comments_of_fewer_lines_are_kept() -> None:
    source = b"def a():\n    b()\n" + b"    # c\n" * MAXIMUM_COMMENT + b"    return 1\n"
    (function,) = parse_functions(source, "python").functions
    assert function.code_tokens.count("# c") == MAXIMUM_COMMENT
