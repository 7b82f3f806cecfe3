"""Two rows of tables are compared by their names, with the figures that the tables have."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ncsbench.cli.main import app
from ncsbench.errors import NcsbenchError
from ncsbench.evaluation.measures.per_question import write_per_question
from ncsbench.evaluation.measures.rank_figures import build_significance
from ncsbench.evaluation.measures.results import Judge
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.pipeline.trials.compared_rows import compare_named_rows

DEFAULT, STRICT = Judge("pruned_jaccard_leaf", 0.25), Judge("dice", 0.25)
RANKS = {"bm25": [1, 0, 2, 7], "mine": [1, 2, 0, 1], "mine-seed2020": [0, 0, 0, 0]}


def write(
    folder: Path, ranks: dict[str, list[int]], *, corpus: str = "a" * 64, first: int = 1
) -> None:
    count = len(next(iter(ranks.values())))
    questions = pa.table(
        {
            "query_id": pa.array(range(count), pa.int32()),
            "stackoverflow_id": [str(first + number) for number in range(count)],
        }
    )
    found = {name: np.array(one, np.int32) for name, one in ranks.items()}
    measured = {
        name: {"nDCG@10": of / (of + 1), "RR@10": np.where(of == 1, 1.0, 0.0)}
        for name, of in found.items()
    }
    strict = {name: np.where(one == 1, 1, 0).astype(np.int32) for name, one in found.items()}
    write_per_question(
        folder / "per_question.parquet",
        questions=questions,
        first_ranks={DEFAULT: found, STRICT: strict},
        replicate_of={name: "mine" for name in ranks if "-seed" in name},
        published_ranks={},
        corpus_hash=corpus,
        measured={DEFAULT: measured, STRICT: measured},
    )


@pytest.fixture
def results(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results of the dataset ``sample`` in a folder of their own."""
    (tmp_path / "config").symlink_to(root / "config")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "results" / "sample", RANKS)
    return tmp_path / "results" / "sample"


def test_the_figures_are_those_of_the_test_against_a_baseline(results: Path) -> None:
    found = compare_named_rows("mine", "bm25")
    ranks = {name: np.array(RANKS[name], np.int32) for name in ("mine", "bm25")}
    expected = build_significance(
        dataset="sample",
        first_ranks={DEFAULT: ranks},
        baseline="bm25",
        sampling=Sampling(2019, 10000),
    )
    assert list(found.rows)[:4] == expected
    assert {(row["judge"], row["model"]) for row in found.rows[6:]} == {("dice", "mine")}
    shown = found.format()
    assert "pruned_jaccard_leaf > 0.25\nmeasure" in shown and "\ndice > 0.25\nmeasure" in shown
    [line] = [line.split() for line in shown.splitlines() if line.startswith("Answered@1 ")][:1]
    assert line[:4] == ["Answered@1", "2", "1", "+1"] and line[-3:] == ["1", "3", "0"]
    [mrr, _] = [line for line in shown.splitlines() if line.startswith("MRR")]
    assert mrr.split()[1:4] == ["0.6250", "0.4107", "+0.2143"]
    [ndcg, _] = [line.split() for line in shown.splitlines() if line.startswith("nDCG@10")]
    assert ndcg[1:4] == ["0.4167", "0.5104", "-0.0938"] and ndcg[-3:] == ["1", "1", "2"]


def test_the_settings_of_the_tables_count(results: Path) -> None:
    settings = {
        **{"seed": 1, "depth": 10, "judge": DEFAULT.similarity, "bootstrap_samples": 100},
        **{"dataset": "sample", "baseline": "bm25", "models": [], "comparisons": []},
        **{"ablations": [], "other_judges": []},
    }
    file = results.parents[1] / "data/sample/settings/table.json"
    file.parent.mkdir(parents=True)
    before = compare_named_rows("mine", "bm25").rows
    file.write_text(json.dumps(settings))
    after = compare_named_rows("mine", "bm25").rows
    assert [row["difference"] for row in before] == [row["difference"] for row in after]
    assert [row["difference_low"] for row in before] != [row["difference_low"] for row in after]


