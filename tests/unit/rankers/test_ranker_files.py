"""A ranker in a file of the user's own: found, executed as it is now, and its mistakes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ncsbench.corpus.layout.documents import save_documents
from ncsbench.errors import ConfigurationError, NcsbenchError
from ncsbench.pipeline.files.model_checks import check_model
from ncsbench.pipeline.files.model_configuration import ModelConfiguration
from ncsbench.pipeline.files.model_files import load_model
from ncsbench.pipeline.runs.run import load_run
from ncsbench.rankers import registry
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.registry import create_ranker, describe_fault, find_options
from tests.one_line import ends_in_one_line
from tests.synthetic_documents import make_documents

RANKER = (
    "from ncsbench.rankers.bm25 import BM25\n\n\nclass Mine(BM25):\n    {}\n\n\nRANKER = Mine\n"
)
OPTIONS = """\
from ncsbench.rankers.bm25 import BM25
from ncsbench.rankers.ranker_options import RankerOptions


class Options(RankerOptions):
    {}


class Mine(BM25):
    options_type = Options


RANKER = Mine
"""
MODEL = "python: mine.py\ntrained_on: none\n"


@pytest.fixture
def project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of configuration, the working directory, with a model in ``my``."""
    for part in ("config", "resources"):
        shutil.copytree(root / part, tmp_path / part)
    (tmp_path / "config/models/copied.yaml").write_text(MODEL)
    (tmp_path / "my").mkdir()
    (tmp_path / "my/mine.yaml").write_text(MODEL)
    (tmp_path / "my/mine.py").write_text(RANKER.format("mark = 1"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(name: str, root: Path) -> ModelConfiguration:
    return load_model(name, root=root, stop_words="resources/stopwords/english.txt", seed=1)


def test_a_file_lies_beside_the_model_file_or_in_the_working_directory(project: Path) -> None:
    model = load("my/mine.yaml", project)
    assert (model.name, model.where) == ("mine", "my/mine.yaml")
    assert model.specification.kind == "my/mine.py"
    (project / "mine.py").write_text(RANKER.format("mark = 2"))
    assert load("copied", project).specification.kind == "mine.py"
    (project / "config/models/mine.py").write_text(RANKER.format("mark = 3"))
    assert load("copied", project).specification.kind == "config/models/mine.py"
    assert create_ranker(load("copied", project).specification, seed=1).mark == 3


def test_a_file_outside_of_the_working_directory_has_its_whole_path(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "config")
    assert load("../my/mine.yaml", project).specification.kind == str(project / "my/mine.py")


def test_an_edited_file_is_executed_anew_whatever_its_times_say(project: Path) -> None:
    path = project / "my/mine.py"
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    kind = load("my/mine.yaml", project).specification.kind
    first = create_ranker({"kind": kind}, seed=1)
    assert type(create_ranker({"kind": kind}, seed=1)) is type(first)
    path.write_text(RANKER.format("mark = 7"))
    os.utime(path, ns=times)
    assert create_ranker({"kind": kind}, seed=1).mark == 7
    assert isinstance(first, BM25) and first.mark == 1
    assert not (path.parent / "__pycache__").exists()


def test_dataclasses_and_late_annotations_find_their_module(project: Path) -> None:
    text = "from __future__ import annotations\nfrom dataclasses import dataclass, field\n"
    text += (
        "from ncsbench.rankers.bm25 import BM25\nfrom ncsbench.rankers.ranker_options import *\n"
    )
    text += "@dataclass\nclass Part:\n    names: list[str] = field(default_factory=list)\n"
    text += "class Own(RankerOptions):\n    size: Limit = 3\nLimit = int\n"
    text += "class Mine(BM25):\n    options_type = Own\nRANKER = Mine\n"
    (project / "my/mine.py").write_text(text)
    assert find_options("my/mine.py").parse({"size": 4}, where="x").size == 4  # type: ignore[attr-defined]


def test_kind_and_python_replace_each_other_in_a_model_like_another(project: Path) -> None:
    (project / "config/models/mine.py").write_text(RANKER.format("mark = 1"))
    (project / "config/models/first.yaml").write_text("like: bm25\npython: mine.py\n")
    first = load("first", project)
    assert first.specification.kind == "config/models/mine.py"
    check_model(first)
    (project / "my/second.yaml").write_text("like: copied\nkind: bm25\n")
    assert load("my/second.yaml", project).specification.kind == "bm25"
    (project / "my/third.yaml").write_text("like: copied\n")
    # A path that is taken over lies beside the file that says it.
    assert load("my/third.yaml", project).specification.kind == "config/models/mine.py"


def test_a_model_is_like_one_in_a_file_beside_it(project: Path) -> None:
    (project / "my/mine.py").write_text(OPTIONS.format("size: int = 3"))
    text = MODEL + "source_text: true\noptions: {size: 4}\n"
    (project / "my/mine.yaml").write_text(text)
    (project / "my/second.yaml").write_text("like: mine.yaml\noptions: {size: 5}\n")
    (project / "my/third.yaml").write_text("like: my/mine.yaml\n")
    first, second, third = (load(f"my/{one}.yaml", project) for one in ("mine", "second", "third"))
    for model in (first, second, third):
        check_model(model)
        assert model.specification.kind == "my/mine.py" and model.source_text
    assert second.name == "second" and second.specification.options == {"size": 5}
    assert first.index_key == third.index_key != second.index_key
    (project / "my/mine.yaml").write_text(text.replace("4", "6"))
    assert load("my/third.yaml", project).index_key != third.index_key


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def f(:\n", "my/mine.py, line 1: SyntaxError: "),
        (
            "\n\nimport no_such_package\n",
            "my/mine.py, line 3: ModuleNotFoundError: No module named",
        ),
        ("import no_such_package\n", "one file: what else it imports must be installed (docs/add-"),
        ("from . import other\n", "my/mine.py, line 1: ImportError: attempted relative import"),
        ("def f():\n    return 1 / 0\n\nf()\n", "my/mine.py, line 2: ZeroDivisionError: division"),
        ("raise ValueError('a\\nb')", "my/mine.py, line 1: ValueError: a b"),
        ("import sys\nsys.exit(0)\n", "my/mine.py, line 2: SystemExit: 0"),
        ("class Mine: ...\n", "my/mine.py: names no class as RANKER; add a last line 'RANKER ="),
        ("RANKER = 'Mine'\n", "my/mine.py: names no class as RANKER"),
        ("class Mine: ...\nRANKER = Mine\n", "'my/mine.py' has no attribute 'options_type'; give"),
        (
            "class Mine:\n    options_type = dict\nRANKER = Mine\n",
            "'my/mine.py' has no attribute 'options_type'; give its class a line",
        ),
        (RANKER.format("search = None"), "'my/mine.py' has no method 'search'; docs/add-a-model"),
        (
            OPTIONS.format("needs = 'methods'"),
            "tuple of names must be; write 'needs = ('methods',)'",
        ),
        (OPTIONS.format("files = 3"), "has 'files = 3' in its 'options_type', where a tuple"),
        (OPTIONS.format("needs = ('method',)"), "needs 'method', which is not one of embedding, "),
        ("a = '\0'\n", "my/mine.py"),
        ("# -*- coding: none -*-\n", "my/mine.py"),
        ("a = '\udcff'\n", "my/mine.py"),
    ],
)
def test_mistakes_in_the_file_end_in_one_line(project: Path, code: str, message: str) -> None:
    (project / "my/mine.py").write_bytes(code.encode("utf-8", "surrogateescape"))
    for _ in range(2):  # not taken for loaded after a failure
        with ends_in_one_line(ConfigurationError, message, "my/mine.yaml: "):
            check_model(load("my/mine.yaml", project))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "python: nine.py\n",
            "my/mine.yaml: python: nine.py lies neither beside the model file nor",
        ),
        ("like: nine.yaml\n", "my/mine.yaml: like: nine.yaml lies neither beside the model file"),
        ("like: mine.yaml\n", "my/mine.yaml: like: mine.yaml is made like this file"),
        ("python: mine\n", "my/mine.yaml: python: mine lies neither beside the model file"),
        ("python: mine.yaml\n", "python: 'my/mine.yaml' does not match"),
        ("python: 3\n", "python: 3 is not of type 'string'"),
        ("python: .\n", "python: . lies neither"),
        ("python: mine.py\nkind: bm25\n", "'kind: bm25' counts for nothing beside 'python: my/mi"),
        ("", "missing key 'kind', or 'python' for a ranker in a file of your own"),
        ("python: mine.py\noptions: {K1: 3}\n", "unknown key 'options.K1'; did you mean 'k1'"),
    ],
)
def test_mistakes_in_the_model_file_end_in_one_line(project: Path, text: str, message: str) -> None:
    (project / "my/mine.yaml").write_text(f"trained_on: none\n{text}")
    with ends_in_one_line(ConfigurationError, message, "my/mine.yaml: "):
        check_model(load("my/mine.yaml", project))


