"""Reading answers: wrappings, what counts, broken texts, and texts that are no Java."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.code.aroma.features import MAXIMUM_CHARACTERS
from ncsbench.code.aroma.trees import TreeFolder
from ncsbench.code.java_trees.java_spt_rules import Symbols
from ncsbench.errors import DataError
from ncsbench.evaluation.judge.answers import (
    LOCAL_MEMBERS,
    MENDABLE_CHARACTERS,
    SNIPPETS,
    answer_records,
    features_of_answer,
    read_answer,
    write_answers,
)
from ncsbench.evaluation.judge.judgement_schemas import ANSWER_COLUMNS
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.plain_spt import features_of_method, named_features
from tests.unit.evaluation.test_sensitivity import question

UNIT = "import a.B;\npublic class D { private int x; void f() { g(); } }"


def tokens(answer: str) -> Counter[str]:
    """The tokens among the features of an answer that can be read."""
    folder = TreeFolder()
    read = answer_records(answer, folder.symbols)
    assert read is not None
    features = named_features(folder, [record.codes for record in read[1]])
    return Counter({name: count for name, count in features.items() if ">" not in name})


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
    read = answer_records(answer, Symbols())
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
    read = read_answer(answer)
    assert read is not None
    assert read[0] == wrapping
    assert tokens(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "f(a)",  # one token missing of four
        "<uses-permission/>",
        "f(“a”);",
        "f(\0);",
        "{" * 1000,  # no leaf in it
        '<item name="colour">@color/plain</item>\n<item name="size">12sp</item>',
        "implementation 'org.example:library:1.0'",
        "E/Runtime(  71): FATAL EXCEPTION: main\n  at a.b.C.d(C.java:12)\n  at a.b.E.f(E.java:3)",
    ],
)
def test_an_answer_under_no_wrapping_is_none_dev_21(answer: str) -> None:
    assert features_of_answer(answer) is None


def test_each_outermost_body_counts_once_dev_21() -> None:
    inner = "void f() { x.set(new L() { public void on() { g(1); } }); }"
    twice = features_of_answer(f"public {inner} public {inner}")
    once = features_of_method(inner)
    assert twice is not None
    assert np.array_equal(twice.ids, once.ids)
    assert np.array_equal(twice.counts, 2 * once.counts)


@pytest.mark.parametrize(
    ("answer", "known"),
    [
        ("private int size;\npublic Shelf(Room room) { place(room); }", {"Room", "place"}),
        ('@GET("boxes")\nCall<Box> listBoxes(@Query("n") int number);', {"listBoxes", "Query"}),
        ("private final Shop shop = new Shop() {};", {"Shop"}),
        ("static { Shelf.load(7); }\nint width;", {"Shelf", "load"}),
    ],
)
def test_members_without_a_method_body_are_read_as_a_local_class_dev_29(
    answer: str, known: set[str]
) -> None:
    """DEV-29: constructors, signatures and fields alone have no record in the reference."""
    assert known <= tokens(answer).keys()


def test_local_members_come_after_what_the_reference_reads_dev_29() -> None:
    read = read_answer("Shelf(Room room) { place(room); }\nint width;")
    assert read is not None
    assert read[0] == LOCAL_MEMBERS
    read = read_answer("Shelf(Room room) { place(room); }\nvoid f() {}")
    assert read is not None
    assert read[0] == "members"


@pytest.mark.parametrize(
    ("answer", "methods"),
    [
        ("void water(Can can) {\n  can.pour(3);\n}\n// call it:\nwater(greenCan);", ["water", "m"]),
        ("dig();\nint f() { return 1; }\nint g() { return 2; }\nrest();", ["m", "f", "g", "m"]),
        ("import a.B;\n@Override public void onRain() {}\nclass D { void f() {} }\ndig();",
         ["onRain", "f", "m"]),
    ],
)  # fmt: skip
def test_methods_and_statements_in_one_answer_are_wrapped_one_by_one_dev_29(
    answer: str, methods: list[str]
) -> None:
    """DEV-29: several snippets; the reference reads them under no wrapping."""
    read = answer_records(answer, Symbols())
    assert read is not None
    assert read[0] == SNIPPETS
    assert [record.name for record in read[1]] == methods


BROKEN = {
    "no semicolon": (
        'Shelf shelf = room.findShelf("kitchen")\nshelf.setWidth(80);\nshelf.paint(Colour.RED)',
        "statements",
        {"findShelf": 1, "setWidth": 1, "paint": 1, '"kitchen"': 1},
    ),
    "no semicolon before a comment": (
        "total = basket.sumOfAllPrices() // without tax\nreturn total;\nprinter.print(total);",
        "statements",
        {"sumOfAllPrices": 1, "print": 1, "#VAR": 5},
    ),
    "ellipsis as a line": (
        "try {\n    ...\n    reader.close();\n} catch (IOException error) {\n    report(error);\n}",
        "statements",
        {"close": 1, "report": 1, "IOException": 1},
    ),
    "one character for an ellipsis": (
        "public void fillTheShelves(List<Box> boxes) {\n  …\n  shelf.putAll(boxes);\n}",
        "members",
        {"putAll": 1},
    ),
    "ellipsis as an argument": (
        "Lamp lamp = workshop.buildLamp(...);\nlamp.switchOn();\nlamp.setBrightness(4);",
        "statements",
        {"buildLamp": 1, "switchOn": 1, "setBrightness": 1},
    ),
    "ellipses between members": (
        "class Garden extends Field {\n  ...\n  @Override\n  public void onRain(Cloud cloud) {\n"
        "    tank.fill(cloud.getWater());\n  }\n  ...\n}",
        "statements",
        {"onRain": 1, "fill": 1, "getWater": 1},
    ),
    "one brace too few": (
        "public class Garden {\n  void water() {\n    can.pour(3);\n  }\n",
        "statements",
        {"pour": 1},
    ),
    "several snippets": (
        "class Garden {\n  ...\n}\nvoid water(Can can) {\n  can.pour(3)\n}\nwater(new Can());\n"
        "spade.lift();\nvoid dig() {\n  spade.turn(90);\n}\n",
        "snippets",
        {"pour": 1, "lift": 1, "turn": 1, "water": 1},
    ),
    "one brace too many": (
        "void water() {\n    can.pour(3);\n  }\n}\n",
        "members",
        {"pour": 1},
    ),
    "a little markup": (
        '<Lamp/>\nLamp lamp = (Lamp) room.findThing(R.id.lamp);\nlamp.setColour("yellow");\n'
        "lamp.switchOn();\nroom.darken(false);",
        "statements",
        {"findThing": 1, "setColour": 1, "switchOn": 1},
    ),
    "emphasis": (
        "Lamp lamp = (Lamp) room.findThing(R.id.lamp);\n**lamp.switchOn();**\nroom.darken(false);",
        "statements",
        {"findThing": 1, "switchOn": 1, "darken": 1},
    ),
    "line numbers that are compiled": (
        "1: Lamp lamp = room.findTheThing(R.id.lamp);\nlamp.setColour(Colour.YELLOW);\n",
        "statements",
        {"findTheThing": 1, "setColour": 1},
    ),
}
"""Shapes of real answers, written anew."""


@pytest.mark.parametrize("shape", BROKEN)
def test_broken_answers_are_mended_dev_28(shape: str) -> None:
    """DEV-28: the reference has no features for them."""
    answer, wrapping, known = BROKEN[shape]
    read = read_answer(answer)
    assert read is not None
    assert read[0].endswith(", mended")
    if wrapping is not None:
        assert read[0] == f"{wrapping}, mended"
    found = tokens(answer)
    assert {token: found[token] for token in known} == known


def test_a_tenth_in_errors_is_too_much_dev_28() -> None:
    assert read_answer("f(a); # " + "g();" * 18) is not None
    broken = "f(a); ####### "
    short, long = broken + "g();" * 14, broken + "g();" * 15  # 7 of 70 and of 74 bytes
    assert read_answer(short) is None
    assert read_answer(long) is not None


def test_very_long_broken_texts_are_not_mended_dev_28() -> None:
    line = "shelf.put(box);\n"
    fits = "lamp.switchOn()\n" + line * (MENDABLE_CHARACTERS // len(line) - 1)
    assert read_answer(fits) is not None
    assert read_answer(fits + line) is None


def test_lone_surrogates_and_deep_nesting_do_no_harm() -> None:
    assert features_of_answer('f("\ud800");') is not None
    assert features_of_answer("{" * 5000 + "f();" + "}" * 5000) is not None


def test_texts_above_the_limit_have_no_features_dev_25() -> None:
    """DEV-25: else one text of 10 MB would take minutes and gigabytes."""
    text = "f();" * (MAXIMUM_CHARACTERS // 4)
    assert features_of_method(f"void m() {{ {text} }}").size == 0
    assert read_answer(text + ";") is None


SOUND = """\
package a.b;
import c.D;
@Rule(value = "x", n = {1, 2}) public class E<T extends F & G> extends H<T> implements I, J {
    private static final int[] SIZES = {1, 0x2, 'c'};
    E(int a, String... rest) throws K { this(a); super.set(rest); }
    enum L { M, N(1) { void f() {} }; abstract void f(); }
    <U> U h(final Map<String, ? super U> map) {
        outer: for (int i = 0, n = 3; i < n; i++, n--) { if (i > 1) continue outer; else break; }
        for (String s : rest) { do { x += (int) y >>> 2; } while (!z); }
        switch (k) { case 1: case 2: f(); break; default: g(); }
        try (R r = open(); S s = null) { lock(r::close); } catch (V | W e) { throw e; } finally { }
        synchronized (this) { assert a != null : "b" + -c++; }
        Runnable q = () -> { new O(1) { int p; }.run(); };
        int[][] t = new int[3][]; t[0] = o.new P<>(2).q.<U>w((a, b) -> a ? b : c);
        return E.super.h(map) instanceof U ? null : (U & I) true;
    }
    @interface X { int y() default 1; }
}
"""


@given(st.data())
def test_no_mangled_java_breaks_the_reading(data: st.DataObject) -> None:
    text = SOUND
    start = data.draw(st.integers(0, len(text)))
    text = text[start : data.draw(st.integers(start, len(text)))]
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        put = data.draw(st.sampled_from(["", *"(){}[]<>;:,.@\"'=+-?&#x1 \n", "new ", "...", "\0"]))
        text = text[:place] + put + text[place + cut :]
    read = read_answer(text)
    assert read is None or not read[1].root_node.has_error
    features_of_answer(text)


def ask(*answers: str) -> pa.Table:
    rows = [{**question(n), "answer": answer} for n, answer in enumerate(answers, 1)]
    return pa.Table.from_pylist(rows, QUESTION_SCHEMA)


def test_answers_that_cannot_be_read_are_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = ask("run(a);", "no code at all, only words.")
    with caplog.at_level(logging.WARNING):
        write_answers(asked, tmp_path / "answers.csv")
    rows = read_rows(tmp_path / "answers.csv", ANSWER_COLUMNS)
    assert [row["wrapping"] for row in rows] == ["statements", "none"]
    assert [record.message for record in caplog.records] == [
        "1 of 2 answers cannot be read as Java, so that no method can be right; the first is of "
        "question 2 (stackoverflow_id 2); answers.csv has them with the wrapping 'none' "
        "(docs/judge.md)"
    ]


def test_no_answer_that_can_be_read_is_an_error_of_one_line(tmp_path: Path) -> None:
    asked = ask("only words.", "and more of them, sadly.")
    with pytest.raises(DataError, match="none of the 2 answers can be read as Java") as caught:
        write_answers(asked, tmp_path / "answers.csv")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "answers.csv").exists()
