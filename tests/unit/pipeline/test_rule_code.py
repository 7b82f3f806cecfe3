"""The code and the raw inputs that a rule depends on."""

import shutil
from pathlib import Path

import pytest

from ncsbench.pipeline.freshness.rule_code import RuleCode, describe_code, read_pins
from ncsbench.pipeline.runs.input_files import describe_input

RULES = {
    "judge": "ncsbench stage judge {params.options} 2> {log}",
    "extract": "ncsbench stage extract {params.options} 2> {log}",
}


@pytest.fixture
def library(root: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(root / "workflow/ncsbench", tmp_path / "ncsbench", ignore=ignored))


def describe(library: Path, environment: Path | None = None) -> dict[str, object]:
    rules = {name: RuleCode(command, environment) for name, command in RULES.items()}
    return describe_code(rules, ["bm25", "unif"], library)


def test_a_ranker_has_its_own_code(library: Path) -> None:
    before = describe(library)
    ranker = library / "rankers" / "bm25.py"
    ranker.write_text(ranker.read_text() + "\nEDITED = True\n")
    after = describe(library)
    assert {name for name in before if before[name] != after[name]} == {"ranker-bm25"}


def test_the_pins_of_imported_packages_count_and_others_do_not(
    library: Path, tmp_path: Path
) -> None:
    environment = tmp_path / "judge.yaml"
    text = "dependencies: [pip: [numpy==2.4.6, tree-sitter==0.26.1, torch==1]]\n"
    environment.write_text(text)
    before = describe(library, environment)
    environment.write_text(text.replace("torch==1", "torch==2"))
    assert describe(library, environment) == before
    environment.write_text(text.replace("0.26.1", "0.26.2"))
    assert describe(library, environment) != before


def test_pins_are_known_by_the_names_of_imports(tmp_path: Path) -> None:
    environment = tmp_path / "x.yaml"
    environment.write_text(
        "dependencies: [python=3.11, pip: [faiss-cpu==1, PyYAML==2, tree-sitter-java==3]]\n"
    )
    assert read_pins(environment) == {"faiss": "1", "yaml": "2", "tree_sitter_java": "3"}


def test_raw_inputs_are_described_by_path_and_content(tmp_path: Path) -> None:
    listed, absent = tmp_path / "list.csv", str(tmp_path / "absent.xml")
    listed.write_text("repo,commit\n")
    before = describe_input(str(listed), {})
    listed.write_text("repo,commit\na/b,\n")
    after = describe_input(str(listed), {})
    assert before["path"] == after["path"] == str(listed)
    assert before["sha256"] and before["sha256"] != after["sha256"]
    assert describe_input(absent, {}) == {"path": absent, "sha256": None}


def test_the_pins_of_a_ranker_count(root: Path, library: Path) -> None:
    rules = {"index": RuleCode("ncsbench stage index", root / "envs" / "models.yaml")}
    described = describe_code(rules, ["ncs"], library)
    assert "faiss" in described["ranker-ncs"]["packages"]