def run_with(project: Path, *models: str, **keys: object) -> list[str]:
    return list(
        load_run({"dataset": "sample", "models": list(models), **keys}, root=project).models
    )


def test_a_row_is_named_by_the_path_of_its_model_file(project: Path) -> None:
    rows = run_with(project, "bm25", "my/mine.yaml", comparisons=[["mine", "bm25"]])
    assert rows[-2:] == ["bm25", "mine"]


@pytest.mark.parametrize(
    ("models", "message"),
    [
        (["my/nine.yaml"], "my/nine.yaml: cannot be read (No such file or directory)"),
        (["my/bm25.yaml"], "my/bm25.yaml: config/models has a model 'bm25'; rename this file"),
        (["my/mine.yaml", "other/mine.yaml"], "other/mine.yaml: another row is called 'mine'"),
        (["my/a b.yaml"], "my/a b.yaml: the name may have letters, digits, '-' and '_' only"),
        (["my/mine"], "models: 'my/mine' is no model; known: bm25"),
    ],
)
def test_mistakes_in_a_path_of_a_model_end_in_one_line(
    project: Path, models: list[str], message: str
) -> None:
    (project / "other").mkdir()
    for name in ("my/bm25", "other/mine", "my/a b"):
        (project / f"{name}.yaml").write_text("like: bm25\n")
    with ends_in_one_line(ConfigurationError, message):
        run_with(project, *models)