def test_json_has_numbers(results: Path) -> None:
    done = CliRunner().invoke(app, ["compare", "mine", "bm25", "--dataset", "sample", "--json"])
    told = json.loads(done.stdout)
    assert (told["model"], told["baseline"], told["questions"]) == ("mine", "bm25", 4)
    assert len(told["comparisons"]) == 12
    measures = [one["measure"] for one in told["comparisons"][:6]]
    assert measures == ["answered_1", "answered_5", "answered_10", "mrr", "nDCG@10", "RR@10"]
    first = told["comparisons"][0]
    assert (first["judge"], first["threshold"]) == (DEFAULT.similarity, 0.25)
    assert (first["measure"], first["difference"]) == ("answered_1", 1.0)
    assert (first["wins"], first["ties"], first["losses"]) == (1, 3, 0)
    assert first["p"] == 1.0 and first["p_exact"] is True


def test_a_trial_is_compared_with_its_own_rows_and_those_of_the_dataset(results: Path) -> None:
    write(results / "trials" / "first", {"bm25": [1, 0, 2, 7], "new": [1, 1, 1, 1]})
    own = compare_named_rows("new", "bm25", trial="first")
    both = compare_named_rows("new", "mine", trial="first")
    assert own.rows[0]["difference"] == "3" and both.rows[0]["difference"] == "2"
    # Two tables have two pools: only measures that need no pool are compared.
    assert [row["measure"] for row in own.rows[4:6]] == ["nDCG@10", "RR@10"]
    assert [row["measure"] for row in both.rows[4:6]] == ["RR@10", "answered_1"]
    assert "rows of two tables" in both.format() and "two tables" not in own.format()
    write(results / "trials" / "other", {"new": [1, 1, 1, 1]}, corpus="b" * 64)
    with pytest.raises(
        NcsbenchError, match=r"belongs to corpus bbbbbbbbbbbb, but .* to corpus aaa"
    ):
        compare_named_rows("new", "mine", trial="other")
    write(results / "trials" / "other", {"new": [1, 1, 1, 1]}, first=7)
    with pytest.raises(NcsbenchError, match="has other questions than"):
        compare_named_rows("new", "mine", trial="other")
    # Of the same ids, but with other titles or answers: what both tables have tells.
    write(results / "trials" / "other", {"bm25": [1, 0, 3, 7], "new": [1, 1, 1, 1]})
    with pytest.raises(NcsbenchError, match=r"has other figures of bm25 than .*; make both again"):
        compare_named_rows("new", "mine", trial="other")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("minne", "bm25"), "has no row 'minne'; did you mean 'mine'?"),
        (("mine", "mine"), "mine: is compared with itself; name another row"),
        (("new", "mine"), "has no row 'new', but the trial first has: add --trial first"),
        (("mine", "bm25", "--trial", "frist"), "has no tables (did you mean 'first'?); make them"),
        (("mine", "bm25", "--trial", "../x"), "'../x' is no name of a trial"),
        (("mine", "bm25", "--dataset", "sampel"), "did you mean 'sample'?"),
        (
            ("mine", "bm25", "--dataset", "ncsed"),
            "results/ncsed/per_question.parquet: is not there; make it: snakemake --cores all "
            "results/ncsed/table1.csv --config dataset=ncsed",
        ),
    ],
)
def test_mistakes_are_one_line(results: Path, rows: tuple[str, ...], message: str) -> None:
    write(results / "trials" / "first", {"new": [1, 1, 1, 1]})
    done = CliRunner().invoke(app, ["compare", *rows])
    assert isinstance(done.exception, NcsbenchError)
    assert message in str(done.exception) and "\n" not in str(done.exception)
