"""Sets of pairs that a filter or chance takes from another set, or that lack some threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pairs.comment_filter.comment_filter import CommentFilter, save_filter
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.pairs.training_pairs.derived_pairs import (
    THREAD_STEPS,
    derive_pairs,
    leave_out_threads,
    pair_derived,
)
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import (
    DerivedOptions,
    PairOptions,
    parse_pair_options,
)
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.thread_parts import THREAD_PART_SCHEMA, ThreadPart
from ncsbench.pipeline.runs.row_models import load_pair_sets, name_thread_sets
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from tests.unit.pairs.test_pair_files import pair, pair_files
from tests.unit.pairs.test_threads import code, threads_of

QUERIES = [
    "Reads a <b>text</b> file (now)",
    "@return the length of it",
    "Go to the home screen 1 <br>",
    "<p>",
    "Sets it",
    "Reads all of it",
]


def write_set(path: Path, queries: list[str]) -> Path:
    rows = [pair(f"s:{number}", query) for number, query in enumerate(queries)]
    write_table(path, pa.Table.from_pylist(rows, PAIR_SCHEMA), PAIR_SCHEMA)
    return path


def derive(paths: list[Path], **chosen: Any) -> tuple[list[dict[str, str]], Funnel]:
    options = DerivedOptions.parse({"kind": "derived", "of": "raw", **chosen}, where="settings")
    pairs, funnel = derive_pairs(paths, options)
    return [candidate.row for candidate in pairs], funnel


def test_a_filter_cleans_what_it_keeps_and_counts_every_reason_dev_182(tmp_path: Path) -> None:
    rows, funnel = derive([write_set(tmp_path / "raw.parquet", QUERIES)], rules="as_published")
    assert [(row["key"], row["query"]) for row in rows] == [
        ("s:0", "Reads a text file "),
        ("s:2", "Go to the home screen 1 "),
        ("s:5", "Reads all of it"),
    ]
    counts = {row["step"]: (row["kept"], row["removed"]) for row in funnel.rows()}
    assert list(counts.items())[:9] == [
        ("read", ("6", "0")),
        ("not rejected: empty", ("6", "0")),
        ("not rejected: javadoc_tags", ("5", "1")),
        ("not rejected: urls", ("5", "0")),
        ("not rejected: non_english", ("5", "0")),
        ("not rejected: punctuation", ("4", "1")),
        ("not rejected: interrogation", ("4", "0")),
        ("not rejected: short_sentence", ("3", "1")),
        ("no evaluation post", ("0", "0")),
    ]


class Lengths:
    """Stands for a model of comments and its cut: longer comments are worse."""

    def score(self, comments: list[str]) -> NDArray[np.float64]:
        return np.array([len(comment) for comment in comments], np.float64)

    def keeps(self, losses: NDArray[np.float64]) -> NDArray[np.bool_]:
        return losses < 18

    def save(self, folder: Path) -> None:
        raise NotImplementedError

    def as_json(self) -> dict[str, Any]:
        raise NotImplementedError


def test_a_model_is_the_last_reason(tmp_path: Path) -> None:
    path = write_set(tmp_path / "raw.parquet", QUERIES)
    comment_filter = CommentFilter(load_rule_set("as_released"), Lengths(), Lengths())
    options = DerivedOptions(kind="derived", of="raw", filter="folder")
    pairs, funnel = derive_pairs([path], options, comment_filter)
    kept = [one.row["key"] for one in pairs]
    assert kept == ["s:5"]
    assert {"unit": "pair", "step": "not rejected: model", "kept": "1", "removed": "2"} in (
        funnel.rows()
    )


def test_a_set_applies_the_filter_of_a_folder_and_looks_for_leaks_anew(tmp_path: Path) -> None:
    folder = tmp_path / "filter"
    save_filter(CommentFilter(load_rule_set("as_released")), folder, fitted={}, note="")
    settings = DerivedOptions(kind="derived", of="raw", filter=str(folder))
    pair_derived(settings, [write_set(tmp_path / "raw.parquet", QUERIES)], pair_files(tmp_path))
    assert read_table(tmp_path / "output", PAIR_SCHEMA)["key"].to_pylist() == ["s:0", "s:5"]
    # Only without its tag it has the words of an evaluation title.
    assert "s:2,title,1" in (tmp_path / "leaks").read_text()
    assert "pair,not rejected: short_sentence,3,1" in (tmp_path / "funnel").read_text()


def test_a_sample_is_as_large_as_another_set_and_depends_on_seed_and_draw_dev_182(
    tmp_path: Path,
) -> None:
    paths = [write_set(tmp_path / "raw.parquet", [f"Reads it {n}" for n in range(200)])]
    paths.append(write_set(tmp_path / "kept.parquet", QUERIES))
    drawn = {}
    for seed, draw in ((1, 1), (1, 2), (2, 1)):
        sample = {"size_of": "kept", "seed": seed, "draw": draw}
        rows, funnel = derive(paths, sample=sample)
        assert derive(paths, sample=sample)[0] == rows
        drawn[seed, draw] = [int(row["key"].removeprefix("s:")) for row in rows]
        assert drawn[seed, draw] == sorted(set(drawn[seed, draw])) and len(rows) == 6
        assert funnel.rows()[1] == {"unit": "pair", "step": "drawn", "kept": "6", "removed": "194"}
    assert len(set(map(tuple, drawn.values()))) == 3
    assert derive([paths[0], paths[0]], sample={"size_of": "raw"})[0][-1]["key"] == "s:199"


def test_a_sample_of_too_few_pairs_ends_in_one_line(tmp_path: Path) -> None:
    few = write_set(tmp_path / "raw.parquet", QUERIES[:2])
    many = write_set(tmp_path / "kept.parquet", QUERIES)
    with pytest.raises(
        DataError, match="has 2 pairs, and a sample as large as 'kept' needs 6"
    ) as e:
        derive([few, many], sample={"size_of": "kept"})
    assert "\n" not in str(e.value)
    with pytest.raises(DataError, match="1 files of pairs are given, not 2"):
        derive([few], sample={"size_of": "kept"})


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rules": "as_released", "filter": "x"},
        {"rules": "none"},
        {"sample": {}},
        {"filter": ""},
    ],
)
def test_a_derived_set_has_one_way_to_be_made(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="config/pairs/x"):
        parse_pair_options({"kind": "derived", "of": "raw", **given}, where="config/pairs/x.yaml")


def load(root: Path, **sets: str) -> tuple[list[str], dict[str, str]]:
    folder = root / "config" / "pairs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in sets.items():
        (folder / f"{name}.yaml").write_text(text + "\n")
    made, absent = load_pair_sets(root, with_posts=False, files={})
    return sorted(made), absent


DERIVED = "{{kind: derived, of: {}, {}}}".format


def test_what_is_derived_from_an_absent_set_is_absent_too(tmp_path: Path) -> None:
    made, absent = load(
        tmp_path,
        raw="kind: docstrings",
        posts="{kind: posts, tags: [java]}",
        kept=DERIVED("raw", "rules: as_released"),
        few=DERIVED("raw", "sample: {size_of: kept}"),
        few_posts=DERIVED("raw", "sample: {size_of: of_posts}"),
        of_posts=DERIVED("posts", "rules: as_released"),
        fitted=DERIVED("raw", f"filter: {tmp_path}/none"),
    )
    assert made == ["few", "kept", "raw"]
    assert absent["of_posts"] == ("it is made of the pairs 'posts', and the dataset has no 'posts'")
    assert "the dataset has no 'posts'" in absent["few_posts"]
    assert absent["fitted"] == f"there is no file {tmp_path}/none/filter.json"


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ({"a": DERIVED("a", "rules: as_released")}, "'a' would be made of itself"),
        (
            {"a": DERIVED("b", "rules: as_released"), "b": DERIVED("a", "rules: as_released")},
            "would be made of itself",
        ),
        ({"a": DERIVED("raw", "sample: {size_of: rew}")}, "'rew' is no set of pairs; did you"),
    ],
)
def test_sets_derived_from_themselves_or_from_nothing_end_in_one_line(
    tmp_path: Path, sets: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        load(tmp_path, raw="kind: docstrings", **sets)


SELECTED, TRAINED = code(1), code(2)
PAIRS = [
    pair("stackoverflow:77:1", "another title", "f(x);", "https://stackoverflow.com/a/77"),
    pair("stackoverflow:78:1", "another title", code(9)),
    pair("github:a/b#L1", "a file read", code(8)),
    pair("github:a/b#L2", "reads it", f"void m() {{ {SELECTED} }}"),
    pair("set:1", "reads it so", SELECTED.replace(".", " . ")),
    pair("github:a/b#L3", "writes it", TRAINED),
]


def write_files(folder: Path) -> Path:
    table = threads_of((70, "Read a file", SELECTED), (71, "Write a file", TRAINED))
    rows = table.to_pylist()
    rows[0] |= {"question_url": "https://stackoverflow.com/q/70"}
    write_table(
        folder / "threads.parquet", pa.Table.from_pylist(rows, QUESTION_SCHEMA), QUESTION_SCHEMA
    )
    parts = {"query_id": [1, 2], "part": ["selection", "training"], "group": [70, 71]}
    write_table(
        folder / "thread_parts.parquet", pa.table(parts, THREAD_PART_SCHEMA), THREAD_PART_SCHEMA
    )
    pairs = [row | {"query_url": ""} for row in PAIRS]
    # An answer of the thread that is not the chosen one.
    pairs[0]["query_url"] = "https://stackoverflow.com/questions/70/read-a-file"
    path = folder / "pairs.parquet"
    write_table(path, pa.Table.from_pylist(pairs, PAIR_SCHEMA), PAIR_SCHEMA)
    return path


def leave_out(
    folder: Path, *parts: ThreadPart, excluded: tuple[str, ...] = ()
) -> tuple[list[str], list[str]]:
    funnel = Funnel(THREAD_STEPS)
    left = leave_out_threads(write_files(folder), folder, parts, funnel, excluded)
    return [one.row["key"] for one in left], [row["removed"] for row in funnel.rows()[:4]]


def test_pairs_with_a_post_a_title_or_nearly_the_code_of_a_thread_leave_the_set(
    tmp_path: Path,
) -> None:
    keys, removed = leave_out(tmp_path, "selection", "test")
    assert keys == ["stackoverflow:78:1", "github:a/b#L3"]
    assert removed == ["0", "1", "1", "2"]


def test_threads_of_other_parts_stay_in_the_set(tmp_path: Path) -> None:
    assert leave_out(tmp_path, "training")[0] == [row["key"] for row in PAIRS[:5]]
    assert leave_out(tmp_path, "test")[0] == [row["key"] for row in PAIRS]


def test_pairs_with_an_excluded_key_leave_the_set(tmp_path: Path) -> None:
    keys, _ = leave_out(tmp_path, "test", excluded=("github:a/b#L3", "no such key"))
    assert keys == [row["key"] for row in PAIRS if row["key"] != "github:a/b#L3"]
    with pytest.raises(ConfigurationError, match="excluded_keys go with without_threads"):
        DerivedOptions.parse(
            {"kind": "derived", "of": "x", "rules": "as_released", "excluded_keys": ["a"]},
            where="x.yaml",
        )


def test_a_set_without_threads_needs_the_folder_of_the_threads(tmp_path: Path) -> None:
    pairs, files = [write_files(tmp_path)], pair_files(tmp_path)
    settings = DerivedOptions(kind="derived", of="x", without_threads=("training", "selection"))
    with pytest.raises(ConfigurationError, match="without_threads needs threads; give --threads"):
        pair_derived(settings, pairs, files)
    pair_derived(settings, pairs, files, tmp_path)
    assert read_table(tmp_path / "output", PAIR_SCHEMA)["key"].to_pylist() == ["stackoverflow:78:1"]
    assert "pair,no snippet of a thread,1,3" in (tmp_path / "funnel").read_text()


def test_parts_of_threads_are_known_by_name() -> None:
    for parts in ([], ["fold0"], ["test", "test"]):
        with pytest.raises(ConfigurationError, match="without_threads"):
            DerivedOptions.parse(
                {"kind": "derived", "of": "x", "without_threads": parts}, where="x.yaml"
            )


def test_without_posts_there_are_no_sets_without_threads(tmp_path: Path) -> None:
    sets = {
        "raw": "kind: docstrings",
        "apart": "{kind: derived, of: raw, without_threads: [test]}",
        "few": "{kind: derived, of: apart, rules: as_released}",
        "kept": "{kind: derived, of: raw, rules: as_released}",
    }
    made, absent = load(tmp_path, **sets)
    assert made == ["kept", "raw"]
    assert absent == {
        "apart": "the dataset has no 'posts'",
        "few": "it is made of the pairs 'apart', and the dataset has no 'posts'",
    }
    with_posts, _ = load_pair_sets(tmp_path, with_posts=True, files={})
    assert name_thread_sets(with_posts) == ["apart", "few"]


def test_a_set_without_threads_is_derived_from_the_file_of_its_pairs(tmp_path: Path) -> None:
    def read(raw: str, **more: str) -> dict[str, PairOptions]:
        load(tmp_path, raw=raw, **more)
        return load_pair_sets(tmp_path, with_posts=True, files={})[0]

    sets = read("{kind: docstrings, threadless: apart, excluded_keys: [a]}")
    assert sets["raw"].as_json() == {"kind": "docstrings"}  # what the set itself is made with
    assert sets["apart"].as_json() == {
        **{"kind": "derived", "of": "raw", "without_threads": ["selection", "test"]},
        "excluded_keys": ["a"],
    }
    assert load(tmp_path)[1] == {"apart": "the dataset has no 'posts'"}
    for name in ("raw", "other"):
        with pytest.raises(ConfigurationError, match=f"another set is called '{name}'; rename one"):
            read(f"{{kind: docstrings, threadless: {name}}}", other="kind: docstrings")


def test_a_shipped_set_of_each_source_is_without_held_out_threads(root: Path) -> None:
    files = {"deepcs_10k": str(root / "README.md"), "neuralcodesum_java": str(root / "README.md")}
    sets, _ = load_pair_sets(root, with_posts=True, files=files)
    without = [getattr(sets[name], "without_threads", None) for name in name_thread_sets(sets)]
    assert without == [("selection", "test")] * 5
