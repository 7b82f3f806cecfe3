"""Functions of JavaScript: each cell of the extraction table."""

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import Function

FILE = rb"""#!/usr/bin/env node
'use strict'

/**
 * Adds prices.
 *
 * @param {number} a one
 */
function add(a, b) {
  return a + b
}

// Twice the price.
// A line more.
var twice = function (a) {
  // Runs later.
  setTimeout(function later() { add(a, a) })
}

// Not of the next one.

// Half the price.
const half = function halve(a) { return a / 2 }

module.exports = {
  /* Shown. */
  show: function (a) { return String(a) },
  plain: function () { return 1 },
}

// Of no declaration.
exports.assigned = async function () { return 2 }

// Nor of an arrow, a generator or methods.
const arrow = (a) => a + 1
function* generate() { yield 1 }
class Price {
  // Not taken.
  cents() { return 1 }
  get now() { return 2 }
}

call(/* As argument. */ function () { return 3 })
"""


def functions(source: bytes = FILE) -> list[Function]:
    return parse_functions(source, "javascript").functions


def documentation(source: str) -> str:
    return functions(source.encode())[0].docstring


def test_declarations_and_expressions_anywhere_dev_125() -> None:
    assert [(one.identifier, one.start_line, one.end_line) for one in functions()] == [
        ("add", 9, 11),
        ("", 15, 18),
        ("later", 17, 17),
        ("halve", 23, 23),
        ("", 27, 27),
        ("", 28, 28),
        ("", 32, 32),
        ("", 43, 43),
    ]


def test_comments_before_a_function_or_what_holds_it() -> None:
    assert [(one.docstring, one.summary) for one in functions()] == [
        ("Adds prices.\n\n@param {number} a one", "Adds prices."),
        ("Twice the price. A line more.", "Twice the price. A line more."),
        ("", ""),
        ("Half the price.", "Half the price."),
        ("Shown.", "Shown."),
        ("", ""),
        ("", ""),
        ("As argument.", "As argument."),
    ]


@pytest.mark.parametrize("word", ["var", "let", "const"])
def test_the_declaration_holds_its_functions(word: str) -> None:
    source = f"// Two of them.\n{word} a = 1, b = function () {{ return a }}\n"
    assert documentation(source) == "Two of them."


def test_empty_lines_between_comment_and_function() -> None:
    assert documentation("// Far.\n\n\nfunction a() { return 1 }\n") == "Far."


def test_a_plain_opening_stays_as_released() -> None:
    (function,) = parse_functions(
        b"/* A. */\nfunction a() { return 1 }\n", "javascript", rules="as_released"
    ).functions
    assert function.docstring == "/* A."


@pytest.mark.parametrize("name", ["toString", "toLocaleString", "valueOf"])
def test_names_that_are_dropped(name: str) -> None:
    source = f"function {name}() {{ return 1 }}\nx = {{ {name}: function () {{ return 2 }} }}\n"
    parsed = parse_functions(source.encode(), "javascript")
    assert [function.start_line for function in parsed.functions] == [2]
    assert parsed.dropped == {"name": 1}


def test_functions_inside_have_their_part_of_the_tokens() -> None:
    tokens = {one.start_line: one.code_tokens for one in functions()}
    inside = ["function", "later", "(", ")", *"{ add ( a , a ) }".split()]
    assert tokens[17] == inside
    assert tokens[15] == [
        *("function", "(", "a", ")", "{", "// Runs later.", "setTimeout", "(", *inside, ")", "}")
    ]


def test_tokens_of_literals_dev_127() -> None:
    source = rb"""function a() { return "b\n c" + 'd' + `e ${f + "g"} h` + /[/]i j/g + 0x1F }"""
    assert functions(source)[0].code_tokens == [
        *("function", "a", "(", ")", "{", "return", r'"b\n c"', "+", "'d'", "+"),
        *("`", "e", "${", "f", "+", '"g"', "}", "h", "`", "+"),
        *("/", "[/]i j", "/", "g", "+", "0x1F", "}"),
    ]
