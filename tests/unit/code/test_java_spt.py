"""Simplified parse trees: labels, collapse and inlining, and which bodies give a record."""

from itertools import accumulate

import pytest

from ncsbench.code.java.java import parse_java
from ncsbench.code.java_trees.java_spt import method_records
from ncsbench.code.java_trees.java_spt_rules import (
    CLOSE,
    DEPTH_CAP,
    KEYWORD,
    LEAF,
    OPEN,
    VARIABLE,
    Symbols,
)
from tests.plain_spt import Tree, features, fold, labels_of, leaves_of


def codes_of(statements: str, symbols: Symbols) -> list[int]:
    tree = parse_java(f"class C {{ void m() {{ {statements} }} }}".encode())
    assert not tree.root_node.has_error
    return method_records(tree, symbols)[0].codes


def body_of(statements: str) -> Tree:
    symbols = Symbols()
    return fold(codes_of(statements, symbols), symbols)


def labels(statements: str) -> list[str]:
    return labels_of(body_of(statements))


def leaves(statements: str) -> list[str]:
    """Tokens in text order, variables marked by a star."""
    return [leaf.text + "*" * leaf.is_variable for leaf in leaves_of(body_of(statements))]


def names(source: str, *, outermost_only: bool = False) -> list[str]:
    tree = parse_java(source.encode())
    assert not tree.root_node.has_error
    records = method_records(tree, Symbols(), outermost_only=outermost_only)
    return [record.name for record in records]


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
    assert names(source) == names(source, outermost_only=True) == expected


def test_inner_methods_have_records_of_their_own() -> None:
    source = (
        "class C { void a() { new X() { void b() { class D { void c() {} } } }; } void d() {} }"
    )
    assert names(source) == ["a", "b", "c", "d"]
    assert names(source, outermost_only=True) == ["a", "d"]
    outermost = method_records(parse_java(source.encode()), Symbols(), outermost_only=True)
    assert source[outermost[1].start_byte] == "d"


def test_comments_are_no_items() -> None:
    plain = labels("f(a, b); for (int i = 0; i < n; i++) x = -y;")
    assert plain == labels(
        "/*1*/ f /*2*/ ( /*3*/ a, // 4\n b); "
        "for (/*5*/ int i /*6*/ = 0; i < /*7*/ n; /*8*/ i++) x = /*9*/ - /*10*/ y; // 11\n"
    )


def test_codes_are_tokens_between_the_ends_of_rule_applications() -> None:
    symbols = Symbols()
    codes = codes_of('f(x, "s");', symbols)
    assert codes.count(OPEN) == codes.count(CLOSE)
    tokens = [code for code in codes if code > OPEN]
    assert [symbols.texts[code] for code in tokens] == [*"{f(x,", '"s"', *");}"]
    assert [symbols.kinds[code] for code in tokens] == [
        KEYWORD, LEAF, KEYWORD, VARIABLE, KEYWORD, LEAF, KEYWORD, KEYWORD, KEYWORD,
    ]  # fmt: skip


def test_one_code_for_each_kind_and_text_in_all_bodies() -> None:
    symbols = Symbols()
    first = codes_of("x(x, X, X());", symbols)
    assert codes_of("x(x, X, X());", symbols) == first
    pairs = list(zip(symbols.kinds, symbols.texts, strict=True))[2:]
    assert len(set(pairs)) == len(pairs) == len(symbols) - 2
    assert {(LEAF, "x"), (VARIABLE, "x"), (LEAF, "X")} <= set(pairs)
    assert (VARIABLE, "X") not in pairs


def test_keywords_have_the_same_codes_in_every_table() -> None:
    first, second = Symbols(), Symbols()
    codes_of("a = b;", first)
    assert codes_of("return this;", first) == codes_of("return this;", second)


def test_the_text_may_begin_with_white_space() -> None:
    symbols = Symbols()
    record = method_records(parse_java(b"\n\n  class C { void m() { f(); } }"), symbols)[0]
    assert leaves_of(fold(record.codes, symbols))[0].text == "f"


def test_features_of_the_plain_rules() -> None:
    assert features(body_of("x = y;")) == {
        "#VAR": 2,
        "#=#1>#VAR": 1,
        "#=#3>#VAR": 1,
        "#;1>#VAR": 2,
        "#VAR>>#VAR": 2,
    }


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
        "A" + "<B, A" * 2000 + ">" * 2000 + " x;",
    ],
)
def test_no_depth_of_nesting_overflows_dev_24(statements: str) -> None:
    symbols = Symbols()
    codes = codes_of(statements, symbols)
    assert labels_of(fold(codes, symbols))[0].startswith("{#")
    depth = list(accumulate({OPEN: 1, CLOSE: -1}.get(code, 0) for code in codes))
    assert 0 < min(depth[:-1]) <= max(depth) < DEPTH_CAP
    assert depth[-1] == 0
