"""Features of a method: tokens, parents, neighbours and uses of variables."""

from collections import Counter

import numpy as np
import pytest

from ncsbench.code.aroma.features import (
    body_feature_ids,
    count_features,
    method_codes,
)
from ncsbench.code.aroma.trees import TreeFolder
from tests.plain_spt import features_of_method, named_features


def counts(statements: str) -> Counter[str]:
    folder = TreeFolder()
    return named_features(folder, [method_codes(f"void m() {{ {statements} }}", folder)])


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
    uses = {f for f in counts("a.b(); a.c = 1; a.<T>d();") if ">>>" in f}
    assert uses == {"b>>>c", "b>>>T", "c>>>T"}


def test_brackets_around_an_expression_are_passed_over_but_can_be_a_context() -> None:
    found = counts("if (a) f(a);")
    assert "(#)2>#VAR" not in found
    assert found["if##2>#VAR"] == 1
    assert found["(#)2>>>#(#)3"] == 2


@pytest.mark.parametrize("body", ["", "return null;", "return this;", ";", "{{}}"])
def test_a_body_without_leaf_has_a_record_without_features(body: str) -> None:
    code = f"void m() {{ {body} }}"
    assert method_codes(code, TreeFolder())
    assert features_of_method(code).size == 0


@pytest.mark.parametrize("code", ["C(int x) { f(); }", "void m();", "void m() {", "", "#!"])
def test_what_cannot_be_read_or_has_no_record_has_no_features_dev_23(code: str) -> None:
    assert not method_codes(code, TreeFolder())
    assert features_of_method(code).size == 0


def test_texts_above_the_limit_have_no_features_dev_25() -> None:
    code = f'void m() {{ f("{"x" * (1 << 20)}"); }}'
    assert features_of_method(code).size == 0
    assert features_of_method(code.replace("x" * 100, "")).size > 0


def test_a_method_of_an_interface_is_read_as_a_member_of_a_class_dev_23() -> None:
    member = features_of_method("void m() { f(); }")
    default = features_of_method("default void m() { f(); }")
    assert member.ids.tolist() == default.ids.tolist() != []


def test_the_leaves_own_all_features() -> None:
    folder = TreeFolder()
    code = "void m() { for (int i = 0; i < n; i++) { s += a[i].b(c -> c.d, i); } return; }"
    codes = method_codes(code, folder)
    forest = folder.fold([codes])
    ids, owners = body_feature_ids(forest, 0)
    assert set(owners.tolist()) == set(range(13))
    assert count_features(ids).size == named_features(folder, [codes]).total()


def test_kinds_of_features_are_in_the_highest_bits_dev_37() -> None:
    ids = features_of_method("void m() { f(a); g(a); }").ids
    assert np.unique(ids >> np.uint64(62)).tolist() == [0, 1, 2, 3]


def test_pruned_trees_keep_positions_and_join_what_is_left() -> None:
    folder = TreeFolder()
    code = "void m() { f(a, 1, b); g(a.c, a); }"
    forest = folder.fold([method_codes(code, folder)])
    # Leaves: f a 1 b g a c a; the first use of a in the second call loses its name.
    kept = np.array([False, True, False, True, False, True, False, True])
    ids, owners = body_feature_ids(forest, 0, kept)
    whole, whole_owners = body_feature_ids(forest, 0)
    kinds = (ids >> np.uint64(62)).tolist()
    assert Counter(kinds) == {0: 4, 1: 12, 2: 6, 3: 2}
    for leaf in (1, 3, 5, 7):
        mine, all_ = ids[owners == leaf], whole[whole_owners == leaf]
        own = mine[mine < np.uint64(2 << 62)].tolist()
        assert own == all_[all_ < np.uint64(2 << 62)].tolist()
    usage = np.unique(ids[ids >= np.uint64(3 << 62)])
    expected = [f for f in counts("f(a, 1, b); h(d, a);") if ">>>" in f]
    assert len(usage) == 1
    assert expected == ["#,#,#1>>>#,#3"]


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
