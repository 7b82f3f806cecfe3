"""Everything is pinned, said once, and each rule has the environment that its command needs."""

import importlib.util
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.utils import canonicalize_name

from ncsbench.pipeline.freshness.code_imports import CodeTracer
from ncsbench.rankers.registry import find_kind_module
from tests.workflow_rules import read_rules

HEAVY = {"torch", "faiss-cpu", "fasttext-numpy2"}
# RANKERS_ENVIRONMENT is that of the models, and with sentence encoders that of the encoder.
CONDA = re.compile(
    r'^ +conda:\n +(?:f"\{ENVIRONMENTS\}/(\w+)\.yaml"|RANKERS_ENVIRONMENT)$', re.MULTILINE
)
STAGE = re.compile(r'"ncsbench stage (\w+)')


def pins(path: Path) -> dict[str, str]:
    lines = [line for line in path.read_text().splitlines() if line]
    return dict(line.split("==") for line in lines)


def pinned_packages(root: Path, kind: str) -> dict[str, str]:
    environment = yaml.safe_load((root / "envs" / f"{kind}.yaml").read_text())
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    return {canonicalize_name(name): version for name, version in (pin.split("==") for pin in pip)}


def rule_texts(root: Path) -> dict[str, str]:
    return {name: text for name, text in read_rules(root).items() if "shell:" in text}


def kinds_of_rules(root: Path) -> dict[str, str]:
    found = {name: CONDA.findall(text) for name, text in rule_texts(root).items()}
    assert [name for name, kinds in found.items() if len(kinds) != 1] == []
    return {name: kinds[0] or "models" for name, kinds in found.items()}


def missing_packages(root: Path, kind: str, imported: list[str]) -> set[str]:
    """Imported packages that no distribution of the environment brings."""
    distributions, pinned = packages_distributions(), pinned_packages(root, kind)
    return {
        package
        for package in imported
        if not {canonicalize_name(name) for name in distributions[package]} & pinned.keys()
    }


def imported_by_rules(root: Path, kind: str) -> set[str]:
    """What commands of the rules of a kind import, and the rankers that they find by name."""
    tracer, kinds = CodeTracer(root / "workflow" / "ncsbench"), kinds_of_rules(root)
    texts = [text for name, text in rule_texts(root).items() if kinds[name] == kind]
    codes = [tracer.trace_stage(name) for text in texts for name in STAGE.findall(text)]
    if kind == "models":
        library = root / "workflow" / "ncsbench"
        for path in (library / "rankers").rglob("*.py"):
            is_ranker = re.search(r"^RANKER\b", path.read_text(), re.MULTILINE)
            if is_ranker and not path.stem.startswith("encoder"):
                module = str(find_kind_module(path.stem))
                codes.append(tracer.trace_module(f"ncsbench.{module}"))
    if kind == "functions":
        for path in (root / "workflow" / "ncsbench" / "code" / "functions").glob("*_functions.py"):
            codes.append(tracer.trace_module(f"ncsbench.code.functions.{path.stem}"))
    return {"typer", *(package for code in codes for package in code.packages)}


@pytest.fixture(scope="module")
def maker(root: Path) -> ModuleType:
    path = root / "envs" / "make_environments.py"
    specification = importlib.util.spec_from_file_location("make_environments", path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_files_are_what_the_generator_makes(root: Path, maker: ModuleType) -> None:
    envs = root / "envs"
    pins = maker.read_pins(envs / "requirements.txt")
    pins |= maker.read_pins(envs / "requirements-dev.txt")
    files = [*envs.glob("*.yaml"), *envs.glob("*.txt")]
    assert {path.name: path.read_text() for path in files} == maker.write_files(pins)


def test_the_workflow_needs_nothing_of_what_tests_need(root: Path, maker: ModuleType) -> None:
    main, dev = (maker.read_pins(root / "envs" / f"requirements{x}.txt") for x in ("", "-dev"))
    assert not main.keys() & dev.keys()
    assert {"pytest", "mypy", "ruff"} <= dev.keys()


def test_a_package_without_a_pin_ends_in_one_line(maker: ModuleType) -> None:
    with pytest.raises(SystemExit, match="numpy: is needed and not pinned"):
        maker.close_requirements(["pyarrow", "numpy"], {"pyarrow": "pyarrow==26.0.1"})


def test_every_rule_has_one_environment_that_exists_and_each_is_used(
    root: Path, maker: ModuleType
) -> None:
    assert set(kinds_of_rules(root).values()) == maker.KINDS.keys()


def test_an_environment_has_what_the_commands_of_its_rules_import(
    root: Path, maker: ModuleType
) -> None:
    for kind in maker.KINDS:
        imported = sorted(imported_by_rules(root, kind))
        assert missing_packages(root, kind, imported) == set(), kind


def test_an_environment_asks_for_nothing_else(root: Path, maker: ModuleType) -> None:
    distributions = packages_distributions()
    for kind, asked in maker.KINDS.items():
        imported = {name for p in imported_by_rules(root, kind) for name in distributions[p]}
        names = {canonicalize_name(name) for name in imported}
        assert {canonicalize_name(name) for name in asked} - names == set(), kind


def test_the_command_line_starts_in_every_environment(root: Path, maker: ModuleType) -> None:
    program = (
        "import sys; before = {*sys.modules}; import ncsbench.cli.main;"
        "print(*{name.partition('.')[0] for name in {*sys.modules} - before})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root / "workflow",
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = sorted(set(done.stdout.split()) & packages_distributions().keys() - {"ncsbench"})
    assert "typer" in loaded
    for kind in maker.KINDS:
        assert missing_packages(root, kind, loaded) == set(), kind


def test_only_models_have_the_large_packages(root: Path, maker: ModuleType) -> None:
    for kind in maker.KINDS.keys() - {"models"}:
        assert not HEAVY & pinned_packages(root, kind).keys()
        assert len(pinned_packages(root, kind)) <= 27  # pandas and all else of tables


def test_an_encoder_has_what_models_have_and_what_it_imports(root: Path) -> None:
    models, encoder = (pinned_packages(root, kind) for kind in ("models", "encoder"))
    assert encoder.items() >= models.items()
    asked = pins(root / "envs" / "requirements-encoder.in")
    assert encoder.items() >= asked.items()
    code = CodeTracer(root / "workflow" / "ncsbench").trace_module(
        "ncsbench.rankers.vectors.encoder"
    )
    assert {*asked} | {"torch"} <= {*code.packages} and asked.keys() == {*asked} - {*models}
    # Installed beside the workflow's packages it changes none of them.
    versions = {canonicalize_name(name): version for name, version in encoder.items()}
    for name, version in pins(root / "envs" / "requirements.txt").items():
        assert versions.get(canonicalize_name(name), version) == version


def test_what_is_asked_for_is_what_is_pinned_and_explained(root: Path) -> None:
    stems = [
        f"requirements{kind}" for kind in ("-base", "", "-dev", "-encoder", "-minilm", "-docs")
    ]
    files = [pins(root / "envs" / f"{stem}.txt") for stem in stems]
    pinned = {name.lower(): version for file in files for name, version in file.items()}
    page = (root / "docs" / "environments.md").read_text().lower()
    for stem in stems:
        for package, version in pins(root / "envs" / f"{stem}.in").items():
            key = package.lower().replace("-", "_")
            assert version in {pinned.get(package.lower()), pinned.get(key)}, package
            assert package.lower() in page, package
