"""What is prepared before Snakemake decides what to do."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ncsbench.base.files.run_lock import RunIsBusyError, lock_folder
from ncsbench.base.files.storage import write_text
from ncsbench.errors import DataError
from ncsbench.pipeline.freshness.run_start import start_run
from ncsbench.pipeline.freshness.snakemake_private import Mode, announce_rebuilding, find_mode

SETTINGS = {"sample/settings/corpus.json": {"shards": 4}, "configured.json": {"dataset": "sample"}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NCSBENCH_CHECKSUMS", "data/checksums")
    monkeypatch.setenv("NCSBENCH_REBUILD", "snakemake --cores all --")
    monkeypatch.delenv("NCSBENCH_RUN", raising=False)
    return tmp_path


def start(settings: dict[str, object], mode: Mode = Mode.RUN) -> bool:
    lock = start_run(settings, mode=mode, data=Path("data"), artifacts=[Path("data/sample")])
    if lock is None:
        return False
    lock.close()
    return True


def test_only_settings_with_other_content_are_written(folder: Path) -> None:
    assert start(SETTINGS)
    paths = [folder / "data" / name for name in SETTINGS]
    before = [path.stat().st_ino for path in paths]
    assert start({**SETTINGS, "sample/settings/corpus.json": {"shards": 8}})
    assert json.loads(paths[0].read_text()) == {"shards": 8}
    assert [path.stat().st_ino == inode for path, inode in zip(paths, before, strict=True)] == [
        False,
        True,
    ]


def test_lock_files_of_a_run_that_is_no_more_are_removed(folder: Path) -> None:
    write_text(folder / ".snakemake/locks/0.output.lock", "results/table1.csv\n")
    start(SETTINGS)
    assert not (folder / ".snakemake/locks").exists()


def list_states(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in (folder / "data").rglob("*")
        if path.is_file() and "checksums" not in path.parts
    }


def test_a_look_puts_back_the_settings_that_it_wrote(folder: Path) -> None:
    start(SETTINGS)
    os.utime(folder / "data/configured.json", (1, 1))
    before = list_states(folder)
    look = (
        "import os\n"
        "from pathlib import Path\n"
        "from ncsbench.pipeline.freshness.run_start import start_run\n"
        "from ncsbench.pipeline.freshness.snakemake_private import Mode\n"
        "settings = {'sample/settings/corpus.json': {'shards': 8}, 'configured.json': 1,\n"
        "            'new/settings/corpus.json': {'shards': 2}}\n"
        "lock = start_run(settings, mode=Mode.LOOK, data=Path('data'), artifacts=[])\n"
        "print(sorted(map(str, Path('data').rglob('corpus.json'))),"
        " Path('data/configured.json').read_text())\n"
    )
    done = subprocess.run([sys.executable, "-c", look], check=True, capture_output=True, text=True)
    written = ["data/new/settings/corpus.json", "data/sample/settings/corpus.json"]
    assert done.stdout == f"{written} 1\n\n"
    assert list_states(folder) == before
    assert not (folder / "data/new").exists()
    assert start(SETTINGS)  # no record speaks against what was put back
    assert list_states(folder) == before


def test_a_broken_settings_file_is_written_again(folder: Path) -> None:
    start(SETTINGS)
    path = folder / "data/sample/settings/corpus.json"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"4", b"5"))
    start(SETTINGS)
    assert path.read_bytes() == whole


def test_touching_keeps_the_settings_that_artifacts_were_made_with(folder: Path) -> None:
    start(SETTINGS)
    start({**SETTINGS, "sample/settings/corpus.json": {"shards": 8}, "new.json": 1}, Mode.TOUCH)
    assert json.loads((folder / "data/sample/settings/corpus.json").read_text()) == {"shards": 4}
    assert (folder / "data/new.json").exists()


def test_a_damaged_artifact_ends_the_run_with_the_command_that_makes_it_again(folder: Path) -> None:
    write_text(Path("data/sample/words.txt"), "words")
    assert start(SETTINGS)
    (folder / "data/sample/words.txt").write_text("swords")
    assert start(SETTINGS, Mode.LOOK)
    with pytest.raises(DataError, match=r"rm -r \S+ && snakemake --cores all -- \S+ "):
        start(SETTINGS)
    start(SETTINGS, Mode.TOUCH)
    assert start(SETTINGS)


def test_an_artifact_from_the_future_gets_the_present_time(folder: Path) -> None:
    path = folder / "data/sample/words.txt"
    write_text(path, "words")
    os.utime(path, (2**32, 2**32))
    before = int(time.time())
    start(SETTINGS)
    assert before <= path.stat().st_mtime <= time.time()


def test_while_a_run_works_another_one_ends_and_a_look_writes_nothing(folder: Path) -> None:
    with lock_folder(folder / ".snakemake"):
        with pytest.raises(RunIsBusyError):
            start(SETTINGS)
        assert not start(SETTINGS, Mode.LOOK)
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "mode"),
    [
        ("--cores 2 results/table1.csv", Mode.RUN),
        ("-c1 -F results/table1.csv --config dataset=x", Mode.RUN),
        ("-n results/table1.csv", Mode.LOOK),
        ("-c 2 -np", Mode.LOOK),
        ("--lint", Mode.LOOK),
        ("--report x.html", Mode.LOOK),
        ("-t --forceall", Mode.TOUCH),
        ("--touch", Mode.TOUCH),
        ("--touch --dry-run", Mode.LOOK),
        ("--executor touch", Mode.TOUCH),
        ("--executor dryrun", Mode.LOOK),
        ("--list-changes code", Mode.LOOK),
        ("--list-untracked", Mode.LOOK),
        ("--archive x.tar.gz", Mode.LOOK),
    ],
)
def test_the_mode_is_that_of_the_command_line(arguments: str, mode: Mode) -> None:
    assert find_mode(arguments.split()) is mode


def test_rebuilding_needs_the_same_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCSBENCH_REBUILD", "")
    announce_rebuilding(["--cores", "2", "--config", "dataset=my data/x.yaml", "depth=20", "-q"])
    assert os.environ["NCSBENCH_REBUILD"] == (
        "snakemake --cores all --config 'dataset=my data/x.yaml' depth=20 --"
    )
