"""The library as a wheel, in an environment that has nothing of the checkout."""

import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import ncsbench
from tests.sample_corpus import build_sample_corpus

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, since setuptools writes into the folder that it builds."""
    copy = tmp_path_factory.mktemp("source")
    pins = ("envs/requirements-base.txt", "envs/requirements.txt")
    for name in ("pyproject.toml", "README.md", "LICENSE", *pins):
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(root / name, copy / name)
    for name in ("config", "resources/stopwords"):
        shutil.copytree(root / name, copy / name)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(root / "workflow/ncsbench", copy / "workflow/ncsbench", ignore=ignored)
    subprocess.run([sys.executable, "-c", BUILD, "dist"], cwd=copy, capture_output=True, check=True)
    (built,) = (copy / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment without any package but this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    subprocess.run(
        [*pip, "--quiet", "--no-deps", "--no-index", "--no-compile", str(wheel)], check=True
    )
    return python


def run(python: Path, program: str, *arguments: str) -> str:
    # -I: neither PYTHONPATH nor the working directory count.
    done = subprocess.run(
        [str(python), "-I", "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_whole_library_and_its_types(root: Path, wheel: Path) -> None:
    library = root / "workflow/ncsbench"
    files = {str(p.relative_to(library.parent)) for p in library.rglob("*.py")}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("ncsbench/")}
    assert held == files | {"ncsbench/py.typed"}
    assert wheel.name == f"ncsbench-{ncsbench.__version__}-py3-none-any.whl"


def test_it_is_imported_where_nothing_else_is_installed(python: Path) -> None:
    program = "import ncsbench; print(ncsbench.__version__, ncsbench.__file__)"
    version, file = run(python, program).split()
    assert version == ncsbench.__version__
    assert Path(file).is_relative_to(python.parent.parent)


def test_with_its_requirements_it_searches_a_corpus(
    root: Path, python: Path, tmp_path: Path
) -> None:
    corpus = build_sample_corpus(root, tmp_path)
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    # Packages of this environment, but not what it says of the checkout: a nested .pth is not read.
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    program = (
        "import ncsbench, sys\n"
        "corpus = ncsbench.load_corpus(sys.argv[1])\n"
        "found = ncsbench.create_ranker('bm25', corpus).search('read a text file', k=3)\n"
        "print(len(found), ncsbench.__file__)"
    )
    count, file = run(python, program, str(corpus)).split()
    assert (count, Path(file).is_relative_to(python.parent.parent)) == ("3", True)
    done = subprocess.run(
        [python.with_name("ncsbench"), "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"ncsbench {ncsbench.__version__}\n"


def test_with_its_requirements_it_searches_a_folder(python: Path, tmp_path: Path) -> None:
    (site,) = python.parent.parent.glob("lib/python*/site-packages")
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    code = tmp_path / "code"
    code.mkdir()
    (code / "A.java").write_text("class A { void closeStream() { stream.close(); } }")
    environment = {"PATH": str(python.parent), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    outputs = [
        subprocess.run(
            ["ncsbench", *arguments],
            cwd=code, env=environment, capture_output=True, text=True, check=True,
        ).stdout
        for arguments in (["index", "."], ["search", "close a stream", "--plain"])
    ]  # fmt: skip
    assert outputs[0].startswith("2 definitions in 1 file")
    assert outputs[1].startswith("A.java:1\t")


def test_what_pip_leaves_in_the_checkout_is_ignored(root: Path) -> None:
    assert "/build/" in (root / ".gitignore").read_text().splitlines()
