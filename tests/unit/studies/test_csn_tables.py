"""Tables 1 and 3 of CodeSearchNet from small corpora and ranks, by hand."""

from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.base.files.csv_tables import read_headed_rows, read_rows
from ncsbench.base.files.storage import write_json, write_table
from ncsbench.studies.codesearchnet.corpus_tables import COUNT_COLUMNS, count_functions
from ncsbench.studies.codesearchnet.system_ranks import RANK_SCHEMA
from ncsbench.studies.codesearchnet.table3 import table3_columns, write_table3
from ncsbench.studies.codesearchnet.table_options import TableSettings

PUBLISHED = """table,row,column,value,source,note
Table 1,Go,all,726768,test,
Table 1,Go,with_documentation,347789,test,
released pairs,Go,train,317832,test,
released pairs,All,train,200,test,
Table 3,NBoW,Go,0.6409,test,
Table 3,NBoW,Avg,0.6167,test,
"""


def write_manifest(folder: Path, language: str, functions: int) -> None:
    stages = ["extracted", "without near duplicates", "at least 3 tokens"]
    write_json(
        folder / language / "manifest.json",
        {
            "language": language,
            "funnel": [
                {"stage": stage, "functions": functions - row, "documented": 5 - row}
                for row, stage in enumerate(stages)
            ],
            "parts": {part: {"functions": 2} for part in ("train", "valid", "test")},
            "pairs": {"train": 3, "valid": 1, "test": 0},
        },
    )


def test_table_1_counts_every_stage_beside_the_published_numbers(tmp_path: Path) -> None:
    write_manifest(tmp_path, "go", 20)
    write_manifest(tmp_path, "java", 30)
    corpora = {name: tmp_path / name for name in ("go", "java")}
    (tmp_path / "published.csv").write_text(PUBLISHED)
    count_functions(corpora, tmp_path / "table1.csv", tmp_path / "published.csv")
    rows = read_rows(tmp_path / "table1.csv", COUNT_COLUMNS)
    cells = {(row["language"], row["stage"]): [*row.values()][2:] for row in rows}
    assert cells["Go", "extracted"] == ["20", "5", "", ""]
    assert cells["Go", "without near duplicates"] == ["19", "4", "726768", "347789"]
    assert cells["Go", "pairs of train"] == ["2", "3", "", "317832"]
    assert cells["All", "without near duplicates"] == ["48", "8", "", ""]


def write_ranks(path: Path, ranks: dict[str, list[tuple[int, int]]], pool: int) -> Path:
    rows = [
        {
            "language": "go" if scope == "all" else scope,
            "function_id": row,
            "scope": scope,
            "pool": pool,
            "code_rank": code,
            "query_rank": query,
        }
        for scope, some in ranks.items()
        for row, (code, query) in enumerate(some)
    ]
    write_table(path, pa.Table.from_pylist(rows, RANK_SCHEMA), RANK_SCHEMA)
    return path


def build(
    paths: list[Path], pools: list[int], trained: int = 191
) -> dict[tuple[str, str, str], dict[str, str]]:
    for path in paths:
        pairs = {"pairs": {"trained": trained}}
        write_json(path.with_suffix(".json"), {"training": {"all": pairs}})
    settings = {
        "systems": ["nbow"],
        "runs": {"nbow": [path.stem for path in paths]},
        "published_as": {"nbow": "NBoW"},
        "languages": ["go", "java"],
        "pools": pools,
        "bootstrap_samples": 200,
    }
    options = TableSettings.parse(settings, where="settings")
    records = [path.with_suffix(".json") for path in paths]
    output, published = (paths[0].with_name(name) for name in ("table3.csv", "published.csv"))
    published.write_text(PUBLISHED)
    write_table3(options, paths, records, output, published)
    header, rows = read_headed_rows(output)
    assert tuple(header) == table3_columns(pools)
    return {(row["model"], row["direction"], row["language"]): row for row in rows}


def test_table_3_has_both_directions_seeds_and_means(tmp_path: Path) -> None:
    first = {"go": [(1, 2), (2, 1)], "java": [(1, 1)], "all": [(1, 4)]}
    second = {"go": [(1, 2), (1, 1)], "java": [(2, 1)], "all": [(1, 2)]}
    paths = [
        write_ranks(tmp_path / f"{i}.parquet", one, 1000) for i, one in enumerate((first, second))
    ]
    rows = build(paths, [1000])
    assert rows["nbow", "query_to_code", "Go"]["mrr_1000"] == "0.8750"
    assert rows["nbow", "code_to_query", "Go"]["mrr_1000"] == "0.7500"
    assert rows["nbow", "query_to_code", "mean"]["mrr_1000"] == "0.8125"
    assert rows["nbow", "code_to_query", "pooled"]["mrr_1000"] == "0.3750"
    assert rows["nbow", "code_to_query", "pooled"]["published"] == "0.6167"
    assert rows["nbow", "code_to_query", "pooled"]["verdict"] == "not comparable: margin"
    assert rows["nbow", "query_to_code", "Go"]["published"] == ""
    go = rows["nbow", "code_to_query", "Go"]
    assert (go["seeds"], go["pairs_1000"], go["published"]) == ("2", "2", "0.6409")
    low, high = float(go["mrr_1000_low"]), float(go["mrr_1000_high"])
    assert (low, high) == (0.5, 1.0) and go["verdict"] == "not comparable: margin"
    assert rows["random order", "query_to_code", "Go"]["mrr_1000"] == "0.0075"


def test_verdicts_of_table_3_need_pairs_like_the_published_dev_154(tmp_path: Path) -> None:
    path = write_ranks(tmp_path / "ranks.parquet", {"go": [(9, 9)], "java": [], "all": []}, 1000)
    found = {
        trained: build([path], [1000], trained)["nbow", "code_to_query", "Go"]["verdict"]
        for trained in (200, 191, 189, 211)
    }
    assert found == {
        **dict.fromkeys((200, 191), "not comparable: margin"),  # of two pairs
        **{n: f"not comparable: pairs ({n} for 200)" for n in (189, 211)},
    }


@pytest.mark.parametrize(("pool", "verdict"), [(50, "not comparable: pool"), (1000, "")])
def test_what_has_no_pool_of_that_size_has_no_figure(
    tmp_path: Path, pool: int, verdict: str
) -> None:
    path = write_ranks(
        tmp_path / "ranks.parquet", {"go": [(1, 1)], "java": [], "all": [(1, 1)]}, 50
    )
    rows = build([path], [pool])
    go, java, mean = (rows["nbow", "code_to_query", name] for name in ("Go", "Java", "mean"))
    assert go["verdict"] == verdict
    assert java[f"mrr_{pool}"] == mean[f"mrr_{pool}"] == ""
    assert java[f"pairs_{pool}"] == "0"
