"""The cache of compiled functions follows the sources."""

from pathlib import Path

import pytest

from ncsbench.code.aroma import compilation


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with two packages and compiled code in both."""
    monkeypatch.setattr(compilation, "_LIBRARY", tmp_path)
    for package, module in (("code/aroma", "inner"), ("evaluation/judge", "outer")):
        cache = tmp_path / package / "__pycache__"
        cache.mkdir(parents=True)
        (tmp_path / package / f"{module}.py").write_text("def run(): ...")
    compilation.drop_stale_code()
    for name in ("inner.run-1.py311.nbi", "inner.run-1.py311.1.nbc", "inner.cpython-311.pyc"):
        (tmp_path / "code/aroma/__pycache__" / name).touch()
    (tmp_path / "evaluation/judge/__pycache__" / "outer.run-1.py311.nbi").touch()
    return tmp_path


def compiled(library: Path) -> list[str]:
    return sorted(path.name for path in library.glob("*/*/__pycache__/*.nb?"))


def test_code_stays_while_no_source_changes(library: Path) -> None:
    compilation.drop_stale_code()
    assert len(compiled(library)) == 3


@pytest.mark.parametrize(
    "changed", ["code/aroma/inner.py", "evaluation/judge/outer.py", "code/aroma/new.py"]
)
def test_code_of_all_files_goes_when_one_source_changes(library: Path, changed: str) -> None:
    (library / changed).write_text("def run(): return 1")
    compilation.drop_stale_code()
    assert compiled(library) == []
    cache = library / "code/aroma/__pycache__"
    assert (cache / "inner.cpython-311.pyc").exists()
    assert len(list(cache.glob("compiled-*"))) == 1


def test_the_library_drops_stale_code_when_its_compiled_functions_are_imported() -> None:
    import ncsbench.code.aroma

    folder = Path(ncsbench.code.aroma.__file__).parent / "__pycache__"
    assert (folder / f"compiled-{compilation.hash_sources()}").exists()
