"""What holds for the functions of all languages."""

import pytest

from ncsbench.code.functions.function_parser import parse_functions

GO = b"""package a

// Add adds.
func Add(a, b int) int {
\treturn a + len("b c") // sum
}
"""


def test_a_function_of_a_file() -> None:
    parsed = parse_functions(GO, "go")
    assert not parsed.has_errors
    assert dict(parsed.dropped) == {}
    (function,) = parsed.functions
    assert (function.name, function.identifier) == ("Add", "Add")
    assert (function.start_line, function.end_line) == (4, 6)
    assert function.code.startswith("func Add(")
    assert function.code.endswith("// sum\n}")
    assert function.code_tokens == [
        *("func", "Add", "(", "a", ",", "b", "int", ")", "int", "{"),
        *("return", "a", "+", "len", "(", '"b c"', ")", "// sum", "}"),
    ]
    assert function.docstring == function.summary == "Add adds."
    assert function.docstring_tokens == ["Add", "adds", "."]


@pytest.mark.parametrize(
    "source",
    [
        GO.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GO,
        GO.replace(b"b c", b"b\xffc"),
        GO.replace(b"b c", b"b\0c"),
    ],
)
def test_bytes_that_are_no_plain_utf_8_keep_their_lines(source: bytes) -> None:
    (function,) = parse_functions(source, "go").functions
    assert (function.start_line, function.end_line) == (4, 6)
    assert function.name == "Add"


def test_broken_syntax_is_said() -> None:
    parsed = parse_functions(GO + b"func {{{ )", "go")
    assert parsed.has_errors
    assert [function.name for function in parsed.functions] == ["Add"]
