"""The fields of a search: what of a method goes where, against the items of the parser."""

from collections import Counter
from pathlib import Path

import pytest

from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.code.java.search_fields import FIELDS, WORD_FIELDS, SearchFields, read_search_fields

SAMPLE = Path(__file__).parents[3] / "resources" / "sample" / "repositories"
CODE = """
public <T> List<String> readAll(Context context, URL url) throws IOException {
    // new Unread("unread")
    ArrayList<String> list = new ArrayList<>();
    list.add(context.getString(R.string.app_name, "two words\\n", Intent.ACTION_VIEW));
    @Named("why") View view = new android.view.View(MAX_SIZE);
    view.setOnClickListener(new OnClickListener() { public void onClick(View v) { } });
    return super.readAll(URL.parse("x").open());
}
"""


def read(code: str, **values: str) -> SearchFields:
    return read_search_fields(code, values.get("owner", ""), values.get("comment"))


def test_every_field_of_a_method_is_read() -> None:
    fields = read(CODE, owner="FileUtils", comment="/** Reads all. */")
    assert list(fields) == list(FIELDS)
    assert fields["name"] == ["read", "all"]
    assert fields["class"] == ["file", "utils"]
    assert " ".join(fields["calls"]) == (
        "add get string set on click listener on click read all parse open"
    )
    assert " ".join(fields["types"]) == (
        "list string context url io exception array list string array list intent view view "
        "on click listener view url list context view"
    )
    assert fields["constants"] == ["app", "name", "action", "view", "max", "size"]
    assert fields["strings"] == ["two", "words", "why", "x"]
    assert fields["doc"] == ["reads", "all"]


def test_unsplit_names_are_those_of_all_fields_but_strings_and_doc() -> None:
    fields = read(CODE, owner="FileUtils", comment="/** Reads all. */")
    assert {"readall", "fileutils", "setonclicklistener", "arraylist", "max_size"} < {
        *fields["unsplit"]
    }
    assert not {"two", "why", "reads", "context_"} & {*fields["unsplit"]}
    assert WORD_FIELDS == FIELDS[:-1]


def test_the_declared_name_is_no_call_and_a_recursion_is_one() -> None:
    assert read("int size() { return 1; }")["calls"] == []
    fields = read_search_fields("Tree(int n) { Tree(n - 1); }", "", None, method_name="Tree")
    assert (fields["name"], fields["calls"]) == (["tree"], ["tree"])


def test_names_in_capitals_are_types_where_a_dot_or_a_name_follows() -> None:
    fields = read("void f(URL url) { URI.create(MAX); int n = R.id.title + Bits.ALL; new UUID(); }")
    assert fields["types"] == ["url", "uri", "bits", "uuid"]
    assert fields["constants"] == ["max", "title", "all"]


def test_what_is_created_is_a_type_even_in_small_letters() -> None:
    assert read("void f() { new point(1); new int[2]; }")["types"] == ["point"]


def test_a_literal_that_is_too_long_or_a_comment_is_no_string() -> None:
    code = 'void f() { a("' + "x" * 301 + '"); /* "y" */ b("z"); char c = \'"\'; }'
    assert read(code)["strings"] == ["z"]


@pytest.mark.parametrize(
    ("comment", "words"),
    [
        ("", []),
        ("/** One, two.\n * Three. */", ["one", "two", "three"]),
        ("/** One.\n *\n * Two. */", ["one"]),
        ("/**\r\n * One.\r\n *\r\n * Two.\r\n */", ["one"]),
        ("/** <p>One <b>two</b> {@code x}.<p>Three */", ["one", "two", "x"]),
        ("/**\n *\n * One.\n * @param two three */", ["one"]),
        ("/** @return one */", []),
        ("/** See {@link A#b}.\n@since 1 */", ["see", "a", "b"]),
    ],
)
def test_doc_is_the_first_paragraph_without_tags(comment: str, words: list[str]) -> None:
    assert read("void f() { }", comment=comment)["doc"] == words


@pytest.mark.parametrize(
    "code", ["", "}{", 'a("', "/* a(", '"""', "new", "a.b.", "R.", "@", "日本.語(", "\0a(\0)", "'"]
)
def test_any_text_has_fields(code: str) -> None:
    assert list(read(code)) == list(FIELDS)


@pytest.mark.parametrize(
    "piece",
    ["a.", "a ", "a\n. ", '"', "'", "/*", "@ ", "new ", "a<", "\\", '"\\', "R.a", "_", "(((", "::"],
)
def test_repeated_pieces_are_read_in_one_pass(piece: str) -> None:
    text = piece * 100_000
    assert list(read(text, comment=f"/** {text}")) == list(FIELDS)


def test_calls_and_created_types_of_the_sample_are_those_of_the_parser() -> None:
    """Beyond what the parser calls a call there are only the methods declared within."""
    calls = Counter[str]()
    for path in sorted(SAMPLE.rglob("*.java")):
        for method in parse_methods(path.read_bytes()).methods:
            fields = read(method.code)
            items = [
                (ItemKind(kind).name, text)
                for kind, text in zip(method.kinds, method.texts, strict=True)
            ]
            assert fields["name"] == split_words(method.name)
            for kind, field in (("INVOCATION", "calls"), ("CREATION", "types")):
                found = Counter(
                    word for one, text in items if one == kind for word in split_words(text)
                )
                assert found <= Counter(fields[field])
                calls[kind] += found.total()
                calls[field] += len(fields[field])
    assert calls["INVOCATION"] < calls["calls"] < 1.02 * calls["INVOCATION"]
