"""Training data hold neither positives of a benchmark, nor near copies, nor queries."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncsbench.corpus.methods.duplicate_methods import find_identifiers
from ncsbench.corpus.methods.near_join import Nearness, find_first_near
from ncsbench.pairs.leak_checks.benchmark_overlap import (
    BenchmarkGuard,
    Overlap,
    Positive,
    keep_apart,
)
from tests.unit.pairs.test_pair_files import pair

SHA = "5" * 40
URL = f"https://github.com/Ann/App/blob/{SHA}/src/A.java#L10-L20"
READ = """String readAll(File file) throws IOException {
    StringBuilder text = new StringBuilder();
    BufferedReader reader = new BufferedReader(new FileReader(file));
    String line = reader.readLine();
    while (line != null) {
        text.append(line).append('\\n');
        line = reader.readLine();
    }
    reader.close();
    return text.toString();
}"""
OTHER = "int add(int one, int two) { return one + two; }"
GUARD = BenchmarkGuard(
    [Positive("read", READ, URL), Positive("add", OTHER)],
    ["convert int to string", "How to go to the home screen in Android?", "?"],
)


def reasons(code: str, url: str = "", guard: BenchmarkGuard = GUARD) -> tuple[str, str] | None:
    found = guard.find_code(code, url)
    return None if found is None else (found.reason, found.held)


@pytest.mark.parametrize(
    "copy",
    [
        READ,
        READ.replace("\n", "\r\n\t"),
        READ.replace("text.append", "// so\n/* it */ text . append"),
        " ".join(READ.split()),
    ],
)
def test_a_copy_in_another_layout_is_equal_dev_181(copy: str) -> None:
    assert reasons(copy) == ("equal", "read")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("readAll", "slurp"),
        ("line", "row"),
        ("'\\n'", "'\\r'"),
        ("reader.close();", "reader.close();\n    log(text);"),
        ("throws IOException ", ""),
        ("String readAll", "@Override\npublic static String readAll"),
    ],
)
def test_a_copy_with_few_changes_is_near_dev_181(old: str, new: str) -> None:
    assert reasons(READ.replace(old, new)) == ("near", "read")


def test_other_code_and_short_code_with_another_name_hold_nothing() -> None:
    assert reasons("void f() { g(); }") is None
    assert reasons("int sum(int one, int two) { return one + two; }") is None
    assert reasons("") is None
    renamed = READ
    for word in set(find_identifiers(READ)):
        renamed = renamed.replace(word, word + "2")
    assert reasons(renamed) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (URL, ("place", "read")),
        (URL.replace("Ann/App", "ann/app").replace(SHA, "6" * 40), ("place", "read")),
        (URL.replace("L10-L20", "L20-L31"), ("place", "read")),
        (URL.replace("L10-L20", "L21-L31"), None),
        (URL.replace("A.java", "B.java"), None),
        (URL.replace("Ann", "Bob"), None),
        ("https://stackoverflow.com/a/201", None),
        ("no address", None),
    ],
)
def test_whatever_shares_a_line_with_a_positive_is_left_out_at_any_commit_dev_181(
    url: str, expected: tuple[str, str] | None
) -> None:
    assert reasons("void f() { g(); }", url) == expected


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("How to convert a String to an int?", "convert int to string"),
        ("Convert: int -> to STRING", "convert int to string"),
        ("Converts an int to a string", None),
        ("How to go to the home screen", "How to go to the home screen in Android?"),
        ("java: how to go to the home-screen", "How to go to the home screen in Android?"),
        ("home screen", None),
        ("", None),
        ("?", None),
    ],
)
def test_a_text_with_all_words_of_a_query_is_left_out_dev_181(text: str, held: str | None) -> None:
    found = GUARD.find_text(text)
    assert (found and found.held) == held
    assert found is None or found.reason == "query"


def test_what_is_left_out_stands_in_the_ledger() -> None:
    ledger: list[dict[str, str]] = []
    pairs = [
        pair("p:1", code=READ.replace("line", "row")),
        pair("p:2"),
        pair("p:3", query="convert int to string fast"),
        pair("p:4", url=URL),
    ]
    keyed = ((row["key"], row) for row in pairs)

    def find(row: dict[str, str]) -> Overlap | None:
        return GUARD.find(row["query"], row["code"], row["code_url"])

    assert [row["key"] for row in keep_apart(keyed, find, ledger)] == ["p:2"]
    titles = [("t:1", "Convert string to int"), ("t:2", "Sort a list")]
    assert list(keep_apart(titles, GUARD.find_text, ledger)) == ["Sort a list"]
    assert [tuple(row.values()) for row in ledger] == [
        ("p:1", "near", "read"),
        ("p:3", "query", "convert int to string"),
        ("p:4", "place", "read"),
        ("t:1", "query", "convert int to string"),
    ]


def test_an_empty_benchmark_holds_nothing_back() -> None:
    assert BenchmarkGuard([]).find("a text", READ, URL) is None


BAGS = st.lists(st.sampled_from([f"a{number}" for number in range(14)]), max_size=24)


@given(st.lists(BAGS, max_size=4), BAGS, st.sampled_from([0.5, 0.8, 1.0]))
def test_near_is_what_the_join_of_corpora_calls_near(
    positives: list[list[str]], bag: list[str], jaccard: float
) -> None:
    nearness = Nearness(jaccard, 0.7, minimum=5)
    expected = None
    for number, other in enumerate(positives):
        tokens = np.array([int(word[1:]) for word in [*other, *bag]], np.int32)
        offsets = np.array([0, len(other), len(tokens)], np.int64)
        if expected is None and find_first_near(offsets, tokens, nearness).tolist() == [0, 0]:
            expected = f"{number}"
    guard = BenchmarkGuard(
        [Positive(f"{number}", ", ".join(one)) for number, one in enumerate(positives)],
        nearness=nearness,
    )
    # Other separators: what is equal token by token would be said to be equal.
    found = reasons(" + 0 + ".join(bag) + " + 1", guard=guard)
    assert found == (None if expected is None else ("near", expected))


@pytest.mark.parametrize("part", ["a", "/*", "a b ", '"\\', "@a("])
def test_a_megabyte_of_anything_is_compared_in_one_go(part: str) -> None:
    text = part * (1_000_000 // len(part))
    assert GUARD.find(text, text) is None
