from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.languages.java_methods import parse_methods
from ncsbench.languages.java_snippet_items import MAXIMUM_CHARACTERS, find_snippet_items
from ncsbench.records import ItemKind

METHOD = """void close() {
    // Nobody waits
    log("is closed", Level.WARN);
    return new Door(R.id.door);
}"""


def found(code: str) -> list[tuple[str, str]]:
    kinds, texts = find_snippet_items(code)
    return [(ItemKind(kind).name, text) for kind, text in zip(kinds, texts, strict=True)]


def test_a_method_has_the_items_of_the_corpus_without_its_class_dev_61() -> None:
    (method,) = parse_methods(f"class House {{ {METHOD} }}".encode()).methods
    expected = [
        (ItemKind(kind).name, text)
        for kind, text in zip(method.kinds, method.texts, strict=True)
        if kind != ItemKind.CLASS_NAME
    ]
    assert found(METHOD) == expected


def test_statements_members_and_files_are_read_dev_61() -> None:
    assert found('String s = door.name("x");') == [("INVOCATION", "name"), ("STRING", "x")]
    assert found("int a = f();\nvoid g() { h(); }") == [
        ("METHOD_NAME", "g"),
        ("INVOCATION", "f"),
        ("INVOCATION", "h"),
    ]
    file = f"package a.b;\nimport a.MAX_SIZE;\npublic class House {{ {METHOD} Door d = open(); }}"
    names = [("CLASS_NAME", "House"), ("METHOD_NAME", "close")]
    assert found(file) == [*names, *found(METHOD)[1:], ("INVOCATION", "open")]


def test_what_no_parser_reads_is_read_by_signs_dev_61() -> None:
    assert ("INVOCATION", "setText") in found("...\nview.setText(name)\n...")
    assert found("only prose, nothing else") == []
    assert found("") == []


def test_the_wrapper_gives_no_item() -> None:
    assert found("int a = 1;") == []
    assert found("void f() { }") == [("METHOD_NAME", "f")]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='ab(){}<>;."/*\\@\n\0é $=,[]', max_size=80))
def test_no_text_raises(code: str) -> None:
    kinds, texts = find_snippet_items(code)
    assert len(kinds) == len(texts)


@pytest.mark.parametrize("piece", ["(", "f(", "new A(){void m(){", '"', "class A{", "@A("])
def test_hostile_nesting_ends(piece: str) -> None:
    # Seconds without the limit on the length; the parser and its callers use no recursion.
    find_snippet_items(piece * MAXIMUM_CHARACTERS)
