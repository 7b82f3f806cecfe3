"""Exact search beside Annoy, in pools of several sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.artifacts.csv_tables import read_rows
from ncsbench.cli.main import app
from ncsbench.codesearchnet.annoy_comparison import COLUMNS, find_corpora
from ncsbench.errors import ConfigurationError
from ncsbench.function_corpus.annotations import COLUMNS as ANNOTATION_COLUMNS
from ncsbench.networks.network_files import save_network
from tests.functions_corpus import write_functions
from tests.random_encoder import make_parts
from tests.unit.test_annoy_search import IS_THERE, needs_annoy

WORDS = [f"{first}{second}" for first in "abcdefgh" for second in "klmnopqr"]
CODES = [f"{WORDS[i % 64]} ( {WORDS[(7 * i) % 64]} )" for i in range(300)]


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Of a command on 300 functions of Go, two of which are judged."""
    functions = [(f"f{i}", "some text", code) for i, code in enumerate(CODES)]
    write_functions(tmp_path / "corpora", "go", functions)
    save_network(tmp_path / "encoder", *make_parts(CODES, ["go", "php"], vocabulary_size=200))
    (tmp_path / "queries.csv").write_text("query\nak\nbl cm\n")
    url = f"https://github.com/owner/go/blob/{'c' * 40}/src/file"
    lines = [",".join(ANNOTATION_COLUMNS), f"Go,ak,{url}#L1-L5,3,", f"Go,ak,{url}#L11-L15,1,"]
    (tmp_path / "annotations.csv").write_text("\n".join(lines) + "\n")
    return [
        *("codesearchnet", "annoy", "--corpora", str(tmp_path / "corpora")),
        *("--encoder", str(tmp_path / "encoder"), "--output", str(tmp_path / "annoy.csv")),
        *("--annotations", str(tmp_path / "annotations.csv")),
        *("--queries", str(tmp_path / "queries.csv")),
    ]


@needs_annoy
def test_each_pool_has_an_exact_row_and_one_for_each_number_of_trees(
    arguments: list[str], tmp_path: Path
) -> None:
    asked = [*arguments, *("--pool", "50", "--pool", "0", "--pool", "301", "--trees", "1")]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    rows = read_rows(tmp_path / "annoy.csv", COLUMNS)
    assert [(row["pool"], row["functions"], row["search"], row["trees"]) for row in rows] == [
        *(("50", "50", "exact", ""), ("50", "50", "annoy", "1")),
        *(("all", "300", "exact", ""), ("all", "300", "annoy", "1")),
    ]
    assert {(row["language"], row["annotated"], row["queries"]) for row in rows} == {
        ("Go", "2", "1")
    }
    assert [row["found_share"] for row in rows if row["search"] == "exact"] == ["1.0000"] * 2
    # All of a pool that is smaller than a ranking is found, if Annoy looks at it.
    assert float(rows[0]["ndcg_within"]) > 0.6
    assert 0.2 < float(rows[3]["found_share"]) <= 1
    first = (tmp_path / "annoy.csv").read_bytes()
    assert CliRunner().invoke(app, asked).exit_code == 0
    assert (tmp_path / "annoy.csv").read_bytes() == first


@pytest.mark.skipif(IS_THERE, reason="needs annoy to be absent")
def test_without_annoy_the_command_ends_before_it_encodes(
    arguments: list[str], tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, ConfigurationError)
    assert "make annoy" in str(done.exception)
    assert not (tmp_path / "annoy.csv").exists()


def test_a_folder_without_corpora_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "go").mkdir()
    assert find_corpora(tmp_path, ["php", "go"]) == {"go": tmp_path / "go"}
    with pytest.raises(ConfigurationError, match="has no corpus of php"):
        find_corpora(tmp_path, ["php"])
