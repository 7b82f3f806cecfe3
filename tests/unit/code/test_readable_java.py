"""Forms of Java that the grammar lacks, and documentation as compilers know it."""

import csv
import time
from pathlib import Path

import pytest

from ncsbench.code.java.java import read_java
from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.code.java.javadoc import read_first_sentence, read_text, strip_delimiters


def parse(source: str) -> list[Method]:
    parsed = parse_methods(source.encode())
    assert not parsed.has_errors
    for one in parsed.methods:
        assert one.code in source
    return parsed.methods


@pytest.mark.parametrize(
    "source",
    [
        "class A { void m(@X final int @Y [] @Z ... a) { } }",
        "class A { A(int @X ... a) { } void m() { } }",
        'record P(int x, String @a.X("a)") @Y({1, 2}) ... y) { void m() { } }',
        "interface A { int n(int @X(c = @Y('(')) ... a); default void m(int @X ... a) { } }",
        "enum E { A; E(int @X ... a) { } void m() { } }",
        "@interface A { class B { void m(int @X\n  @Y ... a) { } } }",
        "class A { Object f = (int @X ... a) -> 1; void m() { } }",
        "class A { void m() { try { f(); } catch (@X E | @Y(1) F | G e) { } } }",
        "import module java.base; import module.a; class A { void m() { int module = 1; } }",
        "class A { int a = 1__0, b = 0x1__f, c__0; double d = 1__0.5__0, e = .5__1; void m() { } }",
        "class A { void m() { int i = switch (o) { case final String s -> 1; default -> 2; }; } }",
        "class A { void m() { int i = switch (o) { case P(final int x, @X Q(var y, _)) -> 1; "
        "case A _, B<C, D> _ when f(a, b) -> 2; case P(_), Q(int _) -> 3; default -> 2; }; } }",
        "class A { void m() { switch (o) { case P(_),\n Q(int _): f(); default: } } }",
        "class A { void m() { boolean b = o instanceof P(final var x, @X int y) && f(x, y); } }",
        "class A { A(int x) { check(x); super(x); } A() { int y = 1; this(y); } void m() { } }",
    ],
)
def test_what_the_grammar_lacks_is_no_syntax_error_dev_212(source: str) -> None:
    assert [one.name for one in parse(source)] == ["m"]


def test_masks_leave_names_items_and_places_dev_212() -> None:
    method = parse('class A {\n  @P("p") void m(int @X("x") ... a) { super_(a); f("y__z"); }\n}')[0]
    assert (method.code, method.start_line) == (
        'void m(int @X("x") ... a) { super_(a); f("y__z"); }',
        2,
    )
    assert method.texts == ["A", "m", "super_", "f", "y__z"]
    assert parse("class A { A() { f(); super(1); } int m() { return 1; } }")[0].texts == ["A", "m"]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (r"class A { int \u0067rind() { return 1; } }", "grind"),
        (r"class A { int \uuu0067r\u0069nd() { return 1; } }", "grind"),
        (r"cl\u0061ss A { int grind\u0028) \u007b return 1; \u007d }", "grind"),
        (r"class A { char c = '\u005c\u005c', d = '\u005c''; int grind() { return 1; } }", "grind"),
        (r"class A { String s = \u0022a//\u0022; int grind() { return 1; } }", "grind"),
        (r'class A { String s = "\\u0022 \\"; int grind() { return 1; } }', "grind"),
        (r"class A { // one \u000a int grind() { return 1; } }", "grind"),
        (r"class A { /\u002a } *\u002f int grind() { return 1; } }", "grind"),
        (r"class A { char c = '\u0000'; int gr\u00fcn() { return 1; } }", "grün"),
        (r"class A { int \ud835\udc00() { return 1; } }", "\U0001d400"),
        ("class A { int inEuro€() { return 1; } }", "inEuro€"),
        ("class A { int £() { return 1; } }", "£"),
        ("class A { int \u203fa\u20b9() { return 1; } }", "\u203fa\u20b9"),
        ("class A { int Ⅷe\u0301\u00ad() { return 1; } }", "Ⅷe\u0301\u00ad"),
    ],
)
def test_names_are_those_of_the_language_specification_dev_212(source: str, name: str) -> None:
    assert [(one.class_name, one.name, one.start_line) for one in parse(source)] == [("A", name, 1)]


