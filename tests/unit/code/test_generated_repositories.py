"""Repositories generated for measurements: the same bytes, whole Java, words as Heaps' law has."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_methods import parse_methods
from ncsbench.code.java.java_terms import RESERVED
from tests.generated_repositories import (
    EXPONENT,
    FACTOR,
    Base,
    invent_word,
    read_dataset,
    write_store,
)


@pytest.fixture(scope="module")
def base(root: Path) -> Base:
    return read_dataset("sample", root, seed=1)


def test_copies_have_the_methods_of_the_base_without_syntax_errors(base: Base) -> None:
    for place, piece in enumerate(base.pieces):
        originals = base.make_files(place)
        assert [data.decode() for _, data in originals] == [text for _, text in piece.files]
        copies = base.make_files(len(base.pieces) + place)
        assert copies != replace(base, seed=2).make_files(len(base.pieces) + place)
        for (path, old), (same, new) in zip(originals, copies, strict=True):
            before, after = parse_methods(old), parse_methods(new)
            assert path == same
            assert old != new
            assert before.has_errors == after.has_errors
            assert [(one.start_line, one.tokens) for one in before.methods] == [
                (one.start_line, one.tokens) for one in after.methods
            ]


def test_a_store_is_the_same_bytes_where_it_went_on(base: Base, tmp_path: Path) -> None:
    written = []
    for name, sizes in {"whole": [1500], "killed": [400, 1500]}.items():
        store = tmp_path / name
        for methods in sizes:
            write_store(base, methods=methods, store=store, listed=tmp_path / f"{name}.csv")
        written.append({path.name: path.read_bytes() for path in store.rglob("*.*")})
    assert written[0] == written[1]


def test_names_are_renamed_and_java_stays_java() -> None:
    base = Base((), 1, frozenset({"text", "size", "get"}), ("gizmo", "gadget"), 3.0)
    rename = base.rename_words(1)
    text = 'for (int gizmo = 0x1Gizmo; ; ) { "\\ngizmo \\u0041gizmo"; getGizmo(text, 1L); }'
    new = rename(text)
    (word,) = set(re.findall(r"int (\w+)", new))
    assert word != "gizmo"
    assert new == (
        f'for (int {word} = 0x1Gizmo; ; ) {{ "\\n{word} \\u0041{word}"; '
        f"get{word.capitalize()}(text, 1L); }}"
    )
    assert rename("Gizmo GIZMO") == f"{word.capitalize()} {word.upper()}"
    assert base.rename_words(2)("gizmo") != word


def test_invented_words_are_distinct_and_none_is_reserved() -> None:
    words = [invent_word(number) for number in range(20_000)]
    assert len(set(words)) == len(words)
    assert not RESERVED.intersection(words)
    assert all(split_words(word) == [word] for word in words)


def test_the_words_of_the_sample_s_copies_grow_as_those_of_real_corpora(base: Base) -> None:
    words: set[str] = set()
    methods = number = 0
    while methods < 8_000:
        for _, data in base.make_files(number):
            found = parse_methods(data).methods
            methods += len(found)
            words.update(word for one in found for text in one.texts for word in split_words(text))
        number += 1
    assert len(words) == pytest.approx(FACTOR * methods**EXPONENT, rel=0.4)
