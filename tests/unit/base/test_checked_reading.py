"""Every reader of artifacts finds a byte that is not the one that was written."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

from ncsbench.apps.shown_tables.shown_table import format_table1
from ncsbench.base.files import storage
from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.base.files.svg_figures import save_figure
from ncsbench.base.files.training_checkpoints import read_tensors, write_tensors
from ncsbench.base.runs.trec_files import read_run
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.posts.dump.dump_passes import open_records

SCHEMA = pa.schema([pa.field("n", pa.int32(), nullable=False)])


def write_record_file(path: Path) -> None:
    with open_records(path, SCHEMA) as add:
        add({"n": 1})


KINDS: dict[str, tuple[Callable[[Path], object], Callable[[Path], object]]] = {
    "json": (lambda path: storage.write_json(path, {"a": 1}), storage.read_json),
    "array": (lambda path: storage.write_array(path, np.arange(9)), storage.read_array),
    "mapped": (lambda path: storage.write_array(path, np.arange(9)), storage.map_array),
    "table": (
        lambda path: storage.write_table(path, pa.table({"n": [1]}), SCHEMA),
        lambda path: storage.read_table(path, SCHEMA),
    ),
    "records": (write_record_file, lambda path: list(storage.iterate_row_groups(path, SCHEMA))),
    "csv": (
        lambda path: write_rows(path, ["a"], [{"a": "1"}]),
        lambda path: read_rows(path, ["a"]),
    ),
    "shown table": (lambda path: storage.write_text(path, "a\n1\n"), format_table1),
    "run": (lambda path: storage.write_text(path, "1 Q0 2 1 0.5 x\n"), read_run),
    "sheet": (
        lambda path: storage.write_text(path, "No.,StackOverflow ID,A FRank\n1,2,3\n"),
        read_score_sheet,
    ),
    "tensors": (
        lambda path: write_tensors(path, {"a": np.arange(9, dtype=np.float32)}),
        read_tensors,
    ),
    "figure": (
        lambda path: save_figure(path, Figure),
        lambda path: storage.copy_file(path, Path("copy")),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_byte_ends_in_one_line_with_the_command_that_mends_it(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "data/checksums")
    monkeypatch.delenv("NCSBENCH_REBUILD", raising=False)
    write, read = KINDS[kind]
    path = Path("data/it's")
    write(path)
    if kind != "shown table":  # a whole one is long
        read(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == (
        "data/it's: is damaged: its bytes are not those that were written; rebuild it: "
        """rm -r 'data/it'"'"'s' && snakemake --cores all 'data/it'"'"'s'"""
        " (if dvc pull put it there, take it over: make restore)"
    )
