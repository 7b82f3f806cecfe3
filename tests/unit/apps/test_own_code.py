"""`ncsbench index` and `ncsbench search` on folders of code that no workflow knows."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ncsbench.apps.own_code.index_folder import find_cache, find_index
from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.cli.main import app
from tests.own_code_folder import KEYBOARD, STREAMS, call, error_of, places, read_tree
from tests.own_code_folder import code as code  # noqa: PLC0414 (a fixture)


def test_a_question_is_answered_with_file_and_line(code: Path) -> None:
    made = call("index", code)
    assert made.exit_code == 0
    assert made.stdout == (
        "5 definitions in 2 files; 1 of 1 group of files worked on; model code_bm25\n"
    )
    done = call("search", "close the soft keyboard", "-k", 1)
    assert done.exit_code == 0
    assert "src/Keyboard.java:3  Keyboard.hide" in done.stdout
    assert "manager.hideSoftInputFromWindow" in done.stdout
    assert "\x1b" not in done.stdout
    (method,) = json.loads(call("search", "read a line", "-k", 1, "--json").stdout)["methods"]
    assert method["path"] == "src/Streams.java" and method["start_line"] == 2
    assert method["file"] == str(code / "src/Streams.java")
    assert method["rank"] == 1 and method["score"] > 0 and "readLine" in method["code"]


def test_what_a_name_says_in_full_comes_first(code: Path) -> None:
    loud = "new QRCodeWriter().encode(QRCode.encode(x)); " * 9
    (code / "src/WriterTest.java").write_text(
        f"class QRCodeWriterTest {{ void testQRCodeWriterEncode() {{ {loud} }} }}"
    )
    (code / "src/QRCodeWriter.java").write_text("class QRCodeWriter { void encode() { run(); } }")
    call("index", code)
    for question in ("QRCodeWriter.encode", "QRCodeWriter#encode", "com.x.QRCodeWriter.encode()"):
        assert places(question, "-k", 1) == ["src/QRCodeWriter.java:1"]
    assert places("qrcodewriter") == ["src/QRCodeWriter.java:1"]
    assert len(places("qrcode writer")) == 2


def test_editors_read_a_line_for_each_result(code: Path) -> None:
    call("index", code)
    done = call("search", "close the soft keyboard", "-k", 1, "--grep")
    assert done.stdout == "src/Keyboard.java:3: Keyboard.hide\n"


def test_nothing_is_written_into_the_folder(code: Path) -> None:
    before = read_tree(code)
    call("index", code)
    assert read_tree(code) == before


def test_the_index_of_the_folder_around_answers(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("index", code)
    monkeypatch.chdir(code / "src")
    assert places("hide keyboard", "-k", 1) == ["Keyboard.java:3"]
    monkeypatch.chdir(code.parent)
    assert "has no index" in error_of("search", "hide keyboard")
    (index,) = find_cache().iterdir()
    found = places("hide keyboard", "-k", 1, "--index", index)
    assert found == [f"{code}/src/Keyboard.java:3"]


def test_no_result_ends_with_3(code: Path) -> None:
    call("index", code)
    done = call("search", "zebra")
    assert done.exit_code == 3 and done.stdout == "" and "nothing found" in done.stderr
    assert json.loads(call("search", "zebra", "--json").stdout)["methods"] == []


def test_questions_come_line_by_line(code: Path) -> None:
    call("index", code)
    done = CliRunner().invoke(
        app, ["search", "--interactive", "--plain", "-k", "1"], input="hide keyboard\n\nread line\n"
    )
    assert done.exit_code == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        "src/Keyboard.java", "src/Streams.java",
    ]  # fmt: skip


def test_hostile_files_are_shown_harmless(code: Path) -> None:
    (code / "src/Evil.java").write_bytes(
        b"class Evil { void zebra() { // \x1b[2J\xe2\x80\xae <script>alert(1)</script>\n } }"
    )
    (code / "src/Long.java").write_text(
        'class Long { void ostrich() { s = "' + "x" * 2**20 + '"; } }'
    )
    (code / "src/Bytes.java").write_bytes(b'class Bytes { void okapi() { s = "\xff\xfe"; } }')
    assert call("index", code).exit_code == 0
    shown = call("search", "zebra").stdout
    assert "\x1b" not in shown and "<U+001B>[2J<U+202E> <script>" in shown
    assert len(call("search", "ostrich").stdout) < 2000
    assert places("okapi") == ["src/Bytes.java:1"]


@pytest.mark.parametrize("part", ["ranker", "words", "corpus", "pieces"])
def test_a_damaged_file_is_mended(code: Path, tmp_path: Path, part: str) -> None:
    index = tmp_path / "index"
    call("index", code, "--index", index)
    whole = read_tree(index)
    damaged = [name for name in whole if f"{part}/" in name and not name.endswith("checksums.json")]
    for name in damaged:
        (index / name).write_bytes(b"garbage")
    if part in ("ranker", "words"):
        message = error_of("search", "x", "--index", index)
        assert "is damaged" in message and f"make it again: ncsbench index {code}" in message
    call("index", code, "--index", index)
    assert read_tree(index) == whole


def test_what_changed_since_is_said(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call("index", code)
    monkeypatch.setattr("ncsbench.apps.own_code.refreshing.QUICK_FILES", 0)
    assert call("search", "hide keyboard", "-k", 1).stderr == ""
    path = code / "src/Keyboard.java"
    path.write_text("\n\n" + KEYBOARD)
    done = call("search", "hide keyboard", "-k", 1)
    assert "(changed since it was indexed)" in done.stdout
    assert f"ncsbench index {code}" in done.stderr
    assert "Keyboard.hide" not in call("similar", "src/Keyboard.java:5").stdout  # itself
    path.unlink()
    (method,) = json.loads(call("search", "hide", "-k", 1, "--json").stdout)["methods"]
    assert method["current"] is False and method["gone"] is True
    assert "(no longer there)" in call("search", "hide keyboard", "-k", 1).stdout


def test_code_of_no_definition_is_where_it_was(code: Path) -> None:
    names = "".join(
        f"    /** Key {number} of a zebra. */\n    K{number},\n" for number in range(60)
    )
    (code / "src/Keys.java").write_text(f"enum Keys {{\n{names}\n}}\n")
    call("index", code)
    done = call("search", "zebra key", "--by", "method")
    assert "Keys.java:11  Keys" in done.stdout and "changed" not in done.stdout + done.stderr


def test_similar_says_why_nothing_is_found(code: Path) -> None:
    (code / "src/K.java").write_text("class K {\n  K() { }\n  int k() { return 1; }\n}")
    call("index", code)
    done = call("similar", "src/K.java:3")
    assert done.exit_code == 3
    assert re.search(r"shares enough of its \d+ features?; a longer piece", done.stderr)
    assert "(constructors, fields and methods without" in error_of("similar", "src/K.java:2")


def test_a_place_may_have_a_column(code: Path) -> None:
    call("index", code)
    one = call("similar", "src/Keyboard.java:3", "--plain")
    assert one.stdout.split("\t")[0] == "src/Keyboard.java:7"
    for place in ("src/Keyboard.java:3:10", "src/Keyboard.java:3:", "src/Keyboard.java:3:10:"):
        assert call("similar", place, "--plain").stdout == one.stdout


def test_words_of_a_question_need_no_quotes(code: Path) -> None:
    call("index")  # of the folder one stands in
    assert call("search", "hide", "soft", "keyboard").stdout == call(
        "search", "hide soft keyboard"
    ).stdout  # fmt: skip


def test_no_lines_of_code_are_no_lines(code: Path) -> None:
    call("index", code)
    shown = call("search", "hide keyboard", "-k", 1, "--lines", 0).stdout.splitlines()
    assert shown[1:] == ["     in this file: :1 Keyboard, :7 Keyboard.show", ""]


@pytest.mark.parametrize("word", ["exit", " quit "])
def test_a_word_leaves(code: Path, word: str) -> None:
    call("index", code)
    done = CliRunner().invoke(
        app, ["search", "--interactive", "--plain"], input=f"read line\n{word}\nhide keyboard\n"
    )
    assert "Streams" in done.stdout and "Keyboard" not in done.stdout


def test_who_asks_at_a_terminal_is_told_how_to_leave(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("index", code)
    monkeypatch.setattr("ncsbench.cli.own_code._at_terminal", lambda: True)
    done = CliRunner().invoke(app, ["search", "--interactive"], input="exit\n")
    assert done.stderr.splitlines()[0] == "a question a line; exit, quit or Ctrl-D leaves"


def test_a_folder_in_an_indexed_one_is_asked_by_the_option(code: Path) -> None:
    call("index", code)
    assert places("hide keyboard", "-k", 1, "--index", "src") == ["src/Keyboard.java:3"]


def test_what_needs_the_workflow_says_where_it_lies(code: Path) -> None:
    for call_ in (("search", "x", "--dataset", "ncsed"), ("index", code, "--vectors", "sample")):
        assert "must be called from the folder of the workflow" in error_of(*call_)


def test_an_unknown_model_is_no_wall_of_names(code: Path) -> None:
    message = error_of("index", code, "--model", "zzzzzzzz")
    assert len(message) < 300 and message.endswith(" more, see docs/models.md")


def test_methods_with_the_same_text_are_one_result(code: Path) -> None:
    for name in "ABC":
        (code / f"src/{name}.java").write_text(STREAMS)
    call("index", code)
    done = json.loads(call("search", "read line", "-k", 2, "--json").stdout)
    assert done["methods"][0]["copies"] == ["src/B.java:2", "src/C.java:2", "src/Streams.java:2"]
    assert "(and 3 copies)" in call("search", "read line", "-k", 1).stdout


def test_a_question_after_the_index_was_made_anew(code: Path) -> None:
    """What was loaded is gone: it is loaded once more."""
    call("index", code)

    class Questions(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline(-1)
            if "keyboard" in line:
                (code / "src/B.java").write_text("class B { void ostrich() { run(); } }")
                call("index", code)
            return line

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", Questions("read line\nhide keyboard\nostrich\n"))
        output = io.StringIO()
        patch.setattr(sys, "stdout", output)
        with contextlib.suppress(SystemExit), one_corpus():
            app(["search", "--interactive", "--plain", "-k", "1"])
    files = [line.split(":")[0] for line in output.getvalue().splitlines()]
    assert files == ["src/Streams.java", "src/Keyboard.java", "src/B.java"]


def test_another_model_is_asked_for_by_name(code: Path) -> None:
    call("index", code, "--model", "bm25")
    assert places("hide keyboard", "-k", 1) == ["src/Keyboard.java:3"]
    assert call("index", code).stdout.strip().endswith("model bm25")
    wrong = error_of("search", "x", "--model", "elasticsearch_like")
    assert "has the model bm25" in wrong and f"index {code} --model elasticsearch_like" in wrong
    assert "did you mean 'bm25'" in error_of("index", code, "--model", "bm52")
    assert "--vectors DATASET" in error_of("index", code, "--model", "unif_github_c")


def test_a_ranker_in_a_file_of_ones_own_is_asked_for_by_its_path(
    code: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranker = "from ncsbench.rankers.bm25 import BM25\nclass Mine(BM25):\n    ...\nRANKER = Mine\n"
    (code / "mine.py").write_text(ranker)
    (code / "mine.yaml").write_text("python: mine.py\ntrained_on: none\n")
    call("index", code, "--model", "mine.yaml")
    monkeypatch.chdir(code / "src")
    # From another folder; and an edit is noticed when it is indexed again.
    assert places("hide keyboard", "-k", 1, "--model", "../mine.yaml") == ["Keyboard.java:3"]
    before = find_index(None).read().content
    assert call("index", code).exit_code == 0
    assert find_index(None).read().content == before
    (code / "mine.py").write_text(ranker.replace("...", "search = lambda *_, **__: 1 / 0"))
    assert call("index", code).exit_code == 0
    assert find_index(None).read().content != before


def test_a_file_that_an_index_elsewhere_names_is_not_executed(code: Path, tmp_path: Path) -> None:
    index, ran = tmp_path / "index", tmp_path / "ran"
    ranker = "from ncsbench.rankers.bm25 import BM25\nclass Mine(BM25):\n    ...\nRANKER = Mine\n"
    (code / "mine.py").write_text(ranker)
    (code / "mine.yaml").write_text("python: mine.py\ntrained_on: none\n")
    call("index", code, "--model", "mine.yaml", "--index", index)
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(ran)!r}, 'w')\n{ranker}")
    about = json.loads((index / "index.json").read_text())
    about["ranker"]["kind"] = str(evil)
    (index / "index.json").write_text(json.dumps(about))
    assert "its model is a Python file" in error_of("search", "x", "--index", index)
    found = places("hide keyboard", "-k", 1, "--index", index, "--model", "mine.yaml")
    assert found == ["src/Keyboard.java:3"] and not ran.exists()


def test_methods_like_a_method_are_found_without_itself(code: Path) -> None:
    (code / "src/Copy.java").write_text(KEYBOARD.replace("class Keyboard", "class Copy"))
    call("index", code)
    found = json.loads(call("similar", "src/Keyboard.java:4", "--json").stdout)
    first = found["methods"][0]
    assert (first["path"], first["start_line"], first["score"]) == ("src/Copy.java", 3, 1.0)
    assert all(
        (one["path"], one["start_line"]) != ("src/Keyboard.java", 3) for one in found["methods"]
    )
    assert "src/Copy.java:3  Copy.hide" in call("similar", "src/Keyboard.java:3").stdout
    piped = CliRunner().invoke(app, ["similar", "-"], input="manager.showSoftInput(view, 0);")
    assert "Copy.show (and 1 copy)" in piped.stdout
    assert (
        call("similar", "src/Keyboard.java:2").stdout
        == call("similar", "src/Keyboard.java:4").stdout
    )
    assert "no method is on this line" in error_of("similar", "src/Keyboard.java:1")
    assert "cannot be read" in error_of("similar", "src/Gone.java:1")
    assert "not a regular file" in error_of("similar", "/dev/zero:1")


def test_a_search_imports_no_heavy_package(code: Path, root: Path) -> None:
    call("index", code)
    script = (
        "import sys; from ncsbench.cli.main import app\n"
        "try: app(['search', 'hide keyboard'])\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'fasttext', 'faiss', 'numba', 'pandas', 'scipy', 'pyarrow.compute'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    environment = {**os.environ, "PYTHONPATH": str(root / "workflow")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
