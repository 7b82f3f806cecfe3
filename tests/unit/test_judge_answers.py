"""Reading answers: wrappings, what counts, and texts that are no Java."""

from __future__ import annotations

import pytest

from ncsbench.judge.answers import answer_records, features_of_answer
from ncsbench.judge.features import MAXIMUM_CHARACTERS, NO_FEATURES, features_of_method

UNIT = "import a.B;\npublic class D { private int x; void f() { g(); } }"


@pytest.mark.parametrize(
    ("answer", "wrapping", "methods"),
    [
        ("f(a);", "statements", ["m"]),
        ("", "statements", ["m"]),
        ("// a comment", "statements", ["m"]),
        ("class D { void f() {} }", "statements", ["m"]),
        ("@Override public void f() { g(); }\nint h() { return 1; }", "members", ["f", "h"]),
        ("private int x;\nvoid f() {}", "members", ["f"]),
        ("enum E { A }\nvoid f() {}", "members", ["f"]),
        (UNIT, "unit", ["f"]),
    ],
)
def test_the_first_wrapping_that_can_be_read_counts_dev_21(
    answer: str, wrapping: str, methods: list[str]
) -> None:
    read = answer_records(answer)
    assert read is not None
    assert read[0] == wrapping
    assert [record.name for record in read[1]] == methods


@pytest.mark.parametrize(
    ("answer", "wrapping"),
    [
        ("private int x = f();\nx.run();", "statements"),
        ("var y = switch (x) { case 1 -> f(); default -> g(); };", "statements"),
        ('@Test void f() { g("""\n  text\n  """); }', "members"),
        ("record P(int x) { int f() { return g(x); } }", "statements"),
        ("class D { void f() {} } import a.B;", "statements"),
    ],
)
def test_what_the_reference_refuses_is_read_in_a_second_try_dev_21(
    answer: str, wrapping: str
) -> None:
    read = answer_records(answer)
    assert read is not None
    assert read[0] == wrapping
    assert features_of_answer(answer) != NO_FEATURES


@pytest.mark.parametrize(
    "answer",
    [
        "f(a)",  # no semicolon
        "<uses-permission/>",
        "f(“a”);",
        "int a\0 = 1;",
        "{" * 1000,
    ],
)
def test_an_answer_under_no_wrapping_is_none_dev_21(answer: str) -> None:
    assert features_of_answer(answer) is None


def test_each_outermost_body_counts_once_dev_21() -> None:
    inner = "void f() { x.set(new L() { public void on() { g(1); } }); }"
    twice = features_of_answer(f"public {inner} public {inner}")
    once = features_of_method(inner)
    assert twice is not None
    assert twice.counts == {feature: 2 * count for feature, count in once.counts.items()}
    assert twice.leaves == once.leaves * 2


def test_lone_surrogates_and_deep_nesting_do_no_harm() -> None:
    assert features_of_answer('f("\ud800");') is not None
    assert features_of_answer("{" * 5000 + "f();" + "}" * 5000) is not None


def test_texts_above_the_limit_have_no_features_dev_25() -> None:
    """DEV-25: else one text of 10 MB would take minutes and gigabytes."""
    text = "f();" * (MAXIMUM_CHARACTERS // 4)
    assert features_of_method(f"void m() {{ {text} }}") == NO_FEATURES
    assert answer_records(text + ";") is None
