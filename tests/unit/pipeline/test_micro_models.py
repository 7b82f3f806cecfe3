"""Models of the micro-benchmark: names, shared artifacts, mistakes."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.errors import ConfigurationError
from ncsbench.pipeline.runs.run import RunConfiguration, load_run
from tests.refusals import one_line

NAMED = {"table": "T", "row": "R"}


def load(root: Path, **micro: Any) -> RunConfiguration:
    return load_run({"dataset": "sample", "models": ["bm25"], "micro_benchmark": micro}, root=root)


def test_a_changed_model_is_named_by_what_differs_dev_94(root: Path) -> None:
    choices: list[dict[str, Any]] = [
        {"embedding": {"dimension": 90}},
        {"embedding": {"dimension": 90}, "options": {"weighting": "sum"}},
        {"embedding": {"dimension": 90, "bucket": 1300000, "window": 5}},
        {"embedding": {"dimension": 90}, "options": {"unit_query_words": "true"}},
        {"embedding": {"window": 5}, "options": {"weighting": "tf_idf"}},
        {"model": "bm25"},
    ]
    run = load(root, rows=[NAMED | choice for choice in choices])
    assert run.micro.rows == [
        "ncs-dimension-90",
        "ncs-dimension-90-weighting-sum",
        "ncs-dimension-90-bucket-1300000",
        "ncs-dimension-90-unit_query_words-true",
        "ncs",
        "bm25",
    ]
    first, summed, smaller = (run.runs[name] for name in run.micro.rows[:3])
    assert (
        first.keys.get("embedding") == summed.keys.get("embedding") != smaller.keys.get("embedding")
    )
    assert summed.specification.options["weighting"] == "sum"
    settings = run.settings["sample/settings/models/ncs-dimension-90-weighting-sum.json"]
    assert settings["ranker"]["options"]["weighting"] == "sum"
    assert run.runs["bm25"] is run.models["bm25"]
    assert set(run.micro.rows) <= set(run.index_of)
    assert {index.name for index in run.index_of.values()} == set(run.indexes)
    # It is no row of Table 1.
    assert "ncs" not in run.models


def test_the_shipped_rows_are_the_published_ones(root: Path) -> None:
    """All cells of Tables 2 to 5 have a row, 750 dimensions with fewer n-grams: DEV-94."""
    config = yaml.safe_load((root / "config" / "config.yaml").read_text())
    run = load_run(config, root=root)
    rows = run.settings["sample/settings/micro_benchmark/table.json"]["rows"]
    listed = {(row["table"], row["row"]): row for row in rows}
    lines = (root / "config/published/ncs_2018.csv").read_text().splitlines()
    published = {tuple(line.split(",")[:2]) for line in lines if line.startswith("micro-")}
    assert set(listed) == published and len(rows) == len(published) == 11
    assert [key[1] for key, row in listed.items() if row["query_words"] == "random"] == ["random"]
    for (table, row), content in listed.items():
        embedding = run.runs[content["model"]].learns.embedding
        if table.endswith("embedding dimension"):
            assert embedding is not None and embedding.dimension == int(row)
            assert embedding.bucket == (1_300_000 if row == "750" else 2_000_000)
            assert embedding.bucket * embedding.dimension * 4 <= 4_000_000_000
        elif row != "BM25":
            assert embedding is not None and embedding.dimension == 500
    weightings = {
        row: run.runs[content["model"]].specification.options.get("weighting", "tf_idf")
        for (table, row), content in listed.items()
        if table.endswith("document vector")
    }
    assert list(weightings.values()) == ["sum", "unique", "tf_idf"]
    assert run.micro.words_key is not None


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"embedding": {"dimensoin": 9}}, "unknown key 'embedding.dimensoin'; did you mean"),
        ({"embedding": {"max_n": 1}}, "'min_n' must be from 1 to 'max_n'"),
        ({"options": {"weighting": "mean"}}, "options.weighting: 'mean' is not one of 'tf_idf'"),
        ({"model": "bm26"}, "micro_benchmark.rows: 'bm26' is no model; did you mean 'bm25'?"),
        ({"model": "bm25", "embedding": {"dimension": 9}}, "bm25 has no block 'embedding'"),
        ({"model": "ncs_postrank"}, "ncs_postrank builds on another model"),
        ({"modle": "ncs"}, "unknown key 'micro_benchmark.rows.0.modle'; did you mean 'model'?"),
    ],
)
def test_mistakes_end_in_one_line(root: Path, choice: dict[str, Any], message: str) -> None:
    with one_line(ConfigurationError, message, start="config/config.yaml or --config: "):
        load(root, rows=[NAMED | choice])


def test_all_models_have_the_words_that_queries_are_cut_from(project: Path) -> None:
    (project / "config/models/wordy.yaml").write_text("like: bm25\nwords: {class_name: false}\n")
    with pytest.raises(ConfigurationError, match="wordy has other 'words' than ncs, from which"):
        load(project, rows=[NAMED, NAMED | {"model": "wordy"}])
