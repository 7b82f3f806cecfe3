"""Features of a method: tokens, parents, neighbours and uses of variables."""

from __future__ import annotations

from collections import Counter

import pytest

from ncsbench.judge.features import (
    NO_FEATURES,
    FeatureIndex,
    features_of_method,
    leaf_features,
)


def counts(statements: str) -> Counter[str]:
    return features_of_method(f"void m() {{ {statements} }}").counts


def test_all_features_of_a_small_method_dev_20() -> None:
    # {##} is passed over. Leaves: n, a, size, n.
    assert counts("n = a.size(); return n;") == {
        # tokens
        "#VAR": 3,
        "size": 1,
        # parents, at most three, with the position of the item that leads to the leaf
        "#=#1>#VAR": 1,
        "#;1>#VAR": 2,
        "#.#1>#VAR": 1,
        "#=#3>#VAR": 1,
        "#()1>size": 1,
        "#.#3>size": 1,
        "#=#3>size": 1,
        "return#;2>#VAR": 1,
        # neighbours, once for each end
        "#VAR>>#VAR": 2,
        "#VAR>>size": 2,
        "size>>#VAR": 2,
        # uses of n
        "#=#1>>>return#;2": 2,
    }


def test_the_two_earlier_uses_of_a_name_are_linked_dev_20() -> None:
    uses = {f: n for f, n in counts("f(a, 1); g(a, 2); h(1, a); -a;").items() if ">>>" in f}
    assert uses == {"#,#1>>>#,#1": 2, "#,#1>>>#,#3": 4, "#,#1>>>-#2": 2, "#,#3>>>-#2": 2}


def test_the_context_of_a_variable_before_a_point_is_the_name_behind_it() -> None:
    uses = [f for f in counts("a.b(); a.c = 1; a.<T>d();") if ">>>" in f]
    assert uses == ["b>>>c", "b>>>T", "c>>>T"]


def test_brackets_around_an_expression_are_passed_over_but_can_be_a_context() -> None:
    found = counts("if (a) f(a);")
    assert "(#)2>#VAR" not in found
    assert found["if##2>#VAR"] == 1
    assert found["(#)2>>>#(#)3"] == 2


@pytest.mark.parametrize("body", ["", "return null;", "return this;", ";", "{{}}"])
def test_a_body_without_leaf_has_a_record_without_features(body: str) -> None:
    features = features_of_method(f"void m() {{ {body} }}")
    assert not features.counts
    assert len(features.bodies) == 1


@pytest.mark.parametrize("code", ["C(int x) { f(); }", "void m();", "void m() {", "", "#!"])
def test_what_cannot_be_read_or_has_no_record_has_no_features_dev_23(code: str) -> None:
    assert features_of_method(code) == NO_FEATURES


def test_a_method_of_an_interface_is_read_as_a_member_of_a_class_dev_23() -> None:
    assert features_of_method("default void m() { f(); }").counts == counts("f();")


def test_the_leaves_own_all_features() -> None:
    features = features_of_method(
        "void m() { for (int i = 0; i < n; i++) { s += a[i].b(c -> c.d, i); } return; }"
    )
    assert Counter(feature for leaf in features.leaves for feature in leaf) == features.counts
    assert len(features.leaves) == 13


def test_pruned_trees_keep_positions_and_join_what_is_left() -> None:
    body = features_of_method("void m() { f(a, 1, b); g(a.c, a); }").bodies[0]
    # Leaves: f a 1 b g a c a; the first use of a in the second call loses its name.
    kept = leaf_features(body, {1, 3, 5, 7})
    assert len(kept) == 4
    assert kept[1] == [
        "#VAR",
        "#,#,#5>#VAR",
        "#(#)3>#VAR",
        "#;1>#VAR",
        "#VAR>>#VAR",
        "#VAR>>#VAR",
    ]
    uses = [feature for leaf in kept for feature in leaf if ">>>" in feature]
    assert uses == ["#,#,#1>>>#,#3"] * 2


def test_a_long_label_does_not_make_every_feature_long() -> None:
    features = features_of_method(f"int[] m() {{ return new int[] {{ {'1, ' * 5000} }}; }}")
    assert len(features.leaves) == 5000
    assert max(map(len, features.counts)) < 100


def test_an_index_knows_only_what_was_added() -> None:
    index = FeatureIndex()
    assert index.add({"a": 2, "b": 1}) == {0: 2, 1: 1}
    assert index.add({"c": 1, "a": 5}) == {2: 1, 0: 5}
    assert index.known({"b": 3, "z": 9}) == {1: 3}
    assert len(index) == 3


@pytest.mark.parametrize(
    "statement",
    [
        "var x = switch (a) { case 1 -> f(); case 2, 3 -> { yield 1; } default -> throw e; };",
        "if (o instanceof A a && o instanceof R(int b, var c)) {}",
        "record R<T>(int x, T... y) implements I { R { f(); } static int z; }",
        'String s = """\n text \\{x} """;',
        "try (x; this.y) {} catch (E _) {}",
        "x = new @A int @B [1]; y = (A & B) z; f = Outer.super::m;",
    ],
)
def test_methods_in_later_java_have_features_too_dev_23(statement: str) -> None:
    assert counts(statement)
