"""A small folder of Java that is indexed, and the commands that are called on it."""

from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.cli.main import app

KEYBOARD = """class Keyboard {
    /** Closes the soft keyboard. */
    void hide(View view) {
        manager.hideSoftInputFromWindow(view.getWindowToken(), 0);
    }

    void show(View view) {
        manager.showSoftInput(view, 0);
    }
}
"""
STREAMS = """class Streams {
    static String readLine(InputStream in) throws IOException {
        return new BufferedReader(new InputStreamReader(in)).readLine();
    }
}
"""


def call(*arguments: object) -> Result:
    """Call a command, which reads one corpus alone, as a process does."""
    with one_corpus():
        return CliRunner().invoke(app, [str(one) for one in arguments])


def error_of(*arguments: object) -> str:
    done = call(*arguments)
    assert done.exit_code == 1 and done.exception is not None
    message = str(done.exception)
    assert "\n" not in message
    return message


def read_tree(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def places(question: str, *options: object) -> list[str]:
    done = call("search", question, "--plain", *options)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of Java in which one stands, with an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "code"
    (folder / "src").mkdir(parents=True)
    (folder / "src/Keyboard.java").write_text(KEYBOARD)
    (folder / "src/Streams.java").write_text(STREAMS)
    monkeypatch.chdir(folder)
    return folder
