"""Cells of the grid of the study of cleaning: their training and the ranks they give."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from ncsbench.base.files.storage import read_table, write_table
from ncsbench.base.runs.rankings import Query
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.deepcs.field_encoder import load_field_encoder
from ncsbench.pairs.cleaned_pairs.benchmark_files import CODE_SCHEMA, QUERY_SCHEMA, RANK_SCHEMA
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.pipeline.runs.cleaning_cells import change_options
from ncsbench.rankers.lexical.random_order import RandomOrder
from ncsbench.rankers.protocol import Ranker
from ncsbench.rankers.vectors.carlcs import Carlcs
from ncsbench.rankers.vectors.deepcs import Deepcs
from ncsbench.studies.icse_2022.cell_ranks import find_first_ranks, rank_cell
from ncsbench.studies.icse_2022.cell_settings import CellSettings
from ncsbench.studies.icse_2022.cell_training import train_cell
from tests.encoder_corpus import make_methods
from tests.synthetic_documents import CALLED, draw_calls, make_documents, make_pairs
from tests.unit.learning.test_field_training import make_options
from tests.unit.made_up_pairs import kill_after

QUERIES = [(f"how to {CALLED[3]} {CALLED[5]}", [0, 1]), (CALLED[7], [2]), ("unseen", [1])]
CODES = [f"void x() {{ {CALLED[15 - number]}.a(); }}" for number in (3, 5, 7)]
WRONG = [f"void x() {{ {one}.{other}(); }}" for one in CALLED[:5] for other in CALLED[5:8]]


def write_benchmark(
    folder: Path, queries: Sequence[tuple[str, list[int]]], codes: list[str], wrong: list[str]
) -> Path:
    rows = [
        {
            **{"query": number, "text": text, "group": text, "positives": positives},
            **{"at_hand": len(positives), "published": 3},
        }
        for number, (text, positives) in enumerate(queries)
    ]
    write_table(
        folder / "queries.parquet", pa.Table.from_pylist(rows, schema=QUERY_SCHEMA), QUERY_SCHEMA
    )
    for name, texts in (("positives", codes), ("distractors", wrong)):
        found = [
            {"id": number, "key": str(number), "url": "", "code": text, "class_name": ""}
            for number, text in enumerate(texts)
        ]
        table = pa.Table.from_pylist(found, schema=CODE_SCHEMA)
        write_table(folder / f"{name}.parquet", table, CODE_SCHEMA)
    return folder


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("sets")
    table = make_pairs(draw_calls(lambda one, other: f"void x() {{ {one}.{other}(); }}"))
    write_table(folder / "raw.parquet", table, PAIR_SCHEMA)
    write_table(folder / "filtered.parquet", table.slice(0, 60), PAIR_SCHEMA)
    return {name: folder / f"{name}.parquet" for name in ("raw", "filtered")}


@pytest.fixture(scope="module")
def benchmark_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_benchmark(tmp_path_factory.mktemp("all") / "some", QUERIES, CODES, WRONG)


def make_settings(network: str = "deepcs", **values: Any) -> CellSettings:
    options = change_options(
        make_options(network), values.pop("changes", {}), "filtered", where="test"
    )
    return CellSettings(
        **{"set": "filtered", "model": network, "field_encoder": options, "seed": 3, **values}
    )


def train(settings: CellSettings, sets: dict[str, Path], folder: Path) -> Path:
    train_cell(
        settings,
        sets[settings.set],
        vocabulary_pairs=sets["raw"] if settings.vocabulary == "raw" else None,
        steps_of=sets[settings.steps_of] if settings.steps_of else None,
        checkpoint=folder / "checkpoint",
        record=folder / "record",
        output=folder / "encoder",
    )
    return folder


def rank(settings: CellSettings, folder: Path, *benchmarks: Path) -> pa.Table:
    ranks, cell = folder / "ranks.parquet", folder / "cell.json"
    rank_cell(settings, folder / "encoder", folder / "record", benchmarks, ranks, cell)
    return read_table(ranks, RANK_SCHEMA)


@pytest.mark.parametrize("network", ["deepcs", "carlcs"])
def test_a_cell_ranks_as_its_ranker_does(
    sets: dict[str, Path], benchmark_folder: Path, tmp_path: Path, network: str
) -> None:
    settings = make_settings(network)
    train(settings, sets, tmp_path)
    more = write_benchmark(tmp_path / "more", QUERIES, CODES, WRONG)
    table = rank(settings, tmp_path, benchmark_folder, more)
    assert table["benchmark"].to_pylist() == ["some"] * 3 + ["more"] * 3
    found = table.slice(0, 3).to_pydict()
    assert found["group"] == ["0", "1", "2"] and found["positives"] == [2, 1, 1]
    assert found["candidates"] == [17, 16, 16]
    # As the ranker orders the same code, of which the distractors come first.
    methods = make_methods(tmp_path / "corpus", [(text, None) for text in [*WRONG, *CODES]])
    corpus = make_documents(["some"] * 18, methods=methods)
    base = RandomOrder(options={}, base=None, seed=1)
    ranker: Ranker = (
        Deepcs(options={}) if network == "deepcs" else Carlcs(options={"depth": 18}, base=base)
    )
    encoder = load_field_encoder(tmp_path / "encoder")
    ranker.fit(corpus=corpus, field_encoder=encoder, methods=methods)
    expected = []
    for text, positives in QUERIES[:2]:
        ids = ranker.search([Query(1, text)], k=18).ids.tolist()
        wrong = [number < 15 for number in ids]
        places = [ids.index(15 + one) for one in positives]
        expected.append(min(1 + sum(wrong[:place]) for place in places))
    assert found["first_rank"] == [*expected, 16]  # no word of the last query is known
    record = json.loads((tmp_path / "cell.json").read_text())
    own = {"queries": 3, "positives": 3, "distractors": 15}
    assert record["benchmarks"] == {"some": own, "more": own}
    assert (record["set"], record["model"], record["seed"]) == ("filtered", network, 3)
    assert record["pairs"] == 60 and record["epochs"] == 2
    # Of so small a training they may be 0.0 on a fast machine.
    trained = json.loads((tmp_path / "record" / "cell.json").read_text())
    assert record["processor_seconds"] == trained["processor_seconds"] >= 0
    assert record["trained"] + record["held_out"] <= 60
    assert record["settings"] == settings.as_json()


def test_a_cell_that_was_killed_goes_on_and_ends_with_the_same_bytes(
    sets: dict[str, Path], benchmark_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = make_settings(steps_of="raw")
    for name, epoch in (("a", 0), ("b", 1)):
        with monkeypatch.context() as patch:
            if epoch:
                kill_after(patch, epoch)
                with pytest.raises(KeyboardInterrupt):
                    train(settings, sets, tmp_path / name)
        train(settings, sets, tmp_path / name)
        rank(settings, tmp_path / name, benchmark_folder)
    for path in (tmp_path / "a").rglob("*"):
        if path.is_file() and path.name != "cell.json":
            other = tmp_path / "b" / path.relative_to(tmp_path / "a")
            assert path.read_bytes() == other.read_bytes(), path
    about = json.loads((tmp_path / "a" / "record" / "about.json").read_text())
    assert about["steps"] == 2 * 6 and len(about["vocabulary_hash"]) == 64


def test_equal_scores_and_unknown_words_earn_nothing_dev_195() -> None:
    scores = {"equal": [0.5] * 5, "last": [-np.inf, 0.1, 0.3, 0.2, -np.inf], "unknown": [-1.0] * 5}

    def score(text: str, methods: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.array(scores[text])[methods]

    asked = [("equal", [0]), ("last", [0]), ("last", [0, 1]), ("last", [1]), ("unknown", [0, 1])]
    queries = [{"text": text, "positives": positives} for text, positives in asked]
    assert find_first_ranks(queries, score, 2, 5) == [4, 4, 3, 3, 4]
    with pytest.raises(DataError, match="no numbers"):
        find_first_ranks(queries[:1], lambda _, methods: np.full(len(methods), np.nan), 2, 5)


def test_benchmarks_of_several_queries_with_one_text_and_without_words(
    sets: dict[str, Path], tmp_path: Path
) -> None:
    settings = make_settings(vocabulary="per_set", changes={"epochs": 1})
    train(settings, sets, tmp_path)
    text = CALLED[3]
    some = write_benchmark(
        tmp_path / "some", [("x", []), (text, [1]), (text, [0]), ("y", [0])], ["{}", *CODES], ["{}"]
    )
    none = write_benchmark(tmp_path / "none", [(text, [0])], ["{}"], [])
    found = rank(settings, tmp_path, some, none).to_pydict()
    assert found["query"] == [1, 2, 3, 0] and found["group"] == ["1", "1", "3", "0"]
    assert found["first_rank"] == [1, 2, 2, 1]
    assert rank(settings, tmp_path).num_rows == 0


def test_too_few_pairs_are_ranked_with_the_first_values(
    sets: dict[str, Path], benchmark_folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "empty.parquet"
    write_table(path, make_pairs([]), PAIR_SCHEMA)
    settings = make_settings()
    train(settings, {**sets, "filtered": path}, tmp_path)
    assert "keeps its random first values" in caplog.text
    assert rank(settings, tmp_path, benchmark_folder).num_rows == 3
    record = json.loads((tmp_path / "cell.json").read_text())
    assert (record["pairs"], record["trained"], record["epochs"]) == (0, 0, 0)
    assert record["held_out_mrr"] is None


def test_files_of_another_cell_end_in_one_line(
    sets: dict[str, Path], benchmark_folder: Path, tmp_path: Path
) -> None:
    settings = make_settings(changes={"epochs": 1})
    made = train(settings, sets, tmp_path / "a")
    other = train(make_settings(changes={"epochs": 1}, seed=4), sets, tmp_path / "b")
    with pytest.raises(DataError, match="is that of another cell; train filtered-deepcs-seed4"):
        rank(make_settings(changes={"epochs": 1}, seed=4), made, benchmark_folder)
    (other / "record").rename(tmp_path / "kept")
    (made / "record").rename(other / "record")
    with pytest.raises(DataError, match="is not what "):
        rank(settings, other, benchmark_folder)
    (other / "record" / "cell.json").write_text("[]")
    with pytest.raises(DataError, match="is damaged"):
        rank(settings, other, benchmark_folder)
    (tmp_path / "kept").rename(made / "record")
    path = made / "encoder" / "vocabularies.json"
    path.write_text(path.read_text().replace(CALLED[0], "other"))
    with pytest.raises(DataError, match="another network"):
        rank(make_settings(changes={"epochs": 1}, seed=4), made, benchmark_folder)


def test_a_benchmark_whose_files_do_not_fit_ends_in_one_line(
    sets: dict[str, Path], tmp_path: Path
) -> None:
    settings = make_settings(changes={"epochs": 1})
    train(settings, sets, tmp_path)
    wrong = write_benchmark(tmp_path / "some", [("x", [1])], ["{}"], ["{}"])
    with pytest.raises(DataError, match="name code that is not there"):
        rank(settings, tmp_path, wrong)
    with pytest.raises(DataError):
        rank(settings, tmp_path, tmp_path / "none")


def test_options_and_files_that_do_not_fit_are_refused(
    sets: dict[str, Path], tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="ncs: has no block 'field_encoder'"):
        change_options(None, {}, "raw", where="ncs")
    with pytest.raises(ConfigurationError, match="unknown key "):
        change_options(make_options(), {"epoch": 2}, "raw", where="test")
    assert change_options(make_options(), {"epochs": 7}, "raw", where="test").pairs == ("raw",)
    assert make_settings().name == "filtered-deepcs-seed3"
    for vocabulary, steps in ((None, None), (sets["raw"], sets["raw"])):
        with pytest.raises(ConfigurationError, match="cell: "):
            train_cell(
                make_settings(),
                sets["filtered"],
                vocabulary_pairs=vocabulary,
                steps_of=steps,
                checkpoint=tmp_path / "a",
                record=tmp_path / "c",
                output=tmp_path / "d",
            )
