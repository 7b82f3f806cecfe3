"""Functions of Python: each cell of the extraction table."""

import ast
import warnings

import pytest

from ncsbench.code.functions.function_parser import parse_functions
from ncsbench.code.functions.registry import Function, Rules

FILE = b'''"""A module."""

import functools


def add(a, b=1):
    """Add prices.

    They may be negative.
    """
    def inside():
        """Not taken."""
    return a + b


@functools.cache
async def cached(a: int) -> int:
    # Before the docstring.
    'Cached. @ once'
    return a


class Price(Base):
    """A price."""

    cents = 0

    def show(self):
        print(self.cents)  # the last line
    # of the class

    @property
    def twice(self):
        "Twice."
        return 2 * self.cents

    class Inside:
        def nested(self):
            return 1


@decorated
class Decorated:
    def method(self):
        return 1


if True:
    def conditional():
        return 1
'''


def functions(source: bytes = FILE, rules: Rules = "as_meant") -> list[Function]:
    return parse_functions(source, "python", rules=rules).functions


def documentation(body: str, rules: Rules = "as_meant") -> str:
    (function,) = functions(f"def a():\n    {body}\n    return 1\n".encode(), rules)
    return function.docstring


def test_functions_of_the_top_level_and_of_its_classes() -> None:
    assert [(one.name, one.identifier, one.start_line, one.end_line) for one in functions()] == [
        ("add", "add", 6, 13),
        ("cached", "cached", 17, 20),
        ("show", "Price.show", 28, 29),
        ("twice", "Price.twice", 33, 35),
        ("method", "Decorated.method", 44, 45),
    ]


def test_the_docstring() -> None:
    assert [(one.docstring, one.summary) for one in functions()] == [
        ("Add prices.\n\n    They may be negative.", "Add prices."),
        ("Cached. @ once", "Cached."),
        ("", ""),
        ("Twice.", "Twice."),
        ("", ""),
    ]


def test_the_first_statement_that_is_a_string_is_the_docstring_as_released_dev_221() -> None:
    assert documentation("b = 1\n    'Late.'\n    'Later.'", "as_released") == "Late."
    assert documentation("'One ' 'two'", "as_released") == ""
    assert documentation("f'Of {b}'", "as_released") == "f'Of {b}"


@pytest.mark.parametrize(
    "body",
    [
        *("b = 1\n    'Late.'", "import b; 'Late.'", "b'Bytes.'", "rb'Bytes.'", "Br'Bytes.'"),
        *("f'Of {b}'", "F'Of none'", "rf'Of {b}'", "'One ' f'{b}'", "('One ' b'two')", "'a', 'b'"),
        *("('a',)", "'a' % b", "'a'.b()", "'a' if b else 'c'", "'a' + 'b'", "b = 'a'", "[]", "..."),
        *(
            "'One ' 'two'",
            "('One')",
            "((\n    'One'  # c\n    ))",
            "('One '\n     'two')",
            "u'One'",
        ),
        *("# First.\n    'One'", "'One'; b = 1", "R'One \\d'", "'One \\\\d'", "'One \\d'", "''"),
        *('"""\'One\' more."""', "'''\"One\"'''", "'He, \"One\"'", "'\\'One\\' more'"),
        *('"""One \\"more\\""""', "'One\\ntwo'", "'\\u00e9\\N{BULLET}'", "'One \\\n    two'"),
    ],
)
def test_the_docstring_is_that_of_the_language_dev_221(body: str) -> None:
    source = f"def a(b):\n    {body}\n    return 1\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "b'two'" in body or "rb" in body:
            expected = ""
        else:
            definition = ast.parse(source).body[0]
            assert isinstance(definition, ast.FunctionDef)
            expected = ast.get_docstring(definition, clean=False) or ""
    (function,) = functions(source.encode())
    assert function.docstring == expected.strip()
    if expected:
        assert "One" not in "".join(function.code_tokens)


def test_a_docstring_of_python_2_or_with_half_a_character_is_read_as_written_dev_221() -> None:
    assert documentation("ur'Old \\d.'") == "Old \\d."
    assert documentation("'Half \\ud800.'") == "Half \\ud800."
    assert documentation("'No \\N{such} name.'") == "No \\N{such} name."
    assert documentation("'A\\0b'") == "A b"


@pytest.mark.parametrize("decorator", ["a", "a.b", "a(1)", "a\n@b(c=2)"])
def test_methods_of_decorated_classes_dev_222(decorator: str) -> None:
    source = f"@{decorator}\nclass A:\n    @c\n    def d(self):\n        'E.'\n        return 1\n"
    parsed = parse_functions(source.encode(), "python")
    assert [(one.identifier, one.docstring) for one in parsed.functions] == [("A.d", "E.")]
    released = parse_functions(source.encode(), "python", rules="as_released")
    assert (released.functions, dict(released.dropped)) == ([], {"decorated class": 1})


def test_prefix_and_quotes_dev_128() -> None:
    assert documentation('r"""Raw."""') == documentation("U'Raw.'") == "Raw."
    assert documentation('r"""Raw."""', "as_released") == 'r"""Raw.'
    assert documentation('"""Plain."""', "as_released") == "Plain."


def test_names_with_two_underscores_are_dropped_as_meant_dev_128() -> None:
    source = (
        b"class A:\n    def __init__(self):\n        self.b = 1\n\ndef __c__():\n    return 1\n"
    )
    parsed = parse_functions(source, "python")
    assert [function.identifier for function in parsed.functions] == ["__c__"]
    assert parsed.dropped == {"name": 1}
    assert [one.identifier for one in functions(source, "as_released")] == ["A.__init__", "__c__"]


@pytest.mark.parametrize("body", ["pass", "raise NotImplementedError", "pass  # yet"])
def test_a_body_that_begins_with_pass_or_raise_is_dropped(body: str) -> None:
    parsed = parse_functions(f"def a():\n    {body}\n    b()\n".encode(), "python")
    assert (parsed.functions, parsed.dropped) == ([], {"empty": 1})


@pytest.mark.parametrize("first", ['"""Said."""', "# Said."])
def test_a_body_that_begins_with_words_is_not_empty(first: str) -> None:
    assert len(functions(f"def a():\n    {first}\n    pass\n".encode())) == 1


def test_comments_after_the_last_statement_are_no_part_dev_126() -> None:
    body = "def a(b):\n    if b:\n        c()  # now\n"
    source = body + "        # d()\n    # e()\n\n    # f()\n\ndef g():\n    return 1\n    # h()"
    first, second = functions(source.encode())
    assert (first.code, first.end_line) == (body.rstrip(), 3)
    assert first.code_tokens[-4:] == ["c", "(", ")", "# now"]
    assert (second.start_line, second.end_line, second.code_tokens[-1]) == (9, 10, "1")


def test_the_docstring_is_no_token() -> None:
    tokens = functions()[1].code_tokens
    assert tokens == [
        *("async", "def", "cached", "(", "a", ":", "int", ")", "->", "int", ":"),
        *("# Before the docstring.", "return", "a"),
    ]


def test_tokens_of_literals_dev_127() -> None:
    source = b"def a(b):\n    return rb'c d' f'{e} \\n' is not 1.5e3 + \\\n        b[...]\n"
    assert functions(source)[0].code_tokens == [
        *("def", "a", "(", "b", ")", ":", "return", "rb'c d'", "f'{e} \\n'"),
        *("is", "not", "1.5e3", "+", "b", "[", "...", "]"),
    ]
