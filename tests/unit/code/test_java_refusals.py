"""What Aroma's Java 8 grammar takes and refuses."""

import pytest

from ncsbench.code.java.java import parse_java
from ncsbench.code.java_trees.java_refusals import is_java_8


def accepted(statements: str) -> bool:
    return is_java_8(parse_java(f"class C {{ void m() {{\n{statements}\n}} }}".encode()))


@pytest.mark.parametrize(
    "statements",
    [
        "f();",
        "switch (a) { case 1: f(); };",
        "L: switch (a) {}",
        "if (a) switch (b) {} else switch (c) {}",
        "final @A int x = 1; var y = x;",
        "try (A a = b()) {}",
        r'f("\u0041\n\0\377\\", ' + r"'\'');",
        "final class D { private enum E {} @interface F {} private static int x; }",
        "for (final A a : b) {}",
        "x = a instanceof B;",
        "if (a) switch (b) {}; f();",
        "for (int i = 0; ; ) for (A a : b) ;",
        "x = new A<>.B<>() {}; y = new C<>[1];",
        "f = (int a, B... b) -> {};",
        "x = void.class;",
        "class D { <T> @N A f(B... b /* c */) {} native void g(); }",
        "class D { interface E { <T> @N @M void f(); synchronized default void g() {} } }",
        "class D { @interface E { int X; } transient class F extends @N /* c */ G {} }",
    ],
)
def test_java_8_is_accepted(statements: str) -> None:
    assert accepted(statements)


@pytest.mark.parametrize(
    "statements",
    [
        "f(",
        "import a.b;",
        "enum E { A }",
        "@interface A {}",
        "private int x;",
        "for (static int i = 0; ; ) {}",
        "public void f() {}",
        "try (x) {}",
        "try (this.x) {}",
        r'f("\d");',
        'x = """\ntext""";',
        "x = (A & B) y;",
        "f = Outer.super::m;",
        "x = new @A B();",
        "int @A [] x;",
        "List<@A @B C> x;",
        "class D { void f(D this) {} }",
        "x = a instanceof B b;",
        "x = switch (a) { default: yield 1; };",
        "switch (a) { case 1 -> f(); }",
        "switch (a) { case 1, 2: f(); }",
        "record R(int x) {}",
        "sealed interface I permits J {}",
        "int class = 1;",
        "x = a.void;",
        "void x = 1;",
        "f = (void x) -> {};",
        "f = (A... a, B b) -> {};",
        "if (a) int x = 1;",
        "for (;;) int x = 1;",
        "L: class D {}",
        "do class D {} while (a);",
        "if (a) switch (b) {}; else f();",
        "if (a) L: switch (b) {}; else f();",
        "do switch (a) {}; while (b);",
        "switch (a) { case 1: enum E {} }",
        "class D { D() { @interface E {} } }",
        "int[] x = { /* c */ , };",
        "List<@N ? extends A> x;",
        "Outer.super.<T>f();",
        "List<> x;",
        "f = A<>::new;",
        "x = new A<B<>>();",
        "x = new <> A();",
        "class D { <T> @N void f() {} }",
        "class D { <T> @N @M A f() {} }",
        "class D { default void f() {} }",
        "class D { void f(private int x) {} }",
        "class D { enum E { final A } }",
        "class D { interface E { int X; } }",
        "class D { @interface E { int x()[]; } }",
        "native class D {}",
    ],
)
def test_what_came_later_or_stands_in_the_wrong_place_is_refused(statements: str) -> None:
    assert not accepted(statements)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("package a; import b.c; /* d */ class A {} ;", True),
        ("interface I {} enum E {} @interface A {}", True),
        ("void f() {}", False),
        ("f();", False),
        ("int x;", False),
        ("class A {", False),
    ],
)
def test_members_and_statements_need_a_class_around_them(source: str, expected: bool) -> None:
    assert is_java_8(parse_java(source.encode())) is expected
