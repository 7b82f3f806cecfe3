"""The fields of methods that DeepCS and CARLCS read."""

from __future__ import annotations

import pytest

from ncsbench.learning.deepcs import method_fields
from ncsbench.learning.deepcs.method_fields import (
    MethodFields,
    read_fields,
    split_description,
    split_query,
)

METHOD = """
@Nullable public static File findXMLFile(Path start, String name2) throws IOException {
    try {
        List<File> foundFiles = listFiles(start.toFile(), "some text");
        for (int i = 0; i < foundFiles.size(); i++) { MAX_COUNT.check(i); }
        return foundFiles.get(0);
    } catch (UncheckedIOException fault) { throw fault.getCause(); }
}"""


def test_a_method_has_a_name_an_api_sequence_and_tokens_dev_186() -> None:
    fields = read_fields(METHOD, "Finder")
    assert fields.name == ["find", "xml", "file"]
    expected = "Path toFile Finder listFiles List < File > size MAX_COUNT check List < File > get"
    assert " ".join(fields.api) == expected
    # Neither the head nor what is caught, no letter alone, no keyword.
    expected = "list file found files start size max count check get fault cause"
    assert " ".join(fields.tokens) == expected


def test_words_lose_digits_and_stop_words_dev_186() -> None:
    assert read_fields("void f() { String toName2 = from; isNew(name); }").tokens == ["name"]


def test_constructors_and_snippets_have_fields_too_dev_186() -> None:
    fields = read_fields("public Point(int left) { this.left = Math.abs(left); }")
    assert fields == MethodFields(["point"], ["Math", "abs"], ["left", "math", "abs"])
    fields = read_fields("File file = new File(path);\nfile.delete();")
    assert fields == MethodFields([], ["File", "new", "File", "delete"], ["file", "path", "delete"])


@pytest.mark.parametrize(
    "code",
    ["", "\0", "}}}{{{", "class", "\ud800 x()", "void f() { " * 3000, "é ü 漢字()", "((" * 9999],
)
def test_broken_code_has_fields(code: str) -> None:
    assert isinstance(read_fields(code), MethodFields)


def test_code_that_takes_too_long_has_words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method_fields, "parse_java_bounded", lambda *_: None)
    assert read_fields("void readFile() {}") == MethodFields([], [], ["read", "file"])


def test_long_words_are_cut() -> None:
    fields = read_fields(f"void {'n' * 9999}() {{ {'o' * 9999}.{'p' * 9999}(); }}")
    assert {len(word) for own in (fields.name, fields.api, fields.tokens) for word in own} == {100}


def test_a_description_is_a_sentence_of_words() -> None:
    assert split_description("Reads the java.io.File, as it is. Or not.\n") == (
        "reads the java io file as it is".split()
    )
    assert split_description("first line\nsecond") == ["first", "line"]
    assert split_description("...") == split_description("") == []


def test_a_query_loses_how_to() -> None:
    assert split_query("How do I read a File?") == ["read", "a", "file"]
    assert split_query("how to: parse how to") == ["parse", "how", "to"]