def test_escapes_in_literals_and_comments_stay_as_they_are_dev_212() -> None:
    source = 'class A {\n /** caf\\u00e9 */\n int m() { return f("\\u00e9", "a"); // \\u0041\n } }'
    method = parse(source)[0]
    assert method.comment == "/** caf\\u00e9 */"
    assert method.texts == ["/** caf\\u00e9 */", "A", "m", "f", "a", "// \\u0041"]


@pytest.mark.parametrize("end", ["\r", "\r\r\n", "\n"])
def test_a_carriage_return_ends_a_line_dev_212(end: str) -> None:
    lines = [
        "class A {",
        " // one",
        " int f() {",
        " // two",
        " return 1; }",
        " int g() { return 2; } }",
    ]
    found = parse(end.join(lines))
    assert [one.name for one in found] == ["f", "g"]
    assert [one.start_line for one in found] == ([1, 1] if end == "\r" else [3, 6])


def test_plain_java_is_parsed_as_it_is() -> None:
    source = (
        "class A {\r\n /** @see x ... */ int m(int... a) { return a | 1; } // in case of @x\r\n}"
    )
    java = read_java(source.encode())
    assert java.parsed == java.decoded == java.original


def test_hostile_forms_take_linear_time() -> None:
    parts = (
        "@a(",
        "@a ",
        "@a(x)",
        '@a("',
        "case _",
        "case @ (\n",
        "\\u0041",
        "1__ ",
        "; super ",
        "|@a|",
    )
    began = time.process_time()
    for part in parts:
        read_java((part * (60_000 // len(part)) + "...").encode())
    assert time.process_time() - began < 20


def test_markdown_is_documentation_dev_213() -> None:
    source = """class A {
    /// old

    /// Grinds *corn*.
    ///
    ///   - twice
    /// @return flour
    @X
    int f() { return 1; }

    //////// a rule
    int g() { return 1; }

    /** Sifts. */
    /// Bags.
    // plain
    int h() { return 1; }

    /**/ int i() { return 1; }
}
"""
    f, g, h, i = parse(source)
    assert f.comment == "/// Grinds *corn*.\n    ///\n    ///   - twice\n    /// @return flour"
    assert f.texts[:3] == ["/// old", f.comment, "A"]
    assert (
        strip_delimiters(f.comment)
        == " Grinds *corn*.\n\n   - twice\n @return flour".replace("\n ", "\n").strip()
    )
    assert read_first_sentence(f.comment) == "Grinds *corn*."
    assert read_text(f.comment).split() == ["Grinds", "*corn*.", "-", "twice", "flour"]
    assert (g.comment, h.comment, i.comment) == (None, "/// Bags.", None)


def test_documentation_may_stand_behind_something_else_dev_213() -> None:
    source = """class A {
    int a; /** Grinds. */ int f() { return 1; }
    int g() { return 1; } /** Sifts. */
    int h() { return 1; } // plain
    int i() { return 1; }
}
"""
    assert [one.comment for one in parse(source)] == ["/** Grinds. */", None, "/** Sifts. */", None]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("void main() { }\nclass B { void f() { } }", ["Mill", "B"]),
        ("package a; void main() { }", [""]),
        ("void main() { } }", [""]),
    ],
)
def test_a_compact_file_is_a_class_of_its_name_dev_214(source: str, names: list[str]) -> None:
    found = parse_methods(source.encode(), file_class="Mill").methods
    assert [one.class_name for one in found] == names
    assert parse_methods(source.encode(), file_class="my-mill").methods[0].class_name == ""
    assert parse_methods(source.encode()).methods[0].class_name == ""


def test_files_give_the_methods_of_the_compiler(shared: Path) -> None:
    folder = shared / "data/found/java"
    with (folder / "expected.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for name in sorted({row["file"] for row in rows}):
        found = parse_methods((folder / name).read_bytes(), file_class=name.removesuffix(".java"))
        assert not found.has_errors
        assert [
            (one.class_name, one.name, strip_delimiters(one.comment or "").strip())
            for one in found.methods
        ] == [
            (row["class"], row["method"], row["documentation"].replace("\\n", "\n"))
            for row in rows
            if row["file"] == name and row["place"] == "type"
        ], name
