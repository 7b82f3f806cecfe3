"""The base installation: searching one's own code and `import ncsbench` need nothing else."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

LARGEST = 450 << 20
# No finder finds the packages that the installation lacks, whose names are the last argument.
LACKING = """
import sys

class Finder:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in lacked:
            return self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)

lacked = {*sys.argv.pop().split()}
sys.meta_path[:] = map(Finder, sys.meta_path)
"""
COMMAND = LACKING + "from ncsbench.cli.start import main; main()"
INTERFACE = (
    LACKING
    + """
import ncsbench
import pandas as pd

ranker = ncsbench.load_index(sys.argv[1])
found = ranker.search("close a stream", k=3)
corpus = ranker.corpus
print(corpus.methods(found.method_id, ["method_name"])["method_name"].tolist())
for name in ("bm25", "bm25f", "elasticsearch_most_fields", "longest_first", "random"):
    assert len(ncsbench.create_ranker(name, corpus).search("close a stream", k=1)) == 1, name

@ncsbench.ranker
def by_id(question, corpus):
    return [0]

by_id(corpus).search("close a stream")
questions = pd.DataFrame({"query_id": [1], "question": ["close"], "answer": ["stream.close();"]})
judged = found.assign(pruned_jaccard_leaf=0.5)
print(ncsbench.evaluate_rankings(judged, questions)["mrr"])
for function in (
    lambda: ncsbench.judge_rankings(found, questions, corpus),
    lambda: ncsbench.experiment([ranker], ncsbench.Dataset(corpus, questions)),
):
    try:
        function()
    except ncsbench.NcsbenchError as error:
        print(error)
print(*{name.partition(".")[0] for name in sys.modules})
"""
)
MISSING = (
    "this needs the package 'numba', which a base installation lacks: pip install "
    "'ncsbench[pipeline]', in a checkout '.[pipeline]' (docs/environments.md)"
)


def read_names(root: Path, file: str) -> set[str]:
    lines = (root / "envs" / file).read_text().splitlines()
    return {canonicalize_name(line.partition("==")[0]) for line in lines}


def run(
    root: Path, program: str, folder: Path, *arguments: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a program that can import the packages of the base installation alone."""
    base = read_names(root, "requirements-base.txt")
    lacked = [
        package
        for package, names in packages_distributions().items()
        if package != "ncsbench" and not {canonicalize_name(name) for name in names} & base
    ]
    return subprocess.run(
        [sys.executable, "-c", program, *arguments, " ".join(lacked)],
        cwd=folder,
        env={
            "PYTHONPATH": str(root / "workflow"),
            "XDG_CACHE_HOME": str(folder.parent / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def code(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of Java with an index that a base installation made."""
    folder = tmp_path_factory.mktemp("base") / "code"
    folder.mkdir()
    text = "class A { void closeStream() { stream.close(); } int add(int a) { return a + 1; } }"
    (folder / "A.java").write_text(text)
    done = run(root, COMMAND, folder, "index", ".")
    assert done.stdout.startswith("3 definitions in 1 file"), done.stderr
    return folder


def test_a_search_brings_the_index_up_to_date(root: Path, code: Path) -> None:
    (code / "C.java").write_text("class C { void ostrich() { run(); } }")
    done = run(root, COMMAND, code, "search", "ostrich", "--plain")
    found = done.stdout.partition("\t")[0]
    assert ("files changed" in done.stderr, found) == (False, "C.java:1"), done.stderr
    (code / "C.java").unlink()


@pytest.mark.parametrize("form", [[], ["--plain"], ["--json"]])
def test_a_question_is_answered(root: Path, code: Path, form: list[str]) -> None:
    done = run(root, COMMAND, code, "search", "close a stream", *form)
    assert done.returncode == 0 and "closeStream" in done.stdout, done.stderr
    assert "error" not in done.stderr


def test_the_interface_searches_and_needs_no_less(root: Path, code: Path) -> None:
    done = run(root, INTERFACE, code, code)
    first, mrr, *messages, loaded = done.stdout.splitlines()
    assert (first.startswith("['closeStream'"), mrr) == (True, "1.0"), done.stderr
    assert messages == [MISSING, MISSING]
    distributions = packages_distributions()
    used = {
        canonicalize_name(name) for one in loaded.split() for name in distributions.get(one, [])
    }
    # The others are those of the command line, and of `ncsbench index`.
    unused = read_names(root, "requirements-base.in") - used
    assert {name for name in unused if not name.startswith("tree-sitter-")} <= {"rich", "typer"}


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (["similar", "A.java:1"], "numba"),
        (["index", "--model", "ncs"], "fasttext"),
        (["stage", "train_encoder", "--help"], "torch"),
    ],
)
def test_what_needs_more_says_so_in_one_line(
    root: Path, code: Path, arguments: list[str], package: str
) -> None:
    if "ncs" in arguments:  # words that occur often enough to have vectors
        methods = (f"void closeStream{i}() {{ stream.close(); }}" for i in range(9))
        (code / "B.java").write_text(f"class B {{ {' '.join(methods)} }}")
    done = run(root, COMMAND, code, *arguments)
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last) == (1, f"ncsbench: error: {MISSING.replace('numba', package)}")
    assert "Traceback" not in done.stderr


def test_an_index_serves_where_the_rest_is_installed_later(root: Path, code: Path) -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from ncsbench.cli.start import main; main()", *arguments],
            cwd=code,
            env={
                "PYTHONPATH": str(root / "workflow"),
                "XDG_CACHE_HOME": str(code.parent / "cache"),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    (code / "B.java").unlink(missing_ok=True)
    assert "3 definitions" in run(root, COMMAND, code, "index").stdout
    assert "A.add" in call("similar", "A.java:1").stdout
    assert "0 of 1 group of files worked on" in call("index").stdout


def test_the_extra_is_what_setup_installs(root: Path) -> None:
    dynamic = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]["dynamic"]
    assert dynamic["dependencies"] == {"file": ["envs/requirements-base.txt"]}
    assert dynamic["optional-dependencies"] == {"pipeline": {"file": ["envs/requirements.txt"]}}
    base, every = (read_names(root, f"requirements{one}.txt") for one in ("-base", ""))
    assert base < every and {"torch", "snakemake", "dvc", "numba"} <= every - base


def test_the_base_is_small(root: Path) -> None:
    files = {
        Path(str(file.locate()))
        for name in read_names(root, "requirements-base.txt")
        for file in distribution(name).files or ()
    }
    assert sum(path.stat().st_size for path in files if path.is_file()) < LARGEST
