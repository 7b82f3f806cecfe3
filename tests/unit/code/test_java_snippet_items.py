import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java_trees.java_snippet_items import MAXIMUM_CHARACTERS, find_snippet_items

METHOD = """void close() {
    // Nobody waits
    log("is closed", Level.WARN);
    return new Door(R.id.door);
}"""


def found(code: str) -> list[tuple[str, str]]:
    kinds, texts = find_snippet_items(code)
    return [(ItemKind(kind).name, text) for kind, text in zip(kinds, texts, strict=True)]


ANONYMOUS = """public void listen(final Door door) {
    door.setListener(new Listener() {
        @Override public void opened() { log("open"); }
    });
    class Bell { void ring() { beep(); } }
}"""


def of_the_corpus(members: str, *methods: str) -> list[tuple[str, str]]:
    """Items that the extraction gives to methods of a class, without the class."""
    parsed = parse_methods(f"class House {{ {members}\n}}".encode()).methods
    return [
        (ItemKind(kind).name, text)
        for method in parsed
        if method.name in methods
        for kind, text in zip(method.kinds, method.texts, strict=True)
        if kind != ItemKind.CLASS_NAME
    ]


@pytest.mark.parametrize(("code", "name"), [(METHOD, "close"), (ANONYMOUS, "listen")])
def test_a_method_has_the_items_of_the_corpus_without_its_class_dev_61(
    code: str, name: str
) -> None:
    assert found(code) == of_the_corpus(code, name)


def test_each_outermost_method_has_the_items_of_the_corpus_dev_61() -> None:
    code = f"/** Listens. */\n{ANONYMOUS} // at once\n@Test(1) {METHOD}\n// the end"
    expected = of_the_corpus(code, "listen", "close")
    assert found(f"import a.Door;\n{code}") == expected
    assert expected[0] == ("COMMENT", "/** Listens. */")
    assert [text for kind, text in expected if kind == "METHOD_NAME"] == ["listen", "close"]


def test_methods_within_other_text_give_their_names_dev_61() -> None:
    names = [("CLASS_NAME", "Bell"), ("METHOD_NAME", "ring")]
    assert found("Bell b = new Bell() { void ring() { beep(); } };") == [
        *names,
        ("CREATION", "Bell"),
        ("INVOCATION", "beep"),
    ]
    assert ("METHOD_NAME", "opened") in found(f"int a = f();\n{ANONYMOUS}")


def test_what_follows_a_brace_too_many_is_not_lost_dev_61() -> None:
    assert found("foo();\n}\nvoid bar(){\n baz(); qux();") == [
        ("METHOD_NAME", "bar"),
        ("INVOCATION", "foo"),
        ("INVOCATION", "baz"),
        ("INVOCATION", "qux"),
    ]
    # Out of the wrapper altogether: no syntax error, and yet not the whole text.
    assert found("}}}} class A { void a() { {{ last(); next();") == [
        ("METHOD_NAME", "a"),
        ("INVOCATION", "last"),
        ("INVOCATION", "next"),
    ]


def test_statements_members_and_files_are_read_dev_61() -> None:
    assert found('String s = door.name("x");') == [("INVOCATION", "name"), ("STRING", "x")]
    assert found("int a = f();\nvoid g() { h(); }") == [
        ("METHOD_NAME", "g"),
        ("INVOCATION", "f"),
        ("INVOCATION", "h"),
    ]
    file = f"package a.b;\nimport a.MAX_SIZE;\npublic class House {{ {METHOD} Door d = open(); }}"
    names = [("CLASS_NAME", "House"), ("METHOD_NAME", "close")]
    assert found(file) == [*names, *found(METHOD)[1:], ("INVOCATION", "open")]


def test_what_no_parser_reads_is_read_by_signs_dev_61() -> None:
    assert ("INVOCATION", "setText") in found("...\nview.setText(name)\n...")
    assert found("...(open(x)") == [("INVOCATION", "open")]
    assert found("only prose, nothing else") == []
    assert found("") == []


def test_the_wrapper_gives_no_item() -> None:
    assert found("int a = 1;") == []
    assert found("void f() { }") == [("METHOD_NAME", "f")]


@settings(max_examples=150)
@given(st.text(alphabet='ab(){}<>;."/*\\@\n\0é $=,[]', max_size=80))
def test_no_text_raises(code: str) -> None:
    kinds, texts = find_snippet_items(code)
    assert len(kinds) == len(texts)


@pytest.mark.parametrize("piece", ["(", "f(", "new A(){void m(){", '"', "class A{", "@A("])
def test_hostile_nesting_ends(piece: str) -> None:
    # Seconds without the limit on the length; the parser and its callers use no recursion.
    find_snippet_items(piece * MAXIMUM_CHARACTERS)
