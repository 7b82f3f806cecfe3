"""Sets of pairs that a filter or chance takes from another set."""

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
from ncsbench.pairs.training_pairs.derived_pairs import derive_pairs, pair_derived
from ncsbench.pairs.training_pairs.pair_files import Funnel
from ncsbench.pairs.training_pairs.pair_options import DerivedOptions, parse_pair_options
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.runs.row_models import load_pair_sets
from tests.unit.pairs.test_pair_files import pair, pair_files

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
