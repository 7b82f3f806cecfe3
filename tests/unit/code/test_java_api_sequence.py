"""API sequences as DeepCS's data have them, by the rules that stand in the module."""

import pytest

from ncsbench.code.java.java import parse_java
from ncsbench.code.java.java_api_sequence import LONGEST_SEQUENCE, read_api_sequence


def read(body: str, head: str = "void x()", own: str = "") -> str:
    return " ".join(read_api_sequence(parse_java(f"{head} {{ {body} }}".encode()).root_node, own))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("new C();", "C new"),
        ("C o = f; o.m();", "C m"),
        ("java.util.List<String> o; o.m();", "List < String > m"),
        ("Map.Entry<K, V> o; o.m();", "Entry < K , V > m"),
        ("Class<?> o; o.m();", "Class m"),
        ("C[] o; o.m(); o[0].n();", "C [] m C n"),
        ("field.m(); this.field.n();", "field m field n"),
        ("Integer.parse(s); java.util.Arrays.sort(s);", "Integer parse Arrays sort"),
        ("C o; D p; o.m(p.n());", "D n C m"),
        ("C o; D p; if (o.a()) p.b(); else o.c();", "C a D b C c"),
        ("C o; D p; while (o.a()) p.b();", "C a D b"),
        ("for (C o : f.all()) o.m();", "f all C m"),
        ("try (C o = new C()) { o.m(); } catch (Fault | Other e) { e.n(); }", "C new C m Fault n"),
        ("C o = (C) x; int i = (int) y;", "C cast"),
        ("((C) x).m();", "C cast C m"),
        ("if (x instanceof C) return;", "C instance"),
        ("var o = new C(); o.m();", "C new C m"),
        ("C o; o.a().b(); super.c(); o.field.d();", "C a"),
        ("C o; o.m(); o.m(); o.n(); o.m();", "C m C n C m"),
        ("throw new IOException(String.format(s));", "String format"),
        ("new C(p -> p.m()) { void n() { D o; o.m(); } };", "p m D m C new"),
    ],
)
def test_the_sequence_has_classes_and_members_in_order_dev_185(body: str, expected: str) -> None:
    assert read(body) == expected


def test_the_own_class_is_written_where_it_is_known_dev_185() -> None:
    assert read("m(); this.n(); p.o();", "void x(C p)") == "C o"
    assert read("m(); this.n(); p.o();", "void x(C p)", own="Own") == "Own m Own n C o"


def test_deep_and_broken_code_is_read_to_a_bound() -> None:
    deep = "new C(" * 50_000 + ")" * 50_000
    assert len(read(deep)) > 0
    chained = "a" + ".b()" * 50_000
    assert read(chained + ";") == "a b"
    assert read("C o; o.m(; ] ) p.n(") is not None
    wide = "Map<" + ", ".join(["K"] * 50_000) + "> o; " + "o.m(); o.n();" * 50_000
    assert len(read(wide).split()) < LONGEST_SEQUENCE + 40
