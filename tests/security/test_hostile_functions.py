"""Files that are meant to break the reading of functions."""

import pytest

from ncsbench.code.functions.function_parser import MAXIMUM_AROUND, MAXIMUM_COMMENT, parse_functions

DEEP = 5000
LONG = 10_000_000
FIRST = {
    "javascript": b"function first() { return 1 }\n",
    "python": b"def first():\n    return 1\n\n",
    "ruby": b"module A\n  class B\n    def first; 1 end\n  end\nend\n",
}
BEFORE_VALUE = {
    "javascript": b"function a() { return ",
    "python": b"def a():\n    return ",
    "ruby": b"module A\n  class B\n    def a; return ",
}
NESTED = {
    "javascript": b"function a() { ",
    "python": b"class A: ",
    "ruby": b"module A\n",
}
UNCLOSED = {
    "javascript": [b"'", b'"', b"`", b"`${", b"/*", b"/", b"<a>"],
    "python": [b"'", b'"', b'"""', b'f"{', b"("],
    "ruby": [b"'", b'"', b'"#{', b"<<END\n", b"<<A + <<B\n", b"%w(", b"/", b"=begin\n", b"`"],
}
LANGUAGES = list(FIRST)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("source", [b"", b"\n", b"\0", b"\xff\xfe" * 500, bytes(range(256)) * 40])
def test_bytes_that_are_no_code(language: str, source: bytes) -> None:
    assert parse_functions(source, language).functions == []
    functions = parse_functions(FIRST[language] + source, language)
    assert len(functions.functions) + functions.dropped.get("syntax error", 0) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_scopes_inside_each_other(language: str) -> None:
    functions = parse_functions(NESTED[language] * DEEP, language).functions
    assert len(functions) <= MAXIMUM_AROUND + 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("signs", [b"()", b"[]"])
def test_values_inside_each_other(language: str, signs: bytes) -> None:
    value = signs[:1] * DEEP + signs[1:] * DEEP
    source = FIRST[language] + BEFORE_VALUE[language] + value
    names = [function.name for function in parse_functions(source, language).functions]
    assert set(names) <= {"first", "a"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_openings_without_end(language: str) -> None:
    for opening in UNCLOSED[language]:
        for source in (opening, opening * 1000):
            parse_functions(BEFORE_VALUE[language] + source, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sign", [b"x", b" ", b'"'])
def test_a_line_of_ten_million_bytes(language: str, sign: bytes) -> None:
    line = b'"' + b"x" * LONG + b'"' if sign == b'"' else sign * LONG
    source = FIRST[language] + b"\n" + line
    functions = parse_functions(source, language).functions
    assert [function.name for function in functions] == ["first"]


def test_many_functions_with_comments_in_one_place() -> None:
    many = 20_000
    pairs = b"x = {" + b"/* a */ b: function () { return 1 }," * many + b"}"
    declared = b"var a = 1" + b", /* a */ b = function () { return 1 }" * many
    for source in (pairs, declared):
        assert len(parse_functions(source, "javascript").functions) == many


@pytest.mark.parametrize("line", [b"    # a", b"# a", b"    \\", b"    # a\n\n"])
def test_comments_of_many_lines_are_empty_lines_dev_126(line: bytes) -> None:
    source = b"def a():\n    return 1\n" + (line + b"\n") * 300_000 + FIRST["python"]
    functions = parse_functions(source, "python").functions
    lines = [(one.name, one.start_line, one.end_line) for one in functions]
    first = source.count(b"\n") - 2
    assert lines == [("a", 1, 2), ("first", first, first + 1)]


def test_comments_of_fewer_lines_are_kept() -> None:
    source = b"def a():\n    b()\n" + b"    # c\n" * MAXIMUM_COMMENT + b"    return 1\n"
    (function,) = parse_functions(source, "python").functions
    assert function.code_tokens.count("# c") == MAXIMUM_COMMENT
