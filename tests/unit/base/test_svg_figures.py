"""Figures: two files of one drawing, equal bytes, and rows in the order of their values."""

import re
from pathlib import Path

from ncsbench.base.files.svg_figures import ChartRow, Interval, draw_intervals

ROWS = [
    ChartRow("low", "one", {("", "a"): Interval(0.1, 0.0, 0.2), ("", "b"): Interval(0.5)}),
    ChartRow("best", "two", {("", "a"): Interval(0.4, 0.3, 0.5)}),
    ChartRow("middle", "one", {("", "a"): Interval(0.3, 0.2, 0.4)}),
    ChartRow("without", "two", {("", "b"): Interval(0.2)}),
]


def draw(path: Path, rows: list[ChartRow] = ROWS, *, by_kind: bool = False) -> list[str]:
    """Draw rows, and return their labels and headings from the top."""
    draw_intervals(path, rows, title="t", axis="x", series=["a", "b"], by_kind=by_kind)
    texts = re.findall(r"<!-- (.*) -->", path.read_text())
    named = {"low", "best", "middle", "without", "one", "two"}
    return [text for text in texts if text in named]


def test_rows_are_sorted_by_the_first_series_within_kinds(tmp_path: Path) -> None:
    expected = ["two", "best", "without", "one", "middle", "low"]
    assert draw(tmp_path / "a.svg") == draw(tmp_path / "b.svg", ROWS[::-1]) == expected
    by_kind = ["one", "middle", "low", "two", "best", "without"]
    assert draw(tmp_path / "c.svg", by_kind=True) == by_kind


def test_both_files_have_the_same_bytes_each_time_and_other_inks(tmp_path: Path) -> None:
    for name in ("a", "b"):
        draw(tmp_path / f"{name}.svg")
    light, dark = ((tmp_path / f"{name}.svg").read_text() for name in ("a", "a_dark"))
    assert light == (tmp_path / "b.svg").read_text()
    assert dark == (tmp_path / "b_dark.svg").read_text()
    assert "fill: #ffffff" in light and "#ffffff" not in dark
    colours = [set(re.findall(r"#[0-9a-f]{6}", text)) for text in (light, dark)]
    assert not colours[0] & colours[1] - {"#808080"}
    assert re.findall(r"<!-- .* -->", light) == re.findall(r"<!-- .* -->", dark)


def test_a_single_panel_has_numbers_and_ends_where_the_values_end(tmp_path: Path) -> None:
    draw(tmp_path / "a.svg")
    texts = re.findall(r"<!-- (.*) -->", (tmp_path / "a.svg").read_text())
    assert {"0.100", "0.400", "0.300"} <= set(texts)
    assert "0.5" in texts and "0.6" not in texts
