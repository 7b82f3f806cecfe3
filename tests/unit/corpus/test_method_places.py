"""Which method declarations are methods of a corpus, by what is around them (DEV-82, DEV-83)."""

import itertools
from pathlib import Path

import pytest

from ncsbench.base.files.storage import read_table
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java.java_terms import MethodPlace
from ncsbench.corpus.layout.corpus_schemas import EXTRACTED_SCHEMA
from ncsbench.corpus.layout.corpus_settings import CorpusSettings, MethodOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.errors import ConfigurationError
from tests.building import build_from

ANONYMOUS = "new Face() { void x() { } }"
PLACES = {
    "class C { void x() { } }": MethodPlace.TYPE,
    "class C { static class D { class E { void x() { } } } }": MethodPlace.TYPE,
    "interface C { default void x() { } }": MethodPlace.TYPE,
    "record C(int a) { void x() { } }": MethodPlace.TYPE,
    "enum C { A { void x() { } } }": MethodPlace.TYPE,
    "enum C { A; void x() { } }": MethodPlace.TYPE,
    f"class C {{ Face f = {ANONYMOUS}; }}": MethodPlace.FIELD_INITIALISER,
    f"class C {{ Face[] f = {{ {ANONYMOUS} }}; }}": MethodPlace.FIELD_INITIALISER,
    "class C { Face f = new Face() { class D { void x() { } } }; }": MethodPlace.FIELD_INITIALISER,
    f"interface C {{ Face F = {ANONYMOUS}; }}": MethodPlace.FIELD_INITIALISER,
    f"enum C {{ A({ANONYMOUS}) }}": MethodPlace.FIELD_INITIALISER,
    f"class C {{ C() {{ f({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    f"class C {{ C() {{ super({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    "class C { C() { class D { void x() { } } } }": MethodPlace.CONSTRUCTOR,
    f"record C(int a) {{ C {{ f({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    f"class C {{ {{ f({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    f"class C {{ static {{ f({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    f"enum C {{ A; {{ f({ANONYMOUS}); }} }}": MethodPlace.CONSTRUCTOR,
    f"class C {{ Face f = new Face() {{ {{ f({ANONYMOUS}); }} }}; }}": MethodPlace.CONSTRUCTOR,
    f"class C {{ void m() {{ f({ANONYMOUS}); }} }}": MethodPlace.METHOD,
    "class C { void m() { class D { void x() { } } } }": MethodPlace.METHOD,
    f"class C {{ Face f = () -> f({ANONYMOUS}); }}": MethodPlace.METHOD,
    f"class C {{ Face f = () -> {{ f({ANONYMOUS}); }}; }}": MethodPlace.METHOD,
    f"class C {{ C() {{ f(() -> f({ANONYMOUS})); }} }}": MethodPlace.METHOD,
    f"class C {{ C() {{ f(new Face() {{ void m() {{ f({ANONYMOUS}); }} }}); }} }}": (
        MethodPlace.METHOD
    ),
}


@pytest.mark.parametrize("source", PLACES)
def test_what_is_around_a_method_dev_82_dev_83(source: str) -> None:
    (method,) = [one for one in parse_methods(source.encode()).methods if one.name == "x"]
    assert method.place is PLACES[source]


def test_what_stands_behind_a_method_is_not_inside_it() -> None:
    source = f"class C {{ Face f = {ANONYMOUS}; void m() {{ f({ANONYMOUS}); }} void n() {{ }} }}"
    found = [(method.name, method.place) for method in parse_methods(source.encode()).methods]
    assert found == [
        ("x", MethodPlace.FIELD_INITIALISER),
        ("m", MethodPlace.TYPE),
        ("x", MethodPlace.METHOD),
        ("n", MethodPlace.TYPE),
    ]


def test_broken_code_has_places_too() -> None:
    parsed = parse_methods(b"class C { void a() { f(new F() { void x() { g(; } }); } void b() { }")
    assert parsed.has_errors
    assert {method.name: method.place for method in parsed.methods} == {
        "a": MethodPlace.TYPE,
        "x": MethodPlace.METHOD,
        "b": MethodPlace.TYPE,
    }


FILE = """\
class C {
    Face field = new Face() { void of_field() { } };
    C() { f(new Face() { void of_constructor() { } }); }
    void outer() { f(new Face() { void of_method() { send("text"); } }); }
}
"""


def build(folder: Path, options: MethodOptions) -> tuple[CorpusFolder, dict[str, list[str]]]:
    """A corpus of one file; its methods' names with the texts of their items."""
    path = folder / "java" / "o" / "r" / "C.java"
    path.parent.mkdir(parents=True)
    path.write_text(FILE)
    source = open_source("directory", str(folder / "java"))
    corpus = build_from(folder, [Repository("o", "r", None)], source, options=options)
    rows = read_table(folder / "0.parquet", EXTRACTED_SCHEMA).to_pylist()
    return corpus, {row["method_name"]: row["texts"] for row in rows}


@pytest.mark.parametrize(
    ("nested", "field_initialisers"),
    [*itertools.product(["left_out", "kept_in_constructors", "kept"], ["kept", "left_out"])],
)
def test_methods_are_left_out_by_place_and_counted_dev_82_dev_83(
    tmp_path: Path, nested: str, field_initialisers: str
) -> None:
    """DEV-82 and DEV-83: nothing is lost without a count; the outer method keeps its items."""
    options = MethodOptions.model_validate(
        {"nested": nested, "field_initialisers": field_initialisers}
    )
    corpus, found = build(tmp_path, options)
    expected = {
        "of_field": field_initialisers == "kept",
        "of_constructor": nested != "left_out",
        "outer": True,
        "of_method": nested == "kept",
    }
    assert list(found) == [name for name, kept in expected.items() if kept]
    assert found["outer"] == ["C", "outer", "f", "Face", "send", "text"]
    manifest = corpus.manifest()
    assert manifest["methods"] == len(found)
    assert manifest["left_out"] == {
        "nested": (not expected["of_constructor"]) + (not expected["of_method"]),
        "field_initialisers": int(not expected["of_field"]),
        "duplicates": 0,
    }
    for line in read_table(corpus.ledger_path, LEDGER_SCHEMA).to_pylist():
        assert line["methods"] == len(found)
        assert line["nested"] == manifest["left_out"]["nested"]
        assert line["field_initialisers"] == manifest["left_out"]["field_initialisers"]


def test_by_default_a_corpus_is_as_the_released_list_dev_82_dev_83(tmp_path: Path) -> None:
    _, found = build(tmp_path, MethodOptions())
    assert list(found) == ["of_field", "outer"]


def test_an_unknown_value_names_the_key() -> None:
    with pytest.raises(ConfigurationError, match=r"corpus\.json: nested.*left_out"):
        CorpusSettings.parse({"nested": "no"}, where="corpus.json")
