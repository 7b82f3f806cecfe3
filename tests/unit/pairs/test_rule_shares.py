"""Shares of the rules against comments among training pairs, beside the published ones."""

import csv
from pathlib import Path

import pyarrow as pa
from typer.testing import CliRunner

from ncsbench.base.files.storage import write_table
from ncsbench.cli.add import training_pairs as app
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
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


def share(tmp_path: Path, *arguments: object, queries: list[str] = QUERIES) -> list[list[str]]:
    paths = []
    for number, half in enumerate((queries[:3], queries[3:])):
        paths.append(tmp_path / f"{number}.parquet")
        rows = [pair(f"s:{number}:{place}", query) for place, query in enumerate(half)]
        write_table(paths[-1], pa.Table.from_pylist(rows, PAIR_SCHEMA), PAIR_SCHEMA)
    call = ["rule-shares", *paths, "-o", tmp_path / "shares.csv", *arguments]
    result = CliRunner().invoke(app, [str(argument) for argument in call])
    assert result.exit_code == 0, result.output
    with (tmp_path / "shares.csv").open(newline="") as file:
        return list(csv.reader(file))


def test_every_rule_has_its_share_beside_the_published_one(root: Path, tmp_path: Path) -> None:
    rows = share(tmp_path, "--published", root / "config" / "published" / "nlqf_tables.csv")
    assert rows[0] == ["rule_set", "rule", "pairs", "share", "published_share"]
    assert rows[1:11] == [
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
    released = {row[1]: row[2:] for row in rows[11:]}
    assert released["detach_html_tags_as_released"] == ["2", "0.2500", "0.0836"]
    assert released["html_tags_left_as_released"] == ["0", "0.0000", ""]
    assert released["retained"][0] == "3"


def test_other_rules_and_no_published_figures(tmp_path: Path) -> None:
    assert share(tmp_path, "--rules", "none")[1:] == [
        ["none", "all", "8", "1.0000", ""],
        ["none", "retained", "8", "1.0000", ""],
    ]


def test_no_pairs_have_no_shares(tmp_path: Path) -> None:
    rows = share(tmp_path, "--rules", "as_published", queries=[])
    assert {tuple(row[2:]) for row in rows[1:]} == {("0", "", "")}
