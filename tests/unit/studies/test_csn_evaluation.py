"""NDCG of the CodeSearchNet challenge by hand, and what is said of a submission."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.corpus.function_corpus.annotations import Annotations, read_annotations, read_queries
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.studies.codesearchnet.challenge_scores import (
    QueryScore,
    evaluate_submission,
    keep_pool,
    score_queries,
)
from ncsbench.studies.codesearchnet.submission import (
    Prediction,
    Submission,
    read_submission,
    write_predictions,
)
from tests.functions_corpus import write_challenge


def url(number: int) -> str:
    return f"https://github.com/o/r/blob/0a/f.go#L{number}-L{number}"


def annotations(**grades: dict[int, tuple[int, ...]]) -> Annotations:
    """Annotations in Go: by query, the grades of functions by number."""
    of_queries = {
        query: {url(number): given for number, given in numbers.items()}
        for query, numbers in grades.items()
    }
    return Annotations(tuple(grades), {"go": of_queries})


def read(
    folder: Path, rows: Sequence[Sequence[str]], judged: Annotations, header: str = "", **options
) -> Submission:
    path = folder / "predictions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([(header or "language,query,url").split(","), *rows])
    return read_submission(path, judged, **options)


def score(numbers: Sequence[int], judged: dict[int, float]) -> QueryScore:
    (found,) = score_queries(
        {"q": [url(number) for number in numbers]},
        {"q": {url(number): grade for number, grade in judged.items()}},
    )
    return found


def discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def test_within_advances_on_annotated_functions_alone() -> None:
    found = score([9, 1, 8, 7, 2], {1: 1.0, 2: 3.0, 3: 0.0})
    ideal = 7 * discount(1) + 1 * discount(2)
    assert found.within == pytest.approx((1 * discount(1) + 7 * discount(2)) / ideal)
    assert found.all == pytest.approx((1 * discount(2) + 7 * discount(5)) / ideal)
    assert (found.rows, found.found, found.judged, found.positives) == (5, 2, 3, 2)


def test_a_fractional_relevance_counts_as_it_is() -> None:
    found = score([2, 1], {1: 1.5, 2: 0.0})
    # The function with relevance 0 is annotated: it takes the first rank in both.
    assert found.within == found.all == pytest.approx(discount(2))


def test_the_ideal_is_over_all_annotated_functions_found_or_not() -> None:
    found = score([1], {1: 1.0, 2: 1.0, 3: 1.0})
    assert found.all == pytest.approx(1 / (1 + discount(2) + discount(3)))
    in_pool = keep_pool({"q": {url(1): 1.0, url(2): 1.0}, "p": {url(2): 3.0}}, {url(1)})
    assert in_pool == {"q": {url(1): 1.0}}


def test_queries_without_a_relevance_above_0_are_skipped_and_those_without_rows_are_0() -> None:
    relevances = {"zero": {url(1): 0.0}, "none": {url(1): 2.0}, "one": {url(2): 2.0}}
    found = score_queries({"one": [url(2)], "zero": [url(1)]}, relevances)
    assert [(one.query, one.within, one.all) for one in found] == [("none", 0, 0), ("one", 1, 1)]


def test_a_duplicate_counts_once_or_as_released_dev_138(tmp_path: Path) -> None:
    judged = annotations(q={1: (3,), 2: (2,)})
    rows = [("go", "q", url(number)) for number in (1, 1, 9, 9, 2)]
    once = read(tmp_path, rows, judged)
    assert once.rankings == {("go", "q"): [url(1), url(9), url(2)]}
    assert [(one.kind, one.line, one.effect) for one in once.remarks] == [
        ("duplicate", 3, "not scored"),
        ("duplicate", 5, "not scored"),
    ]
    (first,) = evaluate_submission(once, judged).scores["go"]
    ideal = 7 + 3 * discount(2)
    assert first.within == pytest.approx(1)
    assert first.all == pytest.approx((7 + 3 * discount(3)) / ideal)
    twice = read(tmp_path, rows, judged, duplicates="as_released")
    (released,) = evaluate_submission(twice, judged).scores["go"]
    assert released.within == pytest.approx((7 + 7 * discount(2) + 3 * discount(3)) / ideal)
    assert released.within > 1
    assert [one.effect for one in twice.remarks] == ["counts again, as released"] * 2
    assert released.found == 2


@pytest.mark.parametrize("duplicates", ["once", "as_released"])
def test_the_first_300_rows_of_a_query_count_repeated_ones_too_dev_138(
    tmp_path: Path, duplicates: str
) -> None:
    judged = annotations(q={1: (3,), 2: (3,)})
    numbers = [5, 5, *range(1000, 1297), 1, 2]  # 1 stands at row 300
    found = read(tmp_path, [("go", "q", url(n)) for n in numbers], judged, duplicates=duplicates)
    (scored,) = evaluate_submission(found, judged).scores["go"]
    assert scored.found == 1
    assert scored.rows == (299 if duplicates == "once" else 300)
    assert scored.all == pytest.approx(discount(scored.rows) / (1 + discount(2)))
    assert [one.kind for one in found.remarks] == [
        "duplicate",
        "row behind the first 300 of its query",
    ]


def test_columns_in_any_order_rows_of_queries_alternating_and_any_letter_case(
    tmp_path: Path,
) -> None:
    judged = annotations(a={1: (1,)}, b={2: (1,)})
    rows = [
        (url(1), "x", "GO", "A", "0.5"),
        (url(2), "x", "Go", "b", "0.4"),
        (url(9), "x", "go", "a", "0.3"),
    ]
    found = read(tmp_path, rows, judged, "url,identifier,language,query,score")
    assert found.rankings == {("go", "a"): [url(1), url(9)], ("go", "b"): [url(2)]}
    assert not found.remarks
    assert found.ignored_columns == ["score"]


def test_what_cannot_be_scored_is_said_and_keeps_its_rank_where_it_has_one_dev_138(
    tmp_path: Path,
) -> None:
    judged = annotations(q={1: (1,)}, p={1: (1,)}, zero={1: (0,)})
    rows = [
        ("rust", "q", url(1)),
        ("go", "unheard of", url(1)),
        ("go", "q", "github.com/o/r"),
        ("go", "q", url(1)),
        ("go", "q"),
        (),
        ("go", "zero", url(1)),
    ]
    found = evaluate_submission(read(tmp_path, rows, judged), judged)
    scores = {one.query: one for one in found.scores["go"]}
    assert scores["q"].all == pytest.approx(discount(2))
    assert scores["q"].within == 1
    assert scores["p"].all == 0
    assert found.skipped == {"go": 1}
    text = found.describe()
    for line in (
        "scored: 2 of 6 rows",
        "not scored: query without relevance in its language, 1 rows",
        "not scored: row of another length, 1 row (line 6: '2 cells, not 3')",
        "not scored: unknown language, 1 row (line 2: 'rust')",
        "not scored: unknown query, 1 row (line 3: 'unheard of')",
        "keeps its rank, matches nothing: malformed URL, 1 row (line 4: 'github.com/o/r')",
        "no row, so 0: Go, 1 query ('p')",
        "skipped, no relevance above 0: annotated queries of Go 1",
    ):
        assert line in text.splitlines()


FULL = "https://github.com/o/r/blob/0123456789abcdef0123456789abcdef01234567/a b/f.go#L1-L2"
HASH = FULL.split("/")[6]
COMMIT = "commit other than the hash of 40 digits (0-9, a-f) that annotated functions have"
DOTS = "path with //, dots or a query (?...)"


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        (FULL.replace(HASH, "main"), COMMIT),
        (FULL.replace(HASH, "v1.0"), COMMIT),
        (FULL.replace(HASH, "HEAD"), COMMIT),
        (FULL.replace(HASH, HASH[:7]), COMMIT),
        (FULL.replace(HASH, HASH + "0"), COMMIT),
        (FULL.replace(HASH, HASH.upper()), COMMIT),
        (FULL.replace(" ", "%20"), "path with escapes, as %20 for a blank"),
        (FULL.replace(" ", "%C3%a4"), "path with escapes, as %20 for a blank"),
        (FULL.replace("/o/", "/O/"), "address of an annotated function in another letter case"),
        (FULL.replace("f.go", "F.go"), "address of an annotated function in another letter case"),
        (FULL.replace("a b/", "a b//"), DOTS),
        (FULL.replace("a b/", "./a b/"), DOTS),
        (FULL.replace("a b/", "a b/../a b/"), DOTS),
        (FULL.replace("a b/", ".../"), DOTS),
        (FULL.replace("#", "?plain=1#"), DOTS),
        (FULL.replace("https", "http"), "malformed URL"),
        (FULL.replace("github", "www.github"), "malformed URL"),
        (FULL.replace("https://", ""), "malformed URL"),
        (FULL.replace("blob", "tree"), "malformed URL"),
        (FULL.partition("#")[0], "malformed URL"),
        (FULL.replace("-L2", ""), "malformed URL"),
        (FULL.replace("-L2", "-2"), "malformed URL"),
        (FULL.replace("L1-", "L01-"), "malformed URL"),
        (FULL + " ", "malformed URL"),
        (" " + FULL, "malformed URL"),
    ],
)
def test_an_address_that_no_annotated_function_can_have_is_said(
    tmp_path: Path, written: str, kind: str
) -> None:
    judged = Annotations(("q",), {"go": {"q": {FULL: (3,)}}})
    found = read(tmp_path, [("go", "q", written), ("go", "q", FULL)], judged)
    assert [(one.kind, one.line) for one in found.remarks] == [(kind, 2)]
    evaluated = evaluate_submission(found, judged)
    assert evaluated.average("all") == pytest.approx(discount(2))
    assert f"matches nothing: {kind}, 1 row (line 2: {written!r})" in evaluated.describe()


def test_an_address_that_is_annotated_or_may_be_of_another_function_is_not_remarked_on(
    tmp_path: Path,
) -> None:
    odd = FULL.replace("a b", "100%25/..").replace(HASH, "main")
    other = [FULL.replace("f.go", "g.go"), url(7), odd.replace("..", "x").replace("%25", "")]
    judged = Annotations(("q",), {"go": {"q": {FULL: (3,), url(1): (1,), odd: (1,)}}})
    rows = [("go", "q", one) for one in (FULL, url(1), odd, *other)]
    assert not read(tmp_path, rows, judged).remarks


def test_the_lines_of_all_remarks_are_named(tmp_path: Path) -> None:
    judged = Annotations(("q",), {"go": {"q": {FULL: (3,)}}})
    branch = [("go", "q", FULL.replace(HASH, f"b{number}")) for number in range(6)]
    rows = [*branch[:5], ("go", "q", FULL), branch[5]]
    text = evaluate_submission(read(tmp_path, rows, judged), judged).describe()
    assert "6 rows (line 2: " in text
    assert text.endswith(" and 3 more: lines 5-6, 8)")


def test_predictions_that_were_read_without_a_word_are_remarked_on(shared: Path) -> None:
    folder = shared / "data/found/predictions"
    judged = read_annotations(folder / "annotations.csv", read_queries(folder / "queries.csv"))
    expected = json.loads((folder / "expected.json").read_text())
    for name, right in expected.items():
        found = read_submission(folder / name, judged, languages=["go"])
        assert found.rows == right["rows"]
        assert bool(found.remarks) == right["remark"], name


def test_the_average_is_the_plain_mean_of_languages() -> None:
    of_go = {"q": {url(1): (3,)}, "p": {url(1): (3,)}}
    judged = Annotations(("q", "p"), {"go": of_go, "ruby": {"q": {url(2): (1,)}}})
    predictions = Submission({("go", "q"): [url(1)], ("ruby", "q"): [url(2)]}, 2, ())
    rows = evaluate_submission(predictions, judged).by_language()
    assert [(row["language"], row["within"], row["queries"]) for row in rows] == [
        ("Go", "0.5000", "2"),
        ("Ruby", "1.0000", "1"),
        ("Avg", "0.7500", "3"),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "line 1: needs the column 'language' once"),
        (b"language,query,link\n", "line 1: needs the column 'url' once"),
        (b"language,query,url,url\n", "line 1: needs the column 'url' once"),
        (b"language,query,url\ngo,q,\xff\n", "line 2: is not UTF-8"),
        (b'language,query,url\ngo,q,"open\n', "line 2: is not a valid CSV file"),
    ],
)
def test_what_is_no_submission_ends_in_one_line(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "predictions.csv"
    path.write_bytes(text)
    with pytest.raises(DataError, match=told):
        read_submission(path, annotations(q={1: (1,)}))


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    judged = write_challenge(tmp_path, f"Sort,{url(1)},2")
    path = tmp_path / "predictions.csv"
    write_predictions(path, [Prediction("go", "Sort", url(8)), Prediction("go", "Sort", url(1))])
    done = CliRunner().invoke(
        app,
        [
            *("codesearchnet", "evaluate", str(path)),
            *(text for name, one in judged.items() for text in (f"--{name}", str(one))),
            *("--output", str(tmp_path / "scores.csv")),
            *("--per-query", str(tmp_path / "by_query.csv")),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "scored: 2 of 2 rows" in done.stdout
    assert (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines() == [
        "language,within,all,queries,queries_without_rows,judged,judged_found,rows",
        "Go,1.0000,0.6309,1,0,1,1,2",
        "Avg,1.0000,0.6309,1,0,1,1,2",
    ]
    assert (tmp_path / "by_query.csv").read_text(encoding="utf-8").splitlines() == [
        "language,query,within,all,judged,positives,judged_found,rows",
        "Go,sort,1.000000,0.630930,1,1,1,2",
    ]


def test_languages_that_are_not_asked_for_are_neither_scored_nor_complained_of(
    tmp_path: Path,
) -> None:
    grades = {"sort": {url(1): (2,)}}
    judged = Annotations(("sort", "find"), {"go": grades, "php": grades, "ruby": grades})
    rows = [
        *(["Go", "sort", url(1)], ["php", "no query", url(1)], ["PHP", "sort", "x"]),
        *(["ruby", "sort", url(1)], ["gogo", "sort", url(1)], ["go", "nothing", url(1)]),
    ]
    chosen = judged.of_languages({"go", "ruby"})
    found = evaluate_submission(read(tmp_path, rows, chosen, languages={"go", "ruby"}), chosen)
    assert [row["language"] for row in found.by_language()] == ["Go", "Ruby", "Avg"]
    told = found.describe().split("\n\n")[1].splitlines()
    assert told == [
        "scored: 2 of 6 rows",
        "not scored: rows of languages that were not asked for: PHP 2",
        "not scored: unknown language, 1 row (line 6: 'gogo')",
        "not scored: unknown query, 1 row (line 7: 'nothing')",
    ]
    with pytest.raises(ConfigurationError, match="no function in java is annotated; there are go"):
        judged.of_languages({"java"})


def test_the_example_of_the_page_is_what_the_command_says(root: Path, tmp_path: Path) -> None:
    page = (root / "docs/codesearchnet.md").read_text(encoding="utf-8")
    (predictions,) = re.findall(r"^```csv\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (shown,) = re.findall(r"^```\n(language .*?)^```$", page, re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^ncsbench (codesearchnet evaluate .*\n.*)$", page, re.MULTILINE)
    (tmp_path / "predictions.csv").write_text(predictions, encoding="utf-8")
    arguments = [
        str(tmp_path / word) if word in {"predictions.csv", "scores.csv"} else word
        for word in command.replace("\\\n", "").split()
    ]
    arguments = [str(root / word) if word.startswith("resources/") else word for word in arguments]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    said = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert said[-len(shown.splitlines()) :] == [
        " ".join(line.split()) for line in shown.splitlines()
    ]
    assert (tmp_path / "scores.csv").is_file()


def test_a_file_that_the_workflow_gets_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["codesearchnet", "evaluate", "predictions.csv"])
    assert isinstance(done.exception, DataError)
    assert "annotationStore.csv: is not here; `snakemake --cores 1 data/" in str(done.exception)


def test_what_acts_on_a_terminal_is_shown_and_huge_cells_end_in_one_line(tmp_path: Path) -> None:
    judged = annotations(q={1: (1,)})
    rows = [("go", "\x1b[2J\u202e", url(1)), ("go", "q", "=cmd()" + "x" * 5000)]
    text = evaluate_submission(read(tmp_path, rows, judged), judged).describe()
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) < 400
    with pytest.raises(DataError, match=r"line 2: is not a valid CSV file \(field larger"):
        read(tmp_path, [("go", "q", "x" * 10_000_000)], judged)
