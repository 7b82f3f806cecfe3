"""Runs of others beside Table 1, by published evidence alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rank_bm25 import BM25Okapi

from tests.workflow.conftest import read_csv
from tests.workflow.test_evidence import QUESTIONS, call, published  # noqa: F401  (a fixture)

pytestmark = pytest.mark.workflow
METHODS = "results/tiny/evidence/methods.parquet"


def evaluate(project: Path, run: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return call(project, str(run), "--dataset", "tiny", *options, command="evaluate")


def read_json(project: Path, run: Path, *options: str) -> dict[str, Any]:
    done = evaluate(project, run, "--json", *options)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def write_bm25(project: Path, path: Path) -> list[tuple[int, str, int, float]]:
    """BM25 of another library over the published names of methods, which are named by place."""
    methods = pq.read_table(project / METHODS).to_pylist()
    words = re.compile(r"[A-Z]?[a-z]+")
    texts = [[one.lower() for one in words.findall(row["method_name"])] for row in methods]
    found = []
    for query_id, question in enumerate(QUESTIONS, 1):
        asked = [one.lower() for one in words.findall(question["question"])]
        scores = BM25Okapi(texts).get_scores(asked)
        order = sorted(range(len(methods)), key=lambda one: (-scores[one], one))[:10]
        for rank, one in enumerate(order, 1):
            place = f"{methods[one]['repository']}/{methods[one]['path']}"
            found.append((query_id, f"{place}:{methods[one]['start_line']}", rank, scores[one]))
    lines = [f"{query} Q0 {place} {rank} {score} mine\n" for query, place, rank, score in found]
    path.write_text("".join(lines))
    return found


def test_bm25_of_another_library_stands_beside_the_rows(
    published: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    project = Path(shutil.copytree(published, tmp_path / "project", symlinks=True))
    shutil.rmtree(project / "data")
    shutil.rmtree(project / "tiny/java")
    results = write_bm25(project, tmp_path / "mine.trec")
    found = read_json(project, tmp_path / "mine.trec")
    assert (found["run"], found["questions"], found["answered"]) == ("mine.trec", 2, 2)
    assert 0 < found["judged@10"] < 1
    assert found["figures"]["lenient"]["mine.trec"]["answered_1"] == 2  # found by their names
    against = found["differences_of_mrr"]["strict"]
    assert against.keys() == {
        "random",
        "random_long",
        "longest_first",
        "bm25",
        "elasticsearch_like",
    }
    assert all(
        one["difference_low"] <= one["difference"] <= one["difference_high"]
        for one in against.values()
    )
    # The same as a table, by its columns.
    columns = ("query_id", "document", "rank", "score")
    rows = [dict(zip(columns, row, strict=True)) for row in results]
    for row in rows:
        row["repository"] = "owner/name"
        row["path"], line = str(row.pop("document")).removeprefix("owner/name/").rsplit(":", 1)
        row["start_line"] = int(line)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "mine.parquet")
    again = read_json(project, tmp_path / "mine.parquet")
    assert again["figures"]["charged"]["mine.parquet"] == found["figures"]["charged"]["mine.trec"]
    shown = " ".join(evaluate(project, tmp_path / "mine.trec").stdout.split())
    assert "are lower bounds. MRR: lenient " in shown
    assert (
        "data/tiny: is not made here" in evaluate(project, tmp_path / "mine.trec", "--judge").stderr
    )
    # Of a part its own results alone are counted.
    lines = (tmp_path / "mine.trec").read_text().splitlines(keepends=True)
    (tmp_path / "half.trec").write_text("".join(one for one in lines if one.startswith("2 ")))
    half = read_json(project, tmp_path / "half.trec")["judged@10"]
    assert read_json(project, tmp_path / "mine.trec", "--part", "second")["judged@10"] == half
    assert half != found["judged@10"]
    done = evaluate(project, tmp_path / "mine.trec", "--part", "second")
    assert "1 questions (1 with results)" in done.stdout
    assert "Charged judge: charged_overlap above 0.28" in done.stdout


def test_a_published_run_has_the_figures_of_its_row(published: Path) -> None:  # noqa: F811
    found = read_json(published, published / "results/tiny/evidence/runs/bm25.trec.gz")
    assert found["judged@10"] == 1
    table = read_csv(published / "results/tiny/table1.csv")
    row = next(one for one in table if one["model"] == "bm25")
    long = {
        (one["judge"], one["measure"]): one["value"]
        for one in read_csv(published / "results/tiny/table1_long.csv")
        if one["model"] == "bm25" and one["statistic"] == "value"
    }
    for judge, prefix in (("lenient", ""), ("strict", "strict_"), ("charged", "charged_")):
        assert f"{found['figures'][judge]['bm25.trec.gz']['mrr']:.6f}" == row[f"{prefix}mrr"]
        own = found["figures"][judge]
        assert own["bm25.trec.gz"] == own["bm25"]
        assert f"{own['bm25']['nDCG@10']:.6f}" == long[row[f"{prefix}judge"], "nDCG@10"]
        same = found["differences_of_mrr"][judge]["bm25"]
        assert same == {"difference": 0, "difference_low": 0, "difference_high": 0, "p_holm": 1}
    run = published / "results/tiny/evidence/runs/bm25.trec.gz"
    asked = read_json(published, run, "--measure", "P@3")["figures"]["lenient"]["bm25"]
    assert list(asked)[4:] == ["P@3"]
    assert (
        "--measure: measures: R@60 looks deeper"
        in evaluate(published, run, "--measure", "R@60").stderr
    )


def test_a_run_that_is_named_as_a_row_replaces_none(published: Path, tmp_path: Path) -> None:  # noqa: F811
    write_bm25(published, tmp_path / "bm25")
    found = read_json(published, tmp_path / "bm25")["figures"]["lenient"]
    assert list(found)[-1] == "bm25 (yours)" and "bm25" in found


def test_whoever_has_the_sources_may_judge_the_rest(
    published: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    write_bm25(published, tmp_path / "mine.trec")
    assert read_json(published, tmp_path / "mine.trec", "--judge")["judged@10"] == 1


@pytest.mark.parametrize(
    ("line", "options", "told"),
    [
        ("1 Q0 3 1 2.0 mine", (), "name it: --corpus HASH"),
        ("1 Q0 3 1 2.0 mine@0123456789ab", (), "is of corpus 0123456789ab"),
        ("1 Q0 3 1 2.0 mine", ("--corpus", "0123456789ab"), "tiny is corpus"),
        ("1 Q0 owner/name/Gone.java:1 1 2.0 mine", (), "is unknown"),
        ("7 Q0 owner/name/Clip.java:1 1 2.0 mine", (), "there is no question 7"),
        ("1 Q0 owner/name/Clip.java:1 1 2.0 mine", ("--part", "third"), "choose from second"),
        (
            "1 Q0 owner/name/Clip.java:1 1 2.0 mine",
            ("--dataset", "none"),
            "that have: tiny",
        ),
    ],
)
def test_a_run_that_does_not_fit_ends_in_one_line(
    published: Path,  # noqa: F811
    tmp_path: Path,
    line: str,
    options: tuple[str, ...],
    told: str,
) -> None:
    (tmp_path / "mine.trec").write_text(line + "\n")
    done = evaluate(published, tmp_path / "mine.trec", *options)
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_is_no_parquet_ends_in_one_line(
    published: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    for name, content in (("a.parquet", b"PAR1"), ("b.trec.gz", b"\x1f\x8b\x08\x00cut")):
        (tmp_path / name).write_bytes(content)
        done = evaluate(published, tmp_path / name)
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
        assert f"{name}: cannot be read" in done.stderr
    pq.write_table(pa.table({"query_id": [0], "answer": ["x"]}), tmp_path / "c.parquet")
    assert "has columns query_id, answer" in evaluate(published, tmp_path / "c.parquet").stderr
