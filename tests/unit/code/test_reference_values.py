"""The judge's values in the form of Aroma's reference files, on small methods worked by hand."""

from tests.aroma_reference_values import (
    example_columns,
    feature_counts,
    inner_records,
    score_columns,
)

CALL = {"g": 1, "1": 1, "#(#)1>g": 1, "#(#)3>1": 1, "#;1>g": 1, "#;1>1": 1, "g>>1": 2}
INNER = "void f() { x.set(new L() { void on() { g(1); } }); }"
ANSWER = "x.set(new L() { void on() { g(1); } });"


def test_features_have_the_names_of_the_reference() -> None:
    assert feature_counts("void f() { g(1); }") == CALL
    assert feature_counts("void f() { g(2); }") != CALL
    assert not feature_counts("no Java {")


def test_records_inside_are_apart() -> None:
    assert inner_records(INNER) == [("on", CALL)]
    assert inner_records("void f() { g(1); }") == []


def test_a_pruned_pair_has_the_size_of_what_is_left() -> None:
    found = score_columns("g(1);\nh(y);", "void f() { h(x); g(1); k(); }")
    assert found["n_leaves_kept"] < found["n_leaves_candidate"]
    assert found["n_query"] == score_columns("g(1);\nh(y);", "no Java {")["n_query"]


def test_examples_count_the_records_of_an_answer_both_ways() -> None:
    found = example_columns(ANSWER, INNER)
    assert found["n_answer_features"] == found["n_answer_features_outer"] + sum(CALL.values())
