"""The data of the sample's explorer, against the tables and runs that it was made of."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ncsbench.apps.explorer.explorer_folder import PAGE
from ncsbench.base.runs.trec_files import read_lines
from ncsbench.code.aroma.similarity_names import SIMILARITIES
from tests.workflow.conftest import read_csv, read_script, run_snakemake

pytestmark = pytest.mark.workflow
LARGEST_SCRIPTS, LARGEST_DATA = 1_500_000, 2_000_000
"""Bytes of all scripts, and of the data for 1,000 distinct methods."""


@pytest.fixture(scope="module")
def explorer(sample_run: Path) -> Path:
    return sample_run / "results/sample/explorer"


@pytest.fixture(scope="module")
def summary(explorer: Path) -> dict[str, Any]:
    found: dict[str, Any] = read_script(explorer / "data/summary.js")
    return found


@pytest.fixture(scope="module")
def questions(explorer: Path, summary: dict[str, Any]) -> list[dict[str, Any]]:
    names = (f"question-{one['id']}.js" for one in summary["questions"])
    return [read_script(explorer / "data" / name) for name in names]


def test_the_table_is_table_1(summary: dict[str, Any], sample_run: Path) -> None:
    with (sample_run / "results/table1.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert summary["table"] == {"columns": header, "rows": rows}
    assert [row[1] for row in rows] == [*summary["models"], "ceiling"]


def test_the_answer_is_the_best_row_of_each_judge(summary: dict[str, Any]) -> None:
    rows = [
        dict(zip(summary["table"]["columns"], row, strict=True)) for row in summary["table"]["rows"]
    ]
    compared = [row for row in rows if summary["kinds"][row["model"]] not in ("chance", "bound")]
    answer = summary["answer"]
    assert answer["questions"] == len(summary["questions"])
    assert [one["judge"] for one in answer["judges"]] == ["strict", "lenient"]
    for one, prefix in zip(answer["judges"], ("strict_", ""), strict=True):
        best = max(compared, key=lambda row: float(row[f"{prefix}mrr"]))
        assert one["model"] == best["model"]
        assert one["low"] < one["value"] == float(best[f"{prefix}mrr"]) < one["high"]
        assert summary["names"][one["model"]] in answer["text"]


def test_models_have_names_kinds_and_lines_about_them(summary: dict[str, Any], root: Path) -> None:
    named = {row["model"]: row for row in read_csv(root / "config/model_names.csv")}
    for key, column in (("names", "name"), ("kinds", "kind"), ("about", "about")):
        assert summary[key] == {model: row[column] for model, row in named.items()}
    assert summary["texts"] is True


def test_questions_make_the_figures_of_the_tables(
    summary: dict[str, Any], sample_run: Path
) -> None:
    columns = summary["table"]["columns"]
    long = {
        (row["model"], row["judge"]): float(row["value"])
        for row in read_csv(sample_run / "results/table1_long.csv")
        if row["measure"] == summary["measure"] == "nDCG@10"
    }
    for number, row in enumerate(summary["table"]["rows"][:-1]):
        cells = dict(zip(columns, row, strict=True))
        for ranks, prefix in (("ranks", ""), ("strict", "strict_")):
            found = [question[ranks][number] for question in summary["questions"]]
            for k in (1, 5, 10):
                answered = sum(0 < rank <= k for rank in found)
                assert answered == int(cells[f"{prefix}answered_{k}"])
        shown = [question["measured"][number] for question in summary["questions"]]
        ndcg = long[cells["model"], cells["judge"]]
        assert sum(shown) / len(shown) == pytest.approx(ndcg, abs=5.1e-4)


def test_results_are_those_of_the_runs_with_their_verdicts(
    summary: dict[str, Any], questions: list[dict[str, Any]], sample_run: Path
) -> None:
    for number, model in enumerate(summary["models"]):
        ranked: dict[str, list[int]] = {}
        for line in read_lines(sample_run / f"results/sample/runs/{model}.trec.gz"):
            query_id, _, id_, rank, _, _ = line.split()
            if int(rank) <= summary["top"]:
                ranked.setdefault(query_id, []).append(int(id_))
        judged = {
            (row["query_id"], row["id"]): row
            for row in pq.read_table(
                sample_run / f"data/sample/judgements/{model}.parquet"
            ).to_pylist()
        }
        for listed, question in zip(summary["questions"], questions, strict=True):
            results = question["results"][number]
            assert results == ranked.get(str(question["id"]), [])
            verdicts = [question["pairs"][str(id_)][1] for id_ in results]
            for bit, ranks in ((16, "ranks"), (17, "strict")):
                right = [rank for rank, bits in enumerate(verdicts, 1) if bits >> bit & 1]
                first = listed[ranks][number]
                assert (right or [0])[0] == (first if first <= summary["top"] else 0)
            for id_ in results:
                row = judged[question["id"], id_]
                similarities, bits, _ = question["pairs"][str(id_)]
                for place, name in enumerate(SIMILARITIES):
                    assert similarities[place] == pytest.approx(10_000 * row[name], abs=0.500001)
                    assert (bits >> place & 1) == (row[name] > summary["judge"]["threshold"])


def test_each_method_is_stored_once_and_found_by_its_place(
    explorer: Path, questions: list[dict[str, Any]]
) -> None:
    places = read_script(explorer / "data/places.js")
    repositories = read_script(explorer / "data/repositories.js")
    files = {path.stem: read_script(path) for path in explorer.glob("data/methods-*.js")}
    stored = [id_ for methods in files.values() for id_ in methods]
    assert len(stored) == len(set(stored)) == len(places)
    assert {id_ for one in questions for id_ in one["pairs"]} == set(stored)
    for id_, place in places.items():
        method = files[f"methods-{place}"][id_]
        assert method["c"]
        assert repositories[method["r"]]["licence"]
    tokens = 0
    for question in questions:
        for id_, (_, _, marks) in question["pairs"].items():
            code = files[f"methods-{places[id_]}"][id_]["c"]
            place = 0
            for step in marks.split():
                place += int(step, 36)
                assert code[place].isalnum() or code[place] in "_\"'-"
                tokens += 1
    assert tokens > 1000


def test_pages_are_small(explorer: Path) -> None:
    methods = len(read_script(explorer / "data/places.js"))
    sizes = {
        folder: sum(path.stat().st_size for path in (explorer / folder).iterdir())
        for folder in ("scripts", "data")
    }
    assert sizes["scripts"] < LARGEST_SCRIPTS
    assert sizes["data"] < LARGEST_DATA * methods / 1000
    assert {path.name for path in PAGE.iterdir()} | {"vega.js"} == {
        path.name for path in explorer.rglob("*") if path.parent.name != "data" and path.is_file()
    }


def test_a_second_run_gives_the_same_bytes(sample_copy: Path) -> None:
    explorer = sample_copy / "results/sample/explorer"

    def read() -> dict[Path, bytes]:
        return {
            path.relative_to(explorer): path.read_bytes()
            for path in explorer.rglob("*")
            if path.is_file()
        }

    before = read()
    done = run_snakemake(sample_copy, "--forcerun", "write_explorer", "--", "explorer")
    assert done.returncode == 0, done.stderr
    assert read() == before
    again = run_snakemake(sample_copy, "-n", "explorer")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_a_removed_page_is_made_anew(sample_copy: Path) -> None:
    explorer = sample_copy / "results/sample/explorer"
    (explorer / "index.html").unlink()
    (explorer / "style.css").write_text("")
    done = run_snakemake(sample_copy, "explorer")
    assert done.returncode == 0, done.stderr
    assert (explorer / "index.html").is_file()
    assert (explorer / "style.css").read_bytes() == (PAGE / "style.css").read_bytes()
