import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from ncsbench import storage
from ncsbench.errors import DataError

SCHEMA = pa.schema([pa.field("n", pa.int32(), nullable=False)])


def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    storage.write_text(path, "old")
    with pytest.raises(RuntimeError), storage.atomic_path(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]  # noqa: PTH208


def test_a_failed_folder_leaves_the_old_folder(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    with storage.atomic_folder(path) as temporary:
        (temporary / "a").write_text("old")
    with pytest.raises(RuntimeError), storage.atomic_folder(path) as temporary:
        (temporary / "a").write_text("half")
        raise RuntimeError
    assert (path / "a").read_text() == "old"
    assert os.listdir(tmp_path) == ["folder"]  # noqa: PTH208


def test_tables_are_checked_when_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    storage.write_table(path, pa.table({"n": [1, 2]}), SCHEMA)
    assert storage.read_table(path, SCHEMA)["n"].to_pylist() == [1, 2]
    with pytest.raises(DataError, match="expected columns"):
        storage.read_table(path, pa.schema([("m", pa.int32())]))
    with pytest.raises(DataError, match="do not fit the schema"):
        storage.write_table(path, pa.table({"m": [1]}), SCHEMA)
    with pytest.raises(DataError, match="do not fit the schema"):
        storage.write_table(path, pa.table({"n": ["x"]}), SCHEMA)


def test_damaged_files_end_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"nonsense")
    (tmp_path / "a.npy").write_bytes(b"nonsense")
    (tmp_path / "j.json").write_bytes(b"{")
    with pytest.raises(DataError, match=r"t\.parquet"):
        storage.read_table(tmp_path / "t.parquet", SCHEMA)
    with pytest.raises(DataError, match=r"a\.npy"):
        storage.read_array(tmp_path / "a.npy")
    with pytest.raises(DataError, match=r"j\.json"):
        storage.read_json(tmp_path / "j.json")


def test_pickled_arrays_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{"x": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(DataError):
        storage.read_array(tmp_path / "a.npy")


def test_equal_content_gives_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        storage.write_table(tmp_path / name, pa.table({"n": [3, 1]}), SCHEMA)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
