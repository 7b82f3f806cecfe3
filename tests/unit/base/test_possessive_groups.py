"""Patterns with possessive groups find the same in every Python."""

import random
import re
from pathlib import Path

import pytest
import regex

from ncsbench.base.text import elasticsearch_analyzers, possessive_groups
from ncsbench.base.text.possessive_groups import compile_possessive, make_greedy
from ncsbench.code.java import javadoc, search_fields
from ncsbench.corpus.methods import duplicate_methods
from ncsbench.pairs.leak_checks import leaks

PATTERNS = {
    "standard_analyzer": (elasticsearch_analyzers._TOKEN, "MDBQWUHANKRcfzsSxIpP# "),
    "duplicate_methods": (duplicate_methods._TOKEN, "a1e+\"'\\\n/* "),
    "leak_words": (leaks._TOKEN, "a.\"'\\\n(/* "),
    "leaks": (leaks._METHOD, '@a"\\(){}b/\n '),
    "call_names": (search_fields._NAME_TOKEN, "a(\"'\\\n/* "),
    "javadoc": (javadoc._INLINE_TAG, "{@a }"),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_greedy_groups_find_what_possessive_ones_do(name: str) -> None:
    made, pieces = PATTERNS[name]
    flags = made.flags & (re.DOTALL | re.VERBOSE)
    greedy = re.compile(make_greedy(made.pattern), flags)
    other = regex.compile(made.pattern, flags)  # another engine
    draw = random.Random(3)  # noqa: S311
    for _ in range(4000):
        text = "".join(draw.choices(pieces, k=draw.randrange(1, 25)))
        found = [match.span() for match in other.finditer(text)]
        assert [match.span() for match in made.finditer(text)] == found, text
        assert [match.span() for match in greedy.finditer(text)] == found, text


def test_an_old_python_gets_greedy_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(possessive_groups, "_BROKEN", True)
    given = r"(?:a|b)*+(?:c)++(?:d)?+e*+\)*+"
    assert compile_possessive(given).pattern == r"(?:a|b)*(?:c)+(?:d)?e*+\)*+"


def test_possessive_groups_are_compiled_in_one_place(root: Path) -> None:
    for path in (root / "workflow").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"[^\\]\)[*+?]\+", text) and "\nimport re\n" in text:
            assert "compile_possessive(" in text, path
