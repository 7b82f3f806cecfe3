"""Claims of papers: figures of named cells, and verdicts that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from ncsbench.apps.shown_tables.claims import resolve_claims, tally
from ncsbench.base.files.csv_tables import Row, read_headed_rows
from ncsbench.errors import DataError

TABLE = "model,answered_10,mrr,low,high\nncs,98,0.1889,-0.01,+0.02\nbm25,1122,0.25,+0.01,0.3\n"
NCS, BM25 = "{t.csv|model=ncs|%s}", "{t.csv|model=bm25|%s}"


@pytest.fixture
def resolve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Row]:
    (tmp_path / "results").mkdir()
    (tmp_path / "results/t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ncsbench.apps.shown_tables.claims.RESULTS", tmp_path / "results")

    def resolve(published: str, ours: str, test: str = "", verdict: str = "") -> Row:
        row = {"claim": "c", "published": published, "ours": ours, "test": test}
        return resolve_claims([row | {"verdict": verdict, "command": ""}], "claims.csv")[0]

    return resolve


@pytest.mark.parametrize(
    ("published", "ours", "test", "shown", "verdict"),
    [
        ("98, 0.189", f"{NCS % 'answered_10'}, {NCS % 'mrr'}", "figure", "98, 0.189", "as printed"),
        ("1,122", BM25 % "answered_10", "figure", "1,122", "as printed"),
        ("0.3", BM25 % "mrr", "figure", "0.250", "within a fifth"),
        ("0.4", BM25 % "mrr", "figure", "0.250", "another figure"),
        (".19", NCS % "mrr", "figure", "0.189", "as printed"),
        ("", f"{BM25 % 'mrr'}, {NCS % 'mrr'}", "descending", "0.250, 0.189", "holds"),
        ("", f"{NCS % 'mrr'}, {NCS % 'mrr'}", "descending", "0.189, 0.189", "does not hold here"),
        ("", f"{NCS % 'low'} to {NCS % 'high'}", "interval", "-0.010 to +0.020", "not shown here"),
        ("", f"{BM25 % 'low'} to {BM25 % 'high'}", "interval", "+0.010 to 0.300", "holds"),
        ("98", NCS % "answered_10", "at least", "98", "holds"),
        ("over 98.5 %", NCS % "answered_10", "at least", "98", "does not hold here"),
    ],
)
def test_a_verdict_follows_from_the_cells(
    resolve: Callable[..., Row], published: str, ours: str, test: str, shown: str, verdict: str
) -> None:
    row = resolve(published, ours, test)
    assert (row["ours"], row["verdict"]) == (shown, verdict)
    assert row["command"].startswith("ncsbench tables show ")


def test_a_verdict_of_ours_stays(resolve: Callable[..., Row]) -> None:
    assert resolve("3", "", verdict="no data")["verdict"] == "no data"


@pytest.mark.parametrize(
    ("published", "ours", "test", "verdict", "message"),
    [
        ("1", "1", "", "", "no verdict, or two"),
        ("1", NCS % "mrr", "figure", "holds", "no verdict, or two"),
        ("1", NCS % "none", "figure", "", "no column 'none'"),
        ("1", "{t.csv||mrr}", "figure", "", "2 rows"),
        ("1", "{t.csv|model=x|mrr}", "figure", "", "0 rows"),
        ("1", "{u.csv||mrr}", "figure", "", "u.csv"),
        ("1", NCS % "mrr", "equal", "", "'equal' is no test"),
        ("1, 2", NCS % "mrr", "figure", "", "2 published figures for 1"),
        ("1", NCS % "model", "descending", "", "fewer than two"),
        ("", NCS % "low", "interval", "", "lacks a number"),
    ],
)
def test_what_cannot_be_decided_is_refused(
    resolve: Callable[..., Row], published: str, ours: str, test: str, verdict: str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        resolve(published, ours, test, verdict)


def test_rows_are_counted_by_two_columns() -> None:
    rows = [{"text": text, "verdict": verdict} for text, verdict in ("ab", "bc", "ac", "ac")]
    assert tally(rows, ["text"], "verdict", "page") == [
        {"text": "a", "c": "2", "b": "1"},
        {"text": "b", "c": "1", "b": ""},
    ]
    for given, columns, of in (
        ([], ["text"], "verdict"),
        (rows, ["text"], "x"),
        (rows, [], "text"),
    ):
        with pytest.raises(DataError, match="page: tally needs"):
            tally(given, columns, of, "page")


def test_the_claims_of_every_text_have_a_verdict(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    path = Path("config/published/claims.csv")
    rows = resolve_claims(read_headed_rows(path)[1], str(path))
    assert min(Counter(row["text"] for row in rows).values()) >= 10
    assert len({(row["text"], row["place"], row["claim"]) for row in rows}) == len(rows)
    assert all(
        row["note"]
        for row in rows
        if row["verdict"] not in ("holds", "as printed") and not row["ours"]
    )
