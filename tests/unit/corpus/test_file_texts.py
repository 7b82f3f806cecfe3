"""Hashes and packages of Java files, by which copies are told."""

import pytest

from ncsbench.corpus.layout.ledger_schema import FILE_TEXT_FIELDS
from ncsbench.corpus.methods.file_extraction import describe_text


def describe(text: str) -> list[str | None]:
    described = describe_text(text.encode(), text)
    assert list(described) == [field.name for field in FILE_TEXT_FIELDS]
    return list(described.values())


def test_a_copy_with_other_white_space_has_the_same_text_and_other_bytes() -> None:
    one, other = describe("class A {\n  int a;\n}\n"), describe("class A {\r\n\tint a; }")
    assert one[0] != other[0]
    assert one[1] == other[1]
    assert describe("class A { int b; }")[1] != one[1]
    assert [len(cell or "") for cell in one[:2]] == [16, 16]


@pytest.mark.parametrize(
    ("text", "package"),
    [
        ("package a.b_1.c;\nclass A {}", "a.b_1.c"),
        ("/* package no;\n * package no.no;\n */\n\t package  a ; // package b;", "a"),
        ('// package no;\nimport x.y;\nclass A { String s = "package no;"; }', None),
        ("", None),
        ("\n" * 100_000 + " " * 100_000, None),
        ("package größe.straße;", "größe.straße"),
    ],
)
def test_the_package_is_the_declared_one(text: str, package: str | None) -> None:
    assert describe(text)[2] == package
