import os
import re
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

from ncsbench.base.files import storage, temporary_files
from ncsbench.base.files.svg_figures import save_figure
from ncsbench.base.files.training_checkpoints import write_tensors
from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_passes import open_records

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


@pytest.fixture
def full_disk() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Within its block no file can grow beyond some bytes."""

    @contextmanager
    def limit() -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    yield limit


def draw_much() -> Figure:
    figure = Figure()
    figure.subplots().plot(np.random.default_rng(0).random(5000))
    return figure


def write_folder(path: Path) -> None:
    with storage.atomic_folder(path) as temporary:
        storage.write_array(temporary / "a.npy", np.zeros(10_000))


def write_records(path: Path) -> None:
    with open_records(path, SCHEMA) as add:
        for number in np.random.default_rng(0).integers(1 << 30, size=5000).tolist():
            add({"n": number})


NOISE = pa.table({"n": np.random.default_rng(0).integers(1 << 30, size=9000)})
WRITERS: dict[str, Callable[[Path], object]] = {
    "text": lambda path: storage.write_text(path, "x" * 10_000),
    "array": lambda path: storage.write_array(path, np.zeros(10_000)),
    "table": lambda path: storage.write_table(path, NOISE, SCHEMA),
    "records": write_records,
    "tensors": lambda path: write_tensors(path, {"a": np.zeros(10_000)}),
    "figure": lambda path: save_figure(path, draw_much),
    "folder": write_folder,
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_full_disk_ends_in_one_line_and_leaves_nothing(
    kind: str,
    tmp_path: Path,
    full_disk: Callable[[], AbstractContextManager[None]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "checksums")
    path = Path("made")
    save_figure(Path("warm"), Figure)  # what matplotlib caches is written before
    with full_disk(), pytest.raises(DataError) as caught:
        WRITERS[kind](path)
    name = "made/a.npy" if kind == "folder" else "made"
    reason = r"(File too large|.* requested and .* written; is the disk full\?|.*os error 27.*)"
    assert re.fullmatch(rf"{name}: cannot be written \({reason}\)", str(caught.value))
    assert sorted(os.listdir()) == ["checksums", "warm", "warm_dark"]  # noqa: PTH208
    assert sorted(os.listdir("checksums")) == ["warm.json", "warm_dark.json"]  # noqa: PTH208


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="other"), storage.atomic_path(tmp_path / "a"):
        (tmp_path / "other").read_bytes()


def test_a_path_that_cannot_be_written_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(DataError, match=r"file/a: cannot be written \((Not a dir|File exists)"):
        storage.write_text(tmp_path / "file" / "a", "text")
    with pytest.raises(DataError, match=r"folder: cannot be written \(Is a directory\)"):
        storage.write_text(tmp_path / "folder", "text")


def dead_process() -> int:
    return int(subprocess.run(["sh", "-c", "echo $$"], capture_output=True, check=True).stdout)


def test_only_what_a_dead_process_of_this_machine_left_is_removed(tmp_path: Path) -> None:
    host, dead = temporary_files._HOST, dead_process()
    leftovers = [
        f"deep/.a b\n.npy.{host}-{dead}.tmp",
        f".folder.{host}-{dead}.tmp",
        f".link.{host}-{dead}.tmp",
    ]
    others = [
        *(f".a.{host}-{os.getpid()}.tmp", f".a.other_{host}-{dead}.tmp", f".{host}-{dead}.tmp"),
        *(f"a.{host}-{dead}.tmp", f".a.{host}-{dead}.tmp2", f".a.{dead}.tmp", ".tmp", "a.tmp"),
        *(f".a.{host}-{dead}9999999999.tmp", f".a.{host}-.tmp", f".a.{host}-0.tmp"),
    ]
    for name in ("deep", f"{leftovers[1]}/deep", "target"):
        (tmp_path / name).mkdir(parents=True)
    for name in (leftovers[0], f"{leftovers[1]}/deep/x", "target/x", *others):
        (tmp_path / name).write_text("")
    (tmp_path / leftovers[2]).symlink_to(tmp_path / "target")
    removed = storage.remove_leftovers([tmp_path, tmp_path / "none", tmp_path / "target/x"])
    assert removed == sorted(tmp_path / name for name in leftovers)
    left = {path.name for path in tmp_path.rglob("*")}
    assert left == {*others, "deep", "target", "x"}


def test_what_is_written_has_the_name_of_a_temporary_file(tmp_path: Path) -> None:
    with storage.atomic_folder(tmp_path / "f") as folder, storage.atomic_path(folder / "a") as path:
        path.write_text("")
        assert temporary_files.is_temporary(folder)
        assert temporary_files.final_path(path) == tmp_path / "f" / "a"
        assert storage.remove_leftovers([tmp_path]) == []


def test_copies_are_equal_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\r\n\xff")
    storage.copy_file(tmp_path / "a", tmp_path / "deep" / "b")
    assert (tmp_path / "deep" / "b").read_bytes() == b"\r\n\xff"
