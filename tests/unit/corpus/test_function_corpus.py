"""Corpora of functions: copies, pairs, parts, what no training sees, and what the funnel says."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ncsbench.corpus.function_corpus.annotations import (
    Place,
    QueryWords,
    find_annotated,
    read_url,
)
from ncsbench.corpus.function_corpus.corpus_options import CorpusOptions, PartShares
from ncsbench.corpus.function_corpus.function_corpus import Parts
from ncsbench.corpus.function_corpus.function_duplicates import choose_kept
from ncsbench.errors import ConfigurationError, DataError
from tests.extracted_functions import SHA, build_corpus_of, make_function
from tests.functions_corpus import write_challenge

ALL_TRAIN = dict.fromkeys(("o/a", "o/b", "o/c"), "train")
NEAR = [f"word1_{place}" for place in range(11)] + ["other"]
"""Of twelve identifiers eleven in common with function 1: similarity 11 / 13."""


def stages(manifest: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {line["stage"]: (line["functions"], line["documented"]) for line in manifest["funnel"]}


def test_ids_follow_the_order_and_the_hash_and_bytes_do_not_depend_on_shards(
    tmp_path: Path,
) -> None:
    rows = [make_function("o/a", number) for number in range(5)]
    functions, removed, manifest = build_corpus_of(tmp_path / "one", [rows], parts=ALL_TRAIN)
    build_corpus_of(tmp_path / "two", [rows[:2], [], rows[2:]], parts=ALL_TRAIN)
    assert [row["function_id"] for row in functions] == [0, 1, 2, 3, 4]
    assert removed == []
    assert manifest["functions"] == 5
    assert manifest["pairs"] == {"train": 5, "valid": 0, "test": 0}
    for name in ("functions.parquet", "duplicates.parquet", "manifest.json"):
        one, two = (tmp_path / kind / "corpus" / name for kind in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


def test_a_corpus_without_functions(tmp_path: Path) -> None:
    functions, removed, manifest = build_corpus_of(tmp_path, [[]])
    assert (functions, removed, manifest["functions"]) == ([], [], 0)


def test_filters_of_the_paper_make_no_pair_and_remove_nothing_dev_131(tmp_path: Path) -> None:
    rows = [
        make_function("o/a", 1),
        make_function("o/a", 2, docstring_tokens=[], docstring=""),
        make_function("o/a", 3, docstring_tokens=["Two", "words"]),
        make_function("o/a", 4, end_line=41),
        make_function("o/a", 5, name="readLaTest", identifier="Kind.readLaTest"),
        make_function("o/a", 6, name="run", identifier="Tested.run"),
    ]
    functions, _, manifest = build_corpus_of(tmp_path, [rows], parts=ALL_TRAIN)
    assert [row["is_pair"] for row in functions] == [True, False, False, False, False, True]
    assert list(stages(manifest).items())[3:] == [
        ("without fewer than 10 identifiers", (6, 5)),
        ("documentation of at least 3 tokens", (6, 4)),
        ("at least 3 lines", (6, 3)),
        ("no 'test' in the name", (6, 2)),
        ("in training: not annotated, no copy of such", (6, 2)),
        ("in training: documentation without all words of a query", (6, 2)),
    ]


def test_of_copies_the_one_of_the_most_popular_repository_stays_dev_133(tmp_path: Path) -> None:
    rows = [
        make_function("o/a", 1),
        make_function("o/a", 2),
        make_function("o/b", 1, path="copy.go"),
        make_function("o/c", 7, code_tokens=NEAR),
    ]
    functions, removed, manifest = build_corpus_of(tmp_path / "first", [rows], parts=ALL_TRAIN)
    assert [row["repo"] for row in functions] == ["o/a", "o/a"]
    assert [(row["repo"], row["reason"], row["function_id"]) for row in removed] == [
        ("o/b", "identical tokens", 0),
        ("o/c", "near duplicate", 0),
    ]
    assert list(stages(manifest).items())[:3] == [
        ("extracted", (4, 4)),
        ("without identical tokens", (3, 3)),
        ("without near duplicates", (2, 2)),
    ]
    functions, removed, _ = build_corpus_of(
        tmp_path / "popular", [rows], parts=ALL_TRAIN, ranks={"o/b": 0, "o/a": 1, "o/c": 2}
    )
    assert [(row["repo"], row["start_line"]) for row in functions] == [("o/a", 20), ("o/b", 10)]
    assert {row["function_id"] for row in removed} == {1}
    functions, removed, _ = build_corpus_of(
        tmp_path / "all", [rows], parts=ALL_TRAIN, options={"duplicates": {"kept": "all"}}
    )
    assert (len(functions), removed) == (4, [])


def test_annotated_functions_stay_and_are_preferred_dev_133(tmp_path: Path) -> None:
    rows = [
        make_function("o/a", 1),
        make_function("o/b", 1),
        make_function("o/c", 1),
        make_function("o/c", 3, code_tokens=["short"]),
    ]
    annotated = [
        Place("O/b", SHA, "a.go", 10, 14),
        Place("o/c", SHA, "a.go", 10, 14),
        Place("o/c", SHA, "a.go", 30, 34),
    ]
    functions, removed, manifest = build_corpus_of(
        *(tmp_path / "kept", [rows]),
        parts=ALL_TRAIN,
        annotated=annotated,
        options={"duplicates": {"fewer": "as_released"}},
    )
    assert [row["repo"] for row in functions] == ["o/b", "o/c", "o/c"]
    assert [(row["repo"], row["function_id"]) for row in removed] == [("o/a", 0)]
    assert not any(row["is_pair"] for row in functions)
    assert stages(manifest)["in training: not annotated, no copy of such"] == (3, 0)


def test_few_identifiers_as_released_and_as_meant_dev_133(tmp_path: Path) -> None:
    few = ["one", "two", "(", ")"]
    rows = [make_function("o/a", number, code_tokens=few) for number in (1, 2)]
    rows.append(make_function("o/b", 3))
    functions, removed, _ = build_corpus_of(tmp_path / "meant", [rows], parts=ALL_TRAIN)
    assert [row["start_line"] for row in functions] == [10, 30]
    functions, removed, manifest = build_corpus_of(
        *(tmp_path / "released", [rows]),
        parts=ALL_TRAIN,
        options={"duplicates": {"fewer": "as_released"}},
    )
    assert [row["start_line"] for row in functions] == [30]
    assert [(row["reason"], row["function_id"]) for row in removed] == [
        ("fewer than 10 identifiers", None),
        ("identical tokens", None),
    ]
    assert stages(manifest)["without fewer than 10 identifiers"] == (1, 1)


def test_keywords_and_literals_are_no_identifiers_dev_133(tmp_path: Path) -> None:
    words = ["func", "_b1", "1x", '"text"', "// a b", "+", "é", "return", "a"]
    rows = [
        make_function("o/a", 1, code_tokens=[*words, "a"]),
        make_function("o/b", 2, code_tokens=words),
    ]
    few = {"minimum": 3, "fewer": "as_released"}
    functions, _, _ = build_corpus_of(tmp_path, [rows], options={"duplicates": few})
    assert [row["repo"] for row in functions] == ["o/a"]


def test_the_first_in_the_order_stands_for_its_cluster() -> None:
    clusters = np.array([0, 0, 2, 0])
    none = np.zeros(4, bool)
    assert choose_kept(clusters, np.array([1, 0, 0, 0]), none).tolist() == [1, 1, 2, 1]
    always = np.array([False, False, False, True])
    assert choose_kept(clusters, np.zeros(4, np.int64), always).tolist() == [3, 3, 2, 3]


def test_repositories_are_divided_by_the_md5_of_their_names_dev_132() -> None:
    parts = Parts(PartShares(), {})
    drawn = [parts.find(f"owner/name{number}") for number in range(1000)]
    assert [760 < drawn.count("train") < 840, 70 < drawn.count("test") < 130] == [True, True]
    assert [Parts(PartShares(), {}).find(name) for name in ("o/a", "O/A")] == ["train", "train"]
    assert Parts(PartShares(), {"o/a": "test"}).find("o/a") == "test"
    assert sum(parts.count().values()) == 1000
    assert Parts(PartShares(train=0, valid=0, test=100), {}).find("o/a") == "test"


def test_no_repository_is_in_two_parts_dev_132(tmp_path: Path) -> None:
    rows = [make_function("o/a", 1), make_function("O/A", 2)]
    with pytest.raises(DataError, match="O/A is in the part test and, as o/a, in train"):
        build_corpus_of(tmp_path, [rows], parts={"o/a": "train", "O/A": "test"})


def test_a_manifest_never_speaks_of_other_functions(tmp_path: Path) -> None:
    build_corpus_of(tmp_path, [[make_function("o/a", 1)]])
    manifest = tmp_path / "corpus" / "manifest.json"
    assert manifest.exists()
    rows = [make_function("o/a", 1), make_function("O/A", 2)]
    with pytest.raises(DataError):  # as a kill between its files would
        build_corpus_of(tmp_path, [rows], parts={"o/a": "train", "O/A": "test"})
    assert not manifest.exists()


def test_shares_that_are_no_hundred_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="must sum to 100"):
        CorpusOptions.parse({"parts": {"train": 90}}, where="csn.yaml")


def test_training_sees_no_annotated_function_copy_or_overlap_dev_134(tmp_path: Path) -> None:
    rows = [
        make_function("o/a", 1),
        make_function("o/a", 2, start_line=12, end_line=20),
        make_function("o/a", 3),
        make_function("o/b", 4, code_tokens=NEAR, path="b.go"),
        make_function("o/c", 1, path="c.go"),
    ]
    parts = {"o/a": "train", "o/b": "train", "o/c": "test"}
    annotated = [Place("o/a", "6" * 40, "a.go", 10, 14), Place("o/c", SHA, "c.go", 10, 14)]
    functions, _, _ = build_corpus_of(tmp_path, [rows], parts=parts, annotated=annotated)
    # The one of the test part stays and is a pair: it is tested on, not trained on.
    assert [(row["repo"], row["is_pair"]) for row in functions][-1] == ("o/c", True)


def test_training_sees_no_documentation_with_all_words_of_a_query_dev_134(tmp_path: Path) -> None:
    rows = [
        make_function("o/a", 1, docstring="Sorts a LIST of strings.\n\nReads csv files."),
        make_function("o/a", 2, docstring="Sorts strings."),
        make_function("o/b", 3, docstring="Sorts a list of strings"),
    ]
    functions, _, manifest = build_corpus_of(
        *(tmp_path, [rows]),
        parts={"o/a": "train", "o/b": "valid"},
        queries=["strings, list sorts", "...", "csv reader"],
    )
    assert [row["is_pair"] for row in functions] == [False, True, True]
    assert manifest["pairs"] == {"train": 1, "valid": 1, "test": 0}
    funnel = stages(manifest)
    assert funnel["in training: documentation without all words of a query"] == (3, 2)
    assert not QueryWords(["...", ""]).occur_in("any text ...")


def test_addresses_of_functions(tmp_path: Path) -> None:
    url = f"https://github.com/o/a/blob/{SHA}/src/a b#c.go#L3-L12"
    assert read_url(url) == Place("o/a", SHA, "src/a b#c.go", 3, 12)
    for wrong in ("", url + "x", url.replace("blob", "tree"), url.replace("L12", "L" + "9" * 30)):
        assert read_url(wrong) is None
    path = write_challenge(tmp_path, f"p,{url},1", f"q,{url},2")["annotations"]
    assert find_annotated(path, ("p", "q"), "go") == [Place("o/a", SHA, "src/a b#c.go", 3, 12)]
    path.write_text(path.read_text().replace(SHA, "main"))
    with pytest.raises(
        DataError, match=r"annotations\.csv: 'http.*' is no https://github\.com/OWNER"
    ):
        find_annotated(path, ("p", "q"), "go")
