"""Simplified parse trees: labels, collapse and inlining, and which bodies give a record."""

from __future__ import annotations

import pytest

from ncsbench.languages.java import parse_java
from ncsbench.languages.java_spt import Leaf, SptNode, body_tree, method_records


def body_of(statements: str) -> SptNode:
    tree = parse_java(f"class C {{ void m() {{ {statements} }} }}".encode())
    assert not tree.root_node.has_error
    return method_records(tree)[0].body


def nodes(body: SptNode) -> list[SptNode]:
    found, pending = [], [body]
    while pending:
        node = pending.pop()
        found.append(node)
        pending.extend(item for item in reversed(node.items) if isinstance(item, SptNode))
    return found


def labels(statements: str) -> list[str]:
    return [node.label for node in nodes(body_of(statements))]


def leaves(statements: str) -> list[str]:
    """Tokens in text order, variables marked by a star."""
    found, pending = [], [body_of(statements)]
    while pending:
        item = pending.pop()
        if isinstance(item, Leaf):
            found.append(item.text + "*" * item.is_variable)
        elif isinstance(item, SptNode):
            pending.extend(reversed(item.items))
    return found


def names(source: str) -> list[tuple[str, int]]:
    tree = parse_java(source.encode())
    assert not tree.root_node.has_error
    return [(record.name, record.nesting) for record in method_records(tree)]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("if (x == null) return;", ["{#}", "if#return;", "(#)", "#==null"]),
        ('x = new String[] {"a", "b"};', ["{#}", "#;", "#=#", "new#", "##", "[]#", "{#,#}"]),
        (
            "switch (k) { case 1: f(); break; default: }",
            ["{#}", "switch#{#default:}", "(#)", "##break;", "case#:", "#;", "#()"],
        ),
        ("super.f();", ["{#}", "#;", "super.#", "#()"]),
        ("x = this.f;", ["{#}", "#;", "#=#", "this.#"]),
        ("int i;", ["{#}", "#;", "int#"]),
        ("x = (A) y;", ["{#}", "#;", "#=#", "(#)#"]),
        ('f(this, "s", 1);', ["{#}", "#;", "#(#)", "this,#,#"]),
        ("f(this);", ["{#}", "#;", "#(this)"]),
        ("f(x);", ["{#}", "#;", "#(#)"]),
        ("int[] a;", ["{#}", "#;", "int[]#"]),
        ("", ["{}"]),
        ("return null;", ["{returnnull;}"]),
        ("{{}}", ["{#}", "{#}", "{}"]),
        ("while (x) {}", ["{#}", "while##", "(#)", "{}"]),
        ("f(); return;", ["{#return;}", "#;", "#()"]),
        ("A<B, C> x;", ["{#}", "#;", "##", "##", "<#,#>"]),
        ("x = new A<>();", ["{#}", "#;", "#=#", "new#", "#()", "#<>"]),
        ("for (;;) f();", ["{#}", "for(;;)#", "#;", "#()"]),
        (
            "for (i = 0, j = 1; ; i++, j--) {}",
            ["{#}", "for(#)#", "#;;#", "#,#", "#=#", "#=#", "#,#", "#++", "#--", "{}"],
        ),
        ("for (final A a : b) {}", ["{#}", "for(#)#", "final##:#", "{}"]),
        (
            "try (A a = b; C c = d;) {} catch (final E | java.io.F e) {} finally {}",
            [
                "{#}",
                "try####",
                "(#;)",
                "#;#",
                "##=#",
                "##=#",
                "{}",
                "catch(final##)#",
                "#|#",
                "#.#.#",
                "{}",
                "finally#",
                "{}",
            ],
        ),
        (
            '@A("x") @B(c = 1, d = {}) int y;',
            ["{#}", "#;", "##int#", "@#(#)", "@#(#)", "#,#", "#=#", "#=#", "{}"],
        ),
        ("x = X.super.f(a);", ["{#}", "#;", "#=#", "#.super#", ".##", "(#)"]),
        ("x = o.new P<A>(1);", ["{#}", "#;", "#=#", "#.new#", "###", "<#>", "(#)"]),
        ("this.<A, B>f(1);", ["{#}", "#;", "this.#", "##", "<#>", "#,#", "##", "(#)"]),
        ("x = a >>> b << c;", ["{#}", "#;", "#=#", "#<<#", "#>>>#"]),
        ("x = int.class;", ["{#}", "#;", "#=int.class"]),
        (
            "f = (A a, B... b) -> {};",
            ["{#}", "#;", "#=#", "#->#", "(#)", "#,#", "##", "#...#", "{}"],
        ),
        (
            "class D<T extends E> extends F implements G, H { int x, y; }",
            [
                "{#}",
                "class##extends#implements##",
                "<#>",
                "#extends#",
                "#,#",
                "{#}",
                "int#;",
                "#,#",
            ],
        ),
    ],
)
def test_labels(statements: str, expected: list[str]) -> None:
    assert labels(statements) == expected


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("x = a ? b : c ? d : e;", ["#=#", "#?#:#", "#?#:#"]),
        ("x = (int) y++;", ["#=#", "#++", "(int)#"]),
        ("x = -y++;", ["#=#", "-#", "#++"]),
        ("x = -(int) y++;", ["#=#", "-#", "#++", "(int)#"]),
        ("x = (int) -y++;", ["#=#", "(int)#", "-#", "#++"]),
        ("f = A::b;", ["#::#", "#=#"]),
        ("f = x + A::b;", ["#::#", "#=#", "#+#"]),
        ("f = (T) A::b;", ["#::#", "#=#", "(#)#"]),
        ("f = c ? A::x : B::y;", ["#::#", "#=#", "#?#:#", "#::#"]),
        ("f = c ? x : d ? y : B::z;", ["#::#", "#=#", "#?#:#", "#?#:#"]),
        ("f = X::new;", ["#=#", "#::new"]),
        ("f = List<A>::b;", ["#=#", "#::#", "##", "<#>"]),
        ("f = y -> A::b;", ["#=#", "#->#", "#::#"]),
        ("f = (A::b);", ["#=#", "(#)", "#::#"]),
    ],
)
def test_the_grammar_binds_some_operators_otherwise_than_java(
    statements: str, expected: list[str]
) -> None:
    assert labels(statements) == ["{#}", "#;", *expected]


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("x = true;", ["x*", "true"]),
        ("x = null;", ["x*"]),
        ("x = this.y;", ["x*", "y"]),
        ("A.b(c.d, TAG, e());", ["A", "b", "c*", "d", "TAG", "e"]),
        ("L: while (x) break L;", ["L", "x*", "L"]),
        ("x = java.util.X.f();", ["x*", "java*", "util", "X", "f"]),
        ("x = java.util.X.class;", ["x*", "java", "util", "X"]),
        ("f = java.X::new;", ["f*", "java", "X"]),
        ("f = java.X::y;", ["f*", "java*", "X", "y"]),
        ("Int Big = 1;", ["Int", "Big", "1"]),
        ("int _x, $y;", ["_x*", "$y*"]),
        ("switch (k) { case low: }", ["k*", "low*"]),
        ("try {} catch (E e) {}", ["E", "e*"]),
        ("f = (a, b) -> c;", ["f*", "a*", "b*", "c*"]),
        ("f = a -> a;", ["f*", "a*", "a*"]),
        ("x = 'c' + 1.5f + 0x1F + 0b1 + 017 + \"s > t\";",
         ["x*", "'c'", "1.5f", "0x1F", "0b1", "017", '"s > t"']),
        ("interface I { int k = 1; }", ["I", "k", "1"]),
        ("@a(b = c) int x;", ["a", "b", "c*", "x*"]),
    ],
)  # fmt: skip
def test_leaves_and_variables(statements: str, expected: list[str]) -> None:
    assert leaves(statements) == expected


