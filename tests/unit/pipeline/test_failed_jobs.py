"""A run that failed ends in the errors of its jobs, once each."""

import os
from pathlib import Path

from ncsbench.pipeline.freshness.progress import list_errors

ERROR = "ncsbench: error: model a: \x1b[2Jwhy\n"
LOGS = {
    "a.log": f"rankers: read\nncsbench: error: earlier\n{ERROR}",
    "b.log": ERROR,
    "killed.log": "rankers: read\n",
    "crash.log": "Traceback (most recent call last):\n  File 'a.py'\nTypeError: no 'k'\n",
    "d.log": "ncsbench: error: no room\n",
}


def test_each_error_of_the_run_stands_once(tmp_path: Path) -> None:
    for time, (name, text) in enumerate(LOGS.items(), 100):
        (tmp_path / name).write_text(text)
        os.utime(tmp_path / name, (time, time))
    folders = [tmp_path, tmp_path / "none"]
    last = "ncsbench: error: no room"
    crash = f"ncsbench: error: {tmp_path}/crash.log: TypeError: no 'k'"
    first = "ncsbench: error: model a: <U+001B>[2Jwhy"
    assert list_errors(folders, since=100) == [first, crash, last]
    assert list_errors(folders, since=104) == [last]
