"""What a method is, its span, and the items of the NCS extraction (NCS paper, section 3.1)."""

import pytest

from ncsbench.base.text.words import split_words
from ncsbench.code.java.java import parse_java
from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java_trees.java_snippet_items import find_snippet_items
from ncsbench.evaluation.judge.answers import read_answer
from tests.plain_spt import features_of_method


def methods(source: str) -> list[Method]:
    return parse_methods(source.encode()).methods


def texts(method: Method, kind: ItemKind) -> list[str]:
    return [text for item, text in zip(method.kinds, method.texts, strict=True) if item == kind]


TYPES = """\
package a;

class Outer {
    Outer() { init(); }
    { init(); }
    static { init(); }
    abstract void none();
    void plain() { run(() -> { call(); }); }
    class Inner { void inner() { } }
    void hosts() {
        new Thread(new Runnable() { @Override public void run() { } });
        class Local { int local() { return 1; } }
    }
}
interface Face { void bare(); default int given() { return 1; } static void free() { } }
enum Mode { ON { void each() { } }; void of() { } }
@interface Mark { int value() default 1; }
"""


def test_method_declarations_with_a_body_count_wherever_they_stand_dev_01() -> None:
    """DEV-01: no constructor, initialiser, lambda or bodiless method; every other kind of type."""
    found = [(method.name, method.class_name) for method in methods(TYPES)]
    assert found == [
        ("plain", "Outer"),
        ("inner", "Inner"),
        ("hosts", "Outer"),
        ("run", "Runnable"),
        ("local", "Local"),
        ("given", "Face"),
        ("free", "Face"),
        ("each", "Mode"),
        ("of", "Mode"),
    ]


def test_a_span_goes_from_the_line_of_the_name_to_the_closing_brace_dev_02() -> None:
    """DEV-02: leading annotations belong to neither the span nor the code."""
    source = (
        "class C {\n"
        "  /** Says so. */\n"
        "  @Override\n"
        '  @SuppressWarnings("x")\n'
        "  public void name()\n"
        "  {\n"
        "    call();\n"
        "  }\n"
        "}\n"
    )
    (method,) = methods(source)
    assert (method.start_line, method.end_line) == (5, 8)
    assert method.code.startswith("public void name()")
    assert method.code.endswith("call();\n  }")
    assert method.comment == "/** Says so. */"


def test_annotation_only_modifiers_end_before_the_type() -> None:
    (method,) = methods("class C {\n @Test\n // why\n void name() { }\n}")
    assert (method.start_line, method.code) == (4, "void name() { }")


@pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
def test_lines_end_at_line_feeds_alone_dev_03(end: str) -> None:
    """DEV-03: files with CR line ends are one line, as in the released links that end in L1-L1."""
    (method,) = methods(end.join(["class C {", "void name() {", "}", "}"]))
    assert (method.start_line, method.end_line) == ((1, 1) if end == "\r" else (2, 3))


def test_golden_words_of_the_published_example() -> None:
    """The words that the blog gives for ``pxToDp``, comment, name and calls in order."""
    (method,) = methods(
        """class U {
        /** Converts pixel in dp */
        static int pxToDp(int size, Context where) {
            Factors factors = where.getResources().getDisplayMetrics();
            return Math.round(size / (factors.density / 160f));
        } }""".replace("Math.round", "(int) ")
    )
    words = [
        word
        for kind, text in zip(method.kinds, method.texts, strict=True)
        if kind != ItemKind.CLASS_NAME
        for word in split_words(text)
    ]
    assert words == [
        "converts", "pixel", "in", "dp", "px", "to", "dp",
        "get", "resources", "get", "display", "metrics",
    ]  # fmt: skip


ITEMS = r"""
class C {
    // leading line
    void name(Context owner) {
        Service service = (Service) owner.getSystemService(Context.SEARCH_SERVICE);
        owner.find(R.id.title, android.provider.Settings.ACTION_SETTINGS, LIMIT);
        String s = "kept text" + "a\nb"; /* inside NOT_A_CONSTANT */
        List<URL> list = new java.util.ArrayList<URL>();
        new Handler() { void handle() { send(); } };
    }
}
"""


def test_items_by_kind_dev_04() -> None:
    """DEV-04: which syntax gives words, and what is left to the options."""
    method, handler = methods(ITEMS)
    assert texts(method, ItemKind.COMMENT) == ["// leading line", "/* inside NOT_A_CONSTANT */"]
    assert texts(method, ItemKind.INVOCATION) == ["getSystemService", "find", "send"]
    assert texts(method, ItemKind.CONSTANT) == [
        "Context.SEARCH_SERVICE",
        "Settings.ACTION_SETTINGS",
        "LIMIT",
    ]
    assert texts(method, ItemKind.STRING) == ["kept text"]
    assert texts(method, ItemKind.CREATION) == ["ArrayList", "Handler"]
    assert texts(method, ItemKind.RESOURCE) == ["R.id.title"]
    assert (handler.name, handler.class_name) == ("handle", "Handler")


def test_long_strings_are_no_words() -> None:
    (method,) = methods(f'class C {{ void m() {{ f("{"x" * 301}"); f("{"y" * 300}"); }} }}')
    assert texts(method, ItemKind.STRING) == ["y" * 300]


def test_a_comment_that_ends_the_line_before_is_not_leading() -> None:
    (method,) = methods("class C {\n int a; // about a\n void m() { }\n}")
    assert texts(method, ItemKind.COMMENT) == []
    assert method.comment is None


def test_tokens_leave_comments_out() -> None:
    (method,) = methods('class C { int m(int a) { /* no */ return a >>= 1.5f + "a b"; // no\n } }')
    # int m ( int a ) { return a >>= 1.5f + "a b" ; }
    assert method.tokens == 15


@pytest.mark.parametrize(
    "body",
    [
        "{" * 5000 + "}" * 5000,
        "f(" * 3000 + ")" * 3000 + ";",
        "x = " + "1 + " * 20_000 + "1;",
        'String s = "' + "x" * 2_000_000 + '";',
        "if (x",
        "\ufffd \u202e \x00",
    ],
)
def test_hostile_bodies_do_not_crash(body: str) -> None:
    parse_methods(f"class C {{ void m() {{ {body} }} }}".encode())


def test_broken_syntax_is_reported_and_sound_methods_stay() -> None:
    parsed = parse_methods(b"class C { void good() { f(); } void bad( { } }")
    assert parsed.has_errors
    assert "good" in [method.name for method in parsed.methods]


def test_code_on_which_the_parser_would_take_hours_is_one_error_dev_122() -> None:
    method = f"int m() {{ read(); return {'~ ] ' * 2_500}; }}"
    source = f"class C {{ {method} }}"
    (error,) = parse_java(source.encode()).root_node.children
    assert (error.type, error.start_byte, error.end_byte) == ("ERROR", 0, len(source))
    parsed = parse_methods(source.encode())
    assert (parsed.methods, parsed.has_errors) == ([], True)
    assert len(features_of_method(method).ids) == 0
    assert read_answer(method) is None
    assert find_snippet_items(method)[1] == ["m", "read"]
    # The next file knows nothing of it.
    assert [one.name for one in methods("class C { int m() { return 1; } }")] == ["m"]
