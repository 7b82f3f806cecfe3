"""BM25 over definitions: stems, names as they are written, and code that stands aside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncsbench.rankers.lexical.code_bm25 import find_forms
from tests.own_code_folder import call, places
from tests.own_code_folder import code as code  # noqa: PLC0414 (a fixture)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert call("index", folder).exit_code == 0


def test_a_word_is_found_in_other_forms(code: Path) -> None:
    write(code, {"codec.py": "def encode(values):\n    return values\n"})
    assert places("encoding of a value", "-k", 1) == ["codec.py:1"]


def test_a_name_finds_its_definition_before_what_calls_it(code: Path) -> None:
    calls = "    fetch_rows()\n" * 9
    write(
        code, {"a.py": f"def load_fetch_rows():\n{calls}", "b.py": "def fetch_rows():\n    pass\n"}
    )
    for question in ("fetch_rows", "where is fetch_rows defined"):
        assert places(question, "-k", 1) == ["b.py:1"]
    write(code, {"c.py": "class FetchRows:\n    pass\n"})
    assert places("FetchRows", "-k", 1) == places("fetchrows", "-k", 1) == ["c.py:1"]


@pytest.mark.parametrize(
    "path", ["tests/store.py", "test_store.py", "examples/x.py", "a/vendor/store.py", "x_pb2.py"]
)
def test_tests_come_behind_unless_they_are_asked_for(code: Path, path: str) -> None:
    body = "    store.save(store)\n"
    write(code, {path: f"def save_store():\n{body}{body}", "lib.py": f"def save_store():\n{body}"})
    assert places("save the store", "-k", 2) == ["lib.py:1", f"{path}:1"]
    assert places("examples and tests that save the store", "-k", 1) == [f"{path}:1"]


def test_a_file_in_which_much_fits_comes_first(code: Path) -> None:
    one = "def read_header(stream):\n    return stream.header\n"
    many = "".join(f"def read_{name}(stream):\n    return stream\n" for name in ("a", "b", "c"))
    write(code, {"one.py": one, "reader.py": one.replace("header", "head") + many})
    assert places("read streams")[0].startswith("reader.py")
    found = json.loads(call("search", "read streams", "--json", "-k", 1).stdout)["methods"]
    assert [other["method_name"] for other in found[0]["others"]] == [
        "read_b",
        "read_c",
        "read_head",
    ]
    listed = places("read streams", "--by", "method")
    assert len(listed) == 5 and len(places("read streams")) == 3


def test_files_are_chosen(code: Path) -> None:
    body = "def close_all():\n    pass\n"
    write(
        code,
        {
            "src/a.py": body,
            "src/web/b.ts": "export function closeAll() {\n  return 1;\n}\n",
            "tests/c.py": body.replace("pass", "return"),
        },
    )
    asked = ("close all", "-k", 9)
    assert places(*asked, "--lang", "python") == ["src/a.py:1", "tests/c.py:1"]
    assert places(*asked, "--lang", ".ts") == places(*asked, "--path", "web") == ["src/web/b.ts:1"]
    assert places(*asked, "--tests") == ["tests/c.py:1"]
    found = places(*asked, "--no-tests", "--not-path", "*.ts", "--not-path", "src/*.java")
    assert found == ["src/a.py:1"]
    assert call("search", "close", "--path", "nowhere").exit_code == 3
    message = str(call("search", "close", "--lang", "pyhton").exception)
    assert "unknown language 'pyhton'" in message and "Python" in message


def test_a_result_says_why_it_is_there(code: Path) -> None:
    write(code, {"tests/codec.py": "def encode_all(values):\n    return values\n"})
    asked = ("encoding of zebra values", "-k", 1)
    done = call("search", *asked, "--explain")
    assert "why: encoding " in done.stdout and " + values " in done.stdout
    assert "test, example or generated (x 0.5)" in done.stdout
    assert "nowhere in the index: zebra" in done.stderr
    assert "why:" not in call("search", *asked).stdout
    (found,) = json.loads(call("search", *asked, "--json").stdout)["methods"]
    assert list(found["matched"]) == ["encoding", "values"] and len(found["rules"]) == 1
    assert "; named in the question" in call("search", "encode_all", "--explain").stdout
    assert call("index", code, "--model", "bm25").exit_code == 0
    assert "why: by the model" in call("search", "soft keyboard", "--explain").stdout


def test_words_of_the_question_are_marked() -> None:
    text = "encodeAll(encoder, VALUE_LIST)"
    found = [text[start:end] for start, end in find_forms(text, ["encoding", "values"])]
    assert found == ["encode", "encoder", "VALUE"]


def test_code_of_no_definition_and_joined_words_are_found(code: Path) -> None:
    write(
        code,
        {
            "web/routes.ts": 'import { app } from "x";\napp.post("/refunds", () => pay());\n',
            "gl.py": "def check(gl):\n    return isWebGL2(gl)\n",
            "gl.pyi": "def check(gl): ...\n",
        },
    )
    assert places("refund", "-k", 1) == ["web/routes.ts:1"]
    assert places("webgl2", "-k", 1) == ["gl.py:1"]
    assert "nowhere" not in call("search", "webgl2").stderr
    assert call("search", "x" * 100_000).exit_code == 3
    assert places("check gl", "-k", 2) == ["gl.py:1", "gl.pyi:1"]


def test_paths_are_those_of_the_shell(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(code, {"a/x.py": "def close_a():\n    pass\n", "b/a/y.tsx": "function closeB() {\n\n\n}"})
    assert len(places("close", "--path", "a")) == 2
    assert places("close", "--path", "./a") == places("close", "--path", code / "a") == ["a/x.py:1"]
    assert places("close", "--lang", "ts") == ["b/a/y.tsx:1"]
    monkeypatch.chdir(code / "b")
    assert places("close", "--path", "../a") == ["../a/x.py:1"]
    assert len(places("close", "--path", "..")) == 3
    done = call("search", "close", "--path", "./z")
    assert "nothing found for 'close' among the files that the options choose" in done.stderr
    (code / "a/x.py").unlink()
    assert call("search", "close_a", "--path", "../a", "--grep").stdout == ""


def test_what_others_wrote_is_left_out_without_git(code: Path) -> None:
    files = {".x/a.py": "", "node_modules/a.js": "", "env/pyvenv.cfg": "", "env/a.py": ""}
    write(code, dict.fromkeys(files, "def f():\n    pass\n"))
    assert "in 2 files" in call("index", code).stdout
    assert "in 5 files" in call("index", code, "--all").stdout