@pytest.mark.parametrize(
    ("statements", "group"),
    [
        ("switch (k) { case 1: case 2: f(); }", "###"),  # labels alone go to the next group
        ("switch (k) { case 1: f(); case 2: }", "##"),
        ("switch (k) { case 1: f(); g(); default: }", "###"),
    ],
)
def test_groups_of_a_switch(statements: str, group: str) -> None:
    assert group in labels(statements)


def test_a_stray_semicolon_follows_a_switch() -> None:
    assert labels("switch (k) { case 1: f(); };")[0] == "{#;}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("class C { void a() {} int b; C() {} abstract void c(); { f(); } static {} }", ["a"]),
        ("interface I { default void a() {} }", []),
        ("enum E { A; void a() {} }", []),
        ("interface I { Object O = new Object() { void a() {} }; }", []),
        ("class C { interface I { default void a() {} } enum E { A; void b() {} } }", ["a", "b"]),
        ("interface I { class C { void a() {} } }", ["a"]),
        ("class C { C() { new X() { void a() {} }; } }", ["a"]),
        ("class C { Runnable r = () -> { f(); }; }", []),
    ],
)
def test_bodies_that_give_a_record(source: str, expected: list[str]) -> None:
    assert names(source) == [(name, 0) for name in expected]


def test_records_of_inner_methods_know_their_nesting() -> None:
    source = (
        "class C { void a() { new X() { void b() { class D { void c() {} } } }; } void d() {} }"
    )
    assert names(source) == [("a", 0), ("b", 1), ("c", 2), ("d", 0)]
    tree = parse_java(source.encode())
    outermost = method_records(tree, outermost_only=True)
    assert [record.name for record in outermost] == ["a", "d"]
    assert source[outermost[1].start_byte] == "d"


