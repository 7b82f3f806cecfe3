"""Files that are hostile: none of any language raises."""

from collections.abc import Mapping

import pytest

from ncsbench.code.functions.function_parser import find_spans, parse_functions

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


@at_hand
def test_functions_nested_deeply_dev_122(language: str) -> None:
    opening, closing = NESTING[language]
    parsed = parse_functions(wrap(language, opening * DEEP + "1" + closing * DEEP), language)
    assert parsed.functions
    assert sum(len(one.code) for one in parsed.functions) < 100 * DEEP * len(opening + closing)


@at_hand
@pytest.mark.parametrize("around", ["(", "{", "[", '"', "/*", "if (a) ", "- "])
def test_what_is_never_closed(language: str, around: str) -> None:
    parse_functions(wrap(language, around * DEEP), language)


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
    assert not list(find_spans(wrap(language, unit * 2_500), language))
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
    "source", [b"", b"\0", b"\n" * 100, b'"' + b"a" * 100_000, b"\xef\xbb\xbf"]
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
