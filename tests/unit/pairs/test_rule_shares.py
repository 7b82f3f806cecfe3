"""Shares of the rules against comments among training pairs, beside the published ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import write_table
from ncsbench.evaluation.published.printed_figures import read_published
from ncsbench.pairs.comment_filter.rule_sets import load_rule_set
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pairs.training_pairs.rule_shares import SHARE_COLUMNS, count_rules
from tests.unit.pairs.test_pair_files import pair

QUERIES = [
    "Reads a <b>text</b> file",
    "Reads (all of) a file",
    "@return the length of it",
    "=====",
    "获取状态栏高度 of it",
    "Sets it",
    "Is it a file?",
    "Reads a List<String> from it",
]


def share(
    tmp_path: Path,
    rules: Sequence[str],
    queries: Sequence[str] = QUERIES,
    printed: Mapping[tuple[str, str], int] = {},
) -> list[list[str]]:
    paths = []
    for number, half in enumerate((queries[:3], queries[3:])):
        paths.append(tmp_path / f"{number}.parquet")
        rows = [pair(f"s:{number}:{place}", query) for place, query in enumerate(half)]
        write_table(paths[-1], pa.Table.from_pylist(rows, PAIR_SCHEMA), PAIR_SCHEMA)
    found = count_rules(paths, [load_rule_set(name) for name in rules], printed)
    return [[row[column] for column in SHARE_COLUMNS] for row in found]


def test_every_rule_has_its_share_beside_the_published_one(root: Path, tmp_path: Path) -> None:
    figures = read_published(root / "config" / "published" / "nlqf_tables.csv")
    printed = {(one.table, one.row): int(one.value) for one in figures if one.column == "pairs"}
    rows = share(tmp_path, ["as_published", "as_released"], printed=printed)
    assert rows[:10] == [
        ["as_published", "all", "8", "1.0000", "1.0000"],
        ["as_published", "detach_html_tags", "1", "0.1250", "0.0836"],
        ["as_published", "detach_parentheses", "1", "0.1250", "0.0489"],
        ["as_published", "javadoc_tags", "1", "0.1250", "0.1194"],
        ["as_published", "urls", "0", "0.0000", "0.0016"],
        ["as_published", "non_english", "1", "0.1250", "0.0165"],
        ["as_published", "punctuation", "1", "0.1250", "0.0989"],
        ["as_published", "interrogation", "1", "0.1250", "0.0013"],
        ["as_published", "short_sentence", "1", "0.1250", "0.0385"],
        ["as_published", "retained", "3", "0.3750", "0.7234"],
    ]
    released = {row[1]: row[2:] for row in rows[10:]}
    assert released["detach_html_tags_as_released"] == ["2", "0.2500", "0.0836"]
    assert released["html_tags_left_as_released"] == ["0", "0.0000", ""]
    assert released["retained"][0] == "3"


def test_other_rules_and_no_published_figures(tmp_path: Path) -> None:
    assert share(tmp_path, ["none"]) == [
        ["none", "all", "8", "1.0000", ""],
        ["none", "retained", "8", "1.0000", ""],
    ]


def test_no_pairs_have_no_shares(tmp_path: Path) -> None:
    rows = share(tmp_path, ["as_published"], queries=[])
    assert {tuple(row[2:]) for row in rows} == {("0", "", "")}
