"""What `ncsbench export` writes of the sample, read by other tools."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import ir_measures
import pytest
from ir_measures import RR, Success
from typer.testing import CliRunner

from ncsbench.apps.exports.formats import DOCUMENTS, RIGHT
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.cli.main import app
from ncsbench.corpus.layout.document_ids import read_document_id
from ncsbench.evaluation.measures.results import JUDGE_PREFIXES
from tests.workflow.conftest import read_csv

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def exported(sample_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(sample_run)
        for kind in ("beir", "trec"):
            done = CliRunner().invoke(app, ["export", kind, "-o", str(folder / kind)])
            assert done.exit_code == 0, done.exception
            assert "documents 925" in done.stdout
            again = CliRunner().invoke(app, ["export", kind, "-o", str(folder / kind)])
            assert "name a new or an empty folder" in str(again.exception)
    return folder


def read_table(sample_run: Path) -> dict[str, dict[str, str]]:
    return {row["model"]: row for row in read_csv(sample_run / "results/table1.csv")}


def test_ir_measures_finds_the_figures_of_table_1(exported: Path, sample_run: Path) -> None:
    table = read_table(sample_run)
    runs = sorted((exported / "trec/runs").iterdir())
    assert {path.stem for path in runs} == table.keys() - {"ceiling"}
    for judge, prefix in JUDGE_PREFIXES.items():
        qrels = list(ir_measures.read_trec_qrels(str(exported / f"trec/qrels_{judge}.txt")))
        for path in runs:
            run = list(ir_measures.read_trec_run(str(path)))
            means = ir_measures.calc_aggregate([RR @ 50, Success @ 10], qrels, run)
            row = table[path.stem]
            assert f"{means[RR @ 50]:.6f}" == row[f"{prefix}mrr"], path
            assert round(40 * means[Success @ 10]) == int(row[f"{prefix}answered_10"]), path


def test_both_exports_say_of_which_corpus_they_are(exported: Path, sample_run: Path) -> None:
    built = json.loads((sample_run / "data/sample/corpus/manifest.json").read_text())
    for kind in ("beir", "trec"):
        about = json.loads((exported / kind / "corpus.json").read_text())
        assert about == {"dataset": "sample", "corpus_hash": built["corpus_hash"]}


def test_document_ids_say_where_methods_stand(exported: Path, root: Path) -> None:
    documents = read_rows(exported / "trec/documents.csv", DOCUMENTS)
    assert len({row["document_id"] for row in documents}) == len(documents) == 925
    corpus = [json.loads(line) for line in (exported / "beir/corpus.jsonl").open()]
    assert [row["document_id"] for row in documents] == [one["_id"] for one in corpus]
    for row, one in zip(documents, corpus, strict=True):
        place = read_document_id(one["_id"])
        assert place is not None
        assert (place.filepath, str(place.line)) == (
            f"{row['repository']}/{row['path']}",
            row["start_line"],
        )
        lines = (root / "resources/sample/repositories" / place.filepath).read_text().split("\n")
        assert one["title"].rpartition(".")[2] in lines[place.line - 1]


def test_qrels_are_complete_and_queries_without_any_are_kept(
    exported: Path, sample_run: Path
) -> None:
    queries = [json.loads(line) for line in (exported / "beir/queries.jsonl").open()]
    assert [query["_id"] for query in queries] == [str(number) for number in range(1, 41)]
    assert all(query["text"] for query in queries)
    right = read_rows(exported / "beir/right.csv", RIGHT)
    ceiling = read_table(sample_run)["ceiling"]
    for judge, prefix in JUDGE_PREFIXES.items():
        with (exported / f"beir/qrels/{judge}.tsv").open(newline="") as file:
            qrels = list(csv.DictReader(file, delimiter="\t"))
        counts = Counter(row["query-id"] for row in qrels)
        assert {row["score"] for row in qrels} == {"1"}
        assert {row["query_id"]: int(row[judge]) for row in right} == {
            query["_id"]: counts[query["_id"]] for query in queries
        }
        assert len(counts) == int(ceiling[f"{prefix}answered_10"])
