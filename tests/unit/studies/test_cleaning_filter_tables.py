"""Tables 4, 6 and 7 and figures 1 and 4 of the study of cleaning, from made-up comments."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import Row, read_rows
from ncsbench.base.files.storage import write_table
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.studies.icse_2022.cell_settings import FilterTableSettings
from ncsbench.studies.icse_2022.filter_tables import (
    FIGURE1_COLUMNS,
    TABLE4_COLUMNS,
    TABLE6_COLUMNS,
    TABLE7_COLUMNS,
    cochran_sample_size,
    describe_comments,
    order_rules,
    printed_sample_size,
    write_comment_features,
    write_filter_table,
    write_table7,
)
from tests.unit.pairs.test_pair_files import pair

COMMENTS = [
    "Reads a <b>text</b> file",
    "Reads (all of) a file",
    "@return the length of it",
    "see http://a.b for it",
    "Is it a file?",
    "Sets it",
    "the internal state of this thing",
    "Sorts a list of numbers",
]
SETTINGS = FilterTableSettings(rules="as_published")
KEPT = {0: "Reads a text file", 7: "Sorts a list of numbers"}


def write_pairs(path: Path, comments: dict[int, str]) -> Path:
    rows = [pair(f"s:{number}", comment) for number, comment in comments.items()]
    write_table(path, pa.Table.from_pylist(rows, PAIR_SCHEMA), PAIR_SCHEMA)
    return path


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "raw.parquet", dict(enumerate(COMMENTS)))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "kept.parquet", KEPT)


@pytest.fixture
def published(root: Path) -> Path:
    return root / "config/published/nlqf_tables.csv"


def table4(raw: Path, kept: Path | None, published: Path | None) -> dict[str, Row]:
    output = raw.parent / "table4.csv"
    write_filter_table(SETTINGS, "table4", raw, output, kept, published)
    return {row["group"]: row for row in read_rows(output, TABLE4_COLUMNS)}


def test_comments_are_counted_by_group(raw: Path, kept: Path, published: Path) -> None:
    rows = table4(raw, kept, published)
    assert {group: row["comments"] for group, row in rows.items()} == {
        **{"original": "8", "detach_html_tags": "1", "detach_parentheses": "1"},
        **{"javadoc_tags": "1", "urls": "1", "non_english": "0", "punctuation": "0"},
        **{"interrogation": "1", "short_sentence": "1", "in total": "6", "rejected": "4"},
        **{"model": "2", "retained": "2"},
    }
    assert (rows["urls"]["does"], rows["detach_html_tags"]["does"]) == ("rejects", "detaches")
    assert (rows["in total"]["share"], rows["in total"]["published_share"]) == ("0.7500", "0.4088")
    assert rows["retained"]["published_comments"] == "192031"
    assert rows["rejected"]["published_as"] == ""
    assert (rows["model"]["published_share_0"], rows["model"]["published_likeness"]) == (
        *("0.859", "0.20"),
    )
    assert {row["note"] for row in rows.values()} == {""}


def test_what_is_not_made_says_so(raw: Path) -> None:
    rows = table4(raw, None, None)
    assert (rows["model"]["comments"], rows["model"]["note"]) == ("", "not made")
    assert (rows["retained"]["comments"], rows["rejected"]["comments"]) == ("", "4")
    assert {row["published_as"] for row in rows.values()} == {""}


@pytest.mark.parametrize(
    ("population", "size"),
    [(394_471, 384), (32_989, 380), (640, 240), (516, 220), (93_457, 383), (1, 1), (0, 0)],
)
def test_sample_sizes_are_cochrans_dev_198(population: int, size: int) -> None:
    assert cochran_sample_size(population) == size
    assert printed_sample_size(population) in (384, 385) or population < 2


def test_the_printed_formula_asks_for_more_people_the_fewer_comments_there_are_dev_198() -> None:
    """(z^2 p (1-p) / c^2) / (1 + (z^2 p (1-p) / (c^2 - 1)) / N), by hand."""
    found = [printed_sample_size(size) for size in (394_471, 516, 100, 1)]
    assert found == [384, 385, 388, 10_329]


def test_steps_stand_in_the_papers_order_dev_198(raw: Path, kept: Path, published: Path) -> None:
    output = raw.parent / "table6.csv"
    write_filter_table(SETTINGS, "table6", raw, output, kept, published)
    rows = read_rows(output, TABLE6_COLUMNS)
    assert [(row["rule"], row["discarded"], row["retained"]) for row in rows] == [
        *(("original", "", "8"), ("detach_html_tags", "1", "8"), ("detach_parentheses", "1", "8")),
        *(("javadoc_tags", "1", "7"), ("urls", "1", "6"), ("non_english", "0", "6")),
        *(("punctuation", "0", "6"), ("interrogation", "1", "5"), ("short_sentence", "1", "4")),
        ("model", "2", "2"),
    ]
    last = rows[-1]
    assert (last["published_discarded"], last["published_retained"]) == ("615484", "1048519")
    assert (last["share_retained"], last["published_share_retained"]) == ("0.2500", "0.4235")
    assert rows[0]["published_retained"] == rows[1]["published_retained"] == "2475692"
    write_filter_table(SETTINGS, "table6", raw, output)
    last = read_rows(output, TABLE6_COLUMNS)[-1]
    assert (last["retained"], last["note"], last["published_retained"]) == ("", "not made", "")


def test_released_rules_in_the_papers_order_keep_the_same_dev_198() -> None:
    ordered, own = order_rules("as_released"), load_rule_set("as_released")
    names = [rule.name for rule in ordered.rules]
    assert names[:3] == [
        *("detach_html_tags_as_released", "detach_parentheses_as_released"),
        "javadoc_tags_as_released",
    ]
    assert names[-1] == "html_tags_left_as_released"
    assert sorted(names) == sorted(rule.name for rule in own.rules)
    assert order_rules("as_published").rules == load_rule_set("as_published").rules
    for comment in COMMENTS:
        verdicts = [rules.judge(comment) for rules in (ordered, own)]
        assert len({not verdict.rejected_by for verdict in verdicts}) == 1


def test_sets_stand_beside_those_of_others(kept: Path, published: Path, tmp_path: Path) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    filtered = kept.rename(sets / "filtered.parquet")
    raw = write_pairs(sets / "raw.parquet", dict(enumerate(COMMENTS)))
    output = tmp_path / "table7.csv"
    write_table7([raw, filtered], output, published)
    rows = {
        row["published_as"] or row["data_set"]: row for row in read_rows(output, TABLE7_COLUMNS)
    }
    assert (rows["filtered"]["pairs"], rows["CSN (Java)"]["pairs"]) == ("2", "8")
    of_raw = rows["CSN (Java)"]
    assert (of_raw["published_pairs"], of_raw["published_likeness"]) == ("543000", "0.27")
    assert rows["COFIC"]["note"] == "not made"
    assert rows["StaQC, SQL"]["note"] == "data of others, not at hand"
    assert [row["published_likeness"] for row in rows.values()].count("") == 1


FEATURES = [
    "Reads a <b>text</b> (or more) of it",
    "@return",
    "see http://a.b?",
    "=====",
    "the state of this thing",
    "(all)",
]


def test_every_feature_of_a_comment_counts(root: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.parquet"
    rows = [pair(f"s:{number}", comment) for number, comment in enumerate(FEATURES)]
    write_table(raw, pa.Table.from_pylist(rows, PAIR_SCHEMA), PAIR_SCHEMA)
    published = root / "config/published/nlqf_tables.csv"
    write_comment_features(raw=raw, published=published, output=tmp_path / "f.csv")
    found = {row["feature"]: row for row in read_rows(tmp_path / "f.csv", FIGURE1_COLUMNS)}
    counts = {name: row["comments"] for name, row in found.items() if row["comments"]}
    assert counts == {
        **{"original": "6", "detach_html_tags": "1", "detach_parentheses": "2"},
        **{"javadoc_tags": "1", "urls": "1", "non_english": "0", "punctuation": "1"},
        **{"interrogation": "1", "short_sentence": "4", "any of them": "5"},
    }
    assert found["short_sentence"]["share"] == "0.6667"
    assert found["urls"]["published_comments"] == "640"
    assert found["any of them"]["published_share"] == "0.4088"
    words = [len(comment.split()) for comment in FEATURES]
    assert found["words, mean"]["value"] == f"{sum(words) / 6:.2f}"
    assert found["words, percentile 50"]["value"] == "1.50"
    assert found["characters, percentile 95"]["published_share"] == ""


def test_no_comments_have_no_shares() -> None:
    rows = describe_comments([], {})
    assert {row["share"] for row in rows} == {""}
    assert rows[-1]["feature"] == "any of them"
