"""Repositories generated for measurements: the same bytes, whole Java, words as Heaps' law has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ncsbench.corpus.generated_repositories import (
    EXPONENT,
    FACTOR,
    Base,
    Piece,
    WordModel,
    invent_word,
    make_word_model,
    name_repository,
    read_base,
    rename_words,
    write_store,
)
from ncsbench.errors import ConfigurationError
from ncsbench.languages.java_methods import parse_methods
from ncsbench.languages.java_terms import RESERVED
from ncsbench.sources.listing import open_source
from ncsbench.sources.repositories import read_repositories
from ncsbench.text.words import split_words

MODEL = WordModel(("text", "size"), ("gizmo", "gadget"), 3.0, frozenset({"getGizmo"}))


@pytest.fixture(scope="module")
def base(root: Path) -> Base:
    sample = root / "resources/sample"
    listed = read_repositories(sample / "repositories.csv").repositories
    return read_base(listed, open_source("directory", str(sample / "repositories")), seed=1)


def test_a_repository_depends_on_base_seed_and_number_alone(base: Base) -> None:
    number = len(base.pieces) + 3
    first = base.make_files(number)
    assert first == base.make_files(number)
    assert first != base.make_files(number + len(base.pieces))
    assert first != Base(base.pieces, base.model, 2).make_files(number)
    assert base.list_repositories(3000)[:5] == base.list_repositories(2000)[:5]
    assert name_repository(1, 7) != name_repository(2, 7)


def test_copies_have_the_methods_of_the_base_without_syntax_errors(base: Base) -> None:
    for place, piece in enumerate(base.pieces):
        originals = base.make_files(place)
        assert [data.decode() for _, data in originals] == [text for _, text in piece.files]
        copies = base.make_files(len(base.pieces) + place)
        for (path, old), (same, new) in zip(originals, copies, strict=True):
            before, after = parse_methods(old), parse_methods(new)
            assert path == same
            assert old != new
            assert before.has_errors == after.has_errors
            assert [(one.start_line, one.tokens) for one in before.methods] == [
                (one.start_line, one.tokens) for one in after.methods
            ]


def test_a_store_goes_on_after_a_kill_with_the_same_bytes(base: Base, tmp_path: Path) -> None:
    written = []
    for name in ("whole", "killed"):
        store, listed = tmp_path / name, tmp_path / f"{name}.csv"
        if name == "killed":
            stopped = Base(base.pieces, base.model, base.seed)
            made: list[int] = []

            def make(number: int, base: Base = base, made: list[int] = made) -> object:
                made.append(number)
                if len(made) > 5:
                    raise KeyboardInterrupt
                return base.make_files(number)

            object.__setattr__(stopped, "make_files", make)
            with pytest.raises(KeyboardInterrupt):
                write_store(stopped, methods=1500, store=store, listed=listed)
        count = write_store(base, methods=1500, store=store, listed=listed)
        written.append({path.name: path.read_bytes() for path in store.rglob("*.*")})
        assert count == len(read_repositories(listed).repositories)
    assert written[0] == written[1]


def test_names_are_renamed_and_java_stays_java() -> None:
    rename = rename_words(MODEL, seed=1, copy=1)
    text = 'for (int gizmo = 0x1Gizmo; ; ) { "\\ngizmo \\u0041gizmo"; getGizmo(text, 1L); }'
    new = rename(text)
    (word,) = set(re.findall(r"int (\w+)", new))
    assert word != "gizmo"
    assert new == (
        f'for (int {word} = 0x1Gizmo; ; ) {{ "\\n{word} \\u0041{word}"; getGizmo(text, 1L); }}'
    )
    assert rename("Gizmo GIZMO") == f"{word.capitalize()} {word.upper()}"
    assert rename_words(MODEL, seed=1, copy=2)("gizmo") != word


def test_invented_words_are_distinct_and_none_is_reserved() -> None:
    words = [invent_word(number) for number in range(20_000)]
    assert len(set(words)) == len(words)
    assert not RESERVED.intersection(words)
    assert all(split_words(word) == [word] for word in words)


def test_drawn_words_follow_heaps_law() -> None:
    rare = [f"x{invent_word(number)}" for number in range(50)]
    others = [Piece((("B.java", "text size"),), 0, frozenset())] * 39
    model = make_word_model([Piece((("A.java", " ".join(rare)),), 25, frozenset(rare)), *others])
    found: set[str] = set()
    for copy in range(1, 4001):  # of 25 methods
        rename = rename_words(model, seed=3, copy=copy)
        found.update(rename(word) for word in rare)
        if copy in (400, 1200, 4000):
            assert len(found) == pytest.approx(FACTOR * (25 * copy) ** EXPONENT, rel=0.15)


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


def test_a_base_without_methods_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("repo,commit\no/r,\n")
    listed = read_repositories(tmp_path / "list.csv").repositories
    with pytest.raises(ConfigurationError, match="has no methods"):
        read_base(listed, open_source("directory", str(tmp_path)), seed=1)