FAILING = """\
from ncsbench.rankers.bm25 import BM25


class Mine(BM25):
    def fit(self, *, corpus, **inputs):
        super().fit(corpus=corpus)
        self.look_up({})

    def look_up(self, names):
        return names["class_name"]


RANKER = Mine
"""
PLACE = "mine.py, line 10, in look_up: KeyError: 'class_name'; --debug shows the traceback"


def catch(kind: str) -> Exception:
    ranker = create_ranker({"kind": kind}, seed=1)
    with pytest.raises(KeyError) as caught:
        ranker.fit(corpus=make_documents(["open file"]))
    return caught.value


@pytest.mark.parametrize("debug", [False, True])
def test_a_job_ends_in_the_line_of_the_users_file(debug: bool, root: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FAILING)
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"ranker": {"kind": "mine.py"}, "seed": 1}))
    save_documents(make_documents(["open file"]), tmp_path / "words")
    done = subprocess.run(
        [sys.executable, "-m", "ncsbench", *(["--debug"] if debug else []), "stage", "index",
         "--settings", "settings.json", "--words", "words", "--output", "index"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root / "workflow")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert ("Traceback" in done.stderr) == debug
    assert debug or done.stderr.splitlines()[-1] == f"ncsbench: error: {PLACE}"
    assert debug or "typer" not in done.stderr


def test_a_ranker_of_a_package_is_named_likewise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(FAILING)
    monkeypatch.syspath_prepend(str(tmp_path))
    point = EntryPoint(name="mine_kind", value="mine:Mine", group="ncsbench.rankers")
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    assert describe_fault(catch("mine_kind")) == f"{tmp_path}/{PLACE}"
    sys.modules.pop("mine")


def test_a_failure_of_the_library_is_none_of_the_users() -> None:
    with pytest.raises(NcsbenchError) as caught:
        create_ranker({"kind": "no_such"}, seed=1)
    assert describe_fault(caught.value) is None
