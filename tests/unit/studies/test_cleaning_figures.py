"""Figures 1 and 4 of the study of cleaning: features of comments, measures by share kept."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.base.files.storage import write_table
from ncsbench.errors import DataError
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.studies.icse_2022.filter_tables import (
    FIGURE1_COLUMNS,
    describe_comments,
    write_comment_features,
)
from ncsbench.studies.icse_2022.main_tables import COLUMNS as TABLE_COLUMNS
from ncsbench.studies.icse_2022.percentile_figure import draw_percentiles
from tests.unit.pairs.test_pair_files import pair

COMMENTS = [
    "Reads a <b>text</b> (or more) of it",
    "@return",
    "see http://a.b?",
    "=====",
    "the state of this thing",
    "(all)",
]


def test_every_feature_of_a_comment_counts(root: Path, tmp_path: Path) -> None:
    raw = tmp_path / "raw.parquet"
    rows = [pair(f"s:{number}", comment) for number, comment in enumerate(COMMENTS)]
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
    words = [len(comment.split()) for comment in COMMENTS]
    assert found["words, mean"]["value"] == f"{sum(words) / 6:.2f}"
    assert found["words, percentile 50"]["value"] == "1.50"
    assert found["characters, percentile 95"]["published_share"] == ""


def test_no_comments_have_no_shares() -> None:
    rows = describe_comments([], {})
    assert {row["share"] for row in rows} == {""}
    assert rows[-1]["feature"] == "any of them"


def write_table5(path: Path, *, ours: bool, published: bool) -> Path:
    rows = []
    for model in ("deepcs", "carlcs"):
        for number, kept in enumerate(("1.0000", "0.2500", "0.6730")):
            row = dict.fromkeys(TABLE_COLUMNS, "")
            row |= {"model": model, "benchmark": "codesearchnet", "training_set": f"set{number}"}
            if ours:
                row |= {"share_of_rules": kept, "queries": "100", "mrr_10": "0.3000"}
                row |= {"mrr_10_low": "0.2000", "mrr_10_high": "0.4000"}
                row |= {f"answered_{k}": str(k + number) for k in (1, 5, 10)}
            if published:
                row |= {"published_share_of_rules": kept, "published_mrr_10": "0.420"}
                row |= {f"published_answered_{k}": str(40 * k) for k in (1, 5, 10)}
            rows.append(row)
    rows.append(dict.fromkeys(TABLE_COLUMNS, "") | {"model": "random order"})
    write_rows(path, TABLE_COLUMNS, rows)
    return path


@pytest.mark.parametrize(("ours", "published"), [(True, True), (True, False), (False, True)])
def test_the_figure_has_the_same_bytes_each_time(
    ours: bool, published: bool, root: Path, tmp_path: Path
) -> None:
    table = write_table5(tmp_path / "table5.csv", ours=ours, published=published)
    figures = root / "config/published/nlqf_tables.csv"
    for name in ("one.svg", "other.svg"):
        draw_percentiles(table, tmp_path / name, figures)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "other.svg").read_bytes()
    assert one.rstrip().endswith(b"</svg>")
    assert (b"stroke-dasharray: 3.7" in one) is published


def test_a_figure_of_nothing_ends_in_one_line(tmp_path: Path) -> None:
    table = write_table5(tmp_path / "table5.csv", ours=False, published=False)
    with pytest.raises(DataError, match="has no figure to draw"):
        draw_percentiles(table, tmp_path / "none.svg")


@pytest.mark.parametrize(
    ("cell", "damage", "message"),
    [
        ("0.3000", "much", "could not convert"),
        ("0.3000", "nan", "could not convert"),
        ("0.2500", "inf", "could not convert"),
        ("100", "0", "division by zero"),
    ],
)
def test_a_cell_that_cannot_be_drawn_ends_in_one_line(
    cell: str, damage: str, message: str, tmp_path: Path
) -> None:
    table = write_table5(tmp_path / "table5.csv", ours=True, published=False)
    table.write_text(table.read_text().replace(cell, damage))
    with pytest.raises(DataError, match=rf"table5\.csv: .*{message}.*; make it again"):
        draw_percentiles(table, tmp_path / "none.svg")