def test_comments_are_no_items() -> None:
    plain = labels("f(a, b); for (int i = 0; i < n; i++) x = -y;")
    assert plain == labels(
        "/*1*/ f /*2*/ ( /*3*/ a, // 4\n b); "
        "for (/*5*/ int i /*6*/ = 0; i < /*7*/ n; /*8*/ i++) x = /*9*/ - /*10*/ y; // 11\n"
    )


def test_body_of_one_method() -> None:
    members = parse_java(b"class C { void a() { f(); } abstract void b(); }")
    declarations = members.root_node.children[0].children[-1].named_children
    body = body_tree(declarations[0])
    assert body is not None
    assert body.label == "{#}"
    assert body_tree(declarations[1]) is None


@pytest.mark.parametrize(("sums", "kept"), [(986, 987), (987, 988), (988, 987), (5000, 987)])
def test_a_chain_deeper_than_the_cap_loses_its_first_operands_dev_24(sums: int, kept: int) -> None:
    # The outermost sum is the 12th rule application, and an operand lies two below its sum.
    assert len(leaves(f"return a{' + a' * sums};")) == kept


@pytest.mark.parametrize(
    "statements",
    [
        "{" * 5000 + "f();" + "}" * 5000,
        "x = " + "(" * 5000 + "a" + ")" * 5000 + ";",
        "x = " + "- " * 5000 + "a++;",
        "f = " + "(T) " * 5000 + "A::b;",
        "x = " + "a ? b : " * 5000 + "c;",
        "A" + ".A" * 5000 + " x;",
        "x = a" + ".f()" * 5000 + ";",
        "if (a) f(); else " * 5000 + "g();",
        "switch (a) { case 1: " * 2000 + "}" * 2000,
        "A" + "<A" * 2000 + ">" * 2000 + " x;",
    ],
)
def test_no_depth_of_nesting_overflows_dev_24(statements: str) -> None:
    assert labels(statements)[0].startswith("{#")
