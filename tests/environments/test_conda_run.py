"""Each rule runs in an environment that has only what its own environment file lists."""

from __future__ import annotations

import gzip
import os
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from tests.archives import COMMIT, make_zip
from tests.environments import stand_in
from tests.hub import make_files
from tests.tiny_encoder import write_encoder
from tests.workflow.conftest import TARGETS, copy_project, run_snakemake

pytestmark = pytest.mark.environments
TABLE = "results/sample/table1.csv"
ARCHIVED = """
name: archived
repositories: archived.csv
source: {kind: archive}
download: {url_template: "file://%s/{owner}-{repo}.zip", software_heritage: ""}
questions: resources/sample/questions.json
"""
ENCODER = """
kind: encoder
trained_on: nothing
source_text: true
options: {model: encoder, maximum_length: 40}
"""
RANKING = "results/sample/runs/tiny.trec.gz"
RUNS = {
    "encoder": (["--config", "models=[bm25,tiny.yaml]"], [RANKING]),
    "archived": (["--config", "dataset=archived.yaml"], ["corpus"]),
    "sample": ([], TARGETS),
}
"""Configuration and targets of what is run, by name."""
IN_ENVIRONMENT = """
import sys
sys.path.append(sys.argv.pop(1))  # pytest, behind what the environment has
import pytest
sys.exit(pytest.main())
"""


@pytest.fixture(scope="module")
def conda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stand_in.install(tmp_path_factory.mktemp("conda") / "client")


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with a dataset whose one repository comes as an archive, and with an encoder."""
    copy = copy_project(root, tmp_path_factory.mktemp("project") / "project")
    make_zip(copy / "owner-name.zip", make_files("owner/name"))
    (copy / "archived.csv").write_text(f"repo,commit\nowner/name,{COMMIT}\n")
    (copy / "archived.yaml").write_text(ARCHIVED % copy)
    write_encoder(copy / "encoder")
    (copy / "tiny.yaml").write_text(ENCODER)
    return copy


@pytest.fixture(scope="module")
def environments(project: Path, conda: Path) -> dict[str, Path]:
    """Folders of the environments, by kind, as Snakemake has them made."""
    for name in RUNS:
        done = run_conda(project, conda, name, "--conda-create-envs-only")
        assert done.returncode == 0, done.stdout + done.stderr
    kinds = {path.read_text(): path.stem for path in (project / "envs").glob("*.yaml")}
    made = (project / ".snakemake" / "conda").glob("*.yaml")
    return {kinds[path.read_text()]: path.with_suffix("") for path in made}


def run_conda(
    project: Path, conda: Path, name: str, *arguments: str
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(conda), *os.get_exec_path()])
    # A folder without ncsbench: what jobs import, they find without this variable.
    given = {"PATH": path, "PYTHONPATH": str(conda)}
    config, targets = RUNS[name]
    call = ["--sdm", "conda", *arguments, *config, "--", *targets]
    return run_snakemake(project, *call, environment=given)


def test_there_is_an_environment_for_every_kind(
    project: Path, environments: dict[str, Path]
) -> None:
    assert environments.keys() == {path.stem for path in (project / "envs").glob("*.yaml")}


@pytest.mark.parametrize("package", ["torch", "faiss", "fasttext"])
def test_only_the_models_can_import_large_packages(
    environments: dict[str, Path], package: str
) -> None:
    able = set()
    for kind, folder in environments.items():
        call = [folder / "bin" / "python", "-c", f"import {package}"]
        if subprocess.run(call, capture_output=True, check=False).returncode == 0:
            able.add(kind)
    assert able == {"models", "encoder"}


def test_the_tests_of_encoders_pass_in_their_environment(
    environments: dict[str, Path], root: Path
) -> None:
    python = environments["encoder"] / "bin" / "python"
    tests = "tests/unit/rankers/test_encoder_model.py"
    done = subprocess.run(
        [python, "-c", IN_ENVIRONMENT, sysconfig.get_path("purelib"), "-q", tests],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout and "skipped" not in done.stdout


def test_a_run_in_the_environments_makes_the_same_table(
    project: Path, conda: Path, environments: dict[str, Path], root: Path, tmp_path: Path
) -> None:
    for name in RUNS:
        done = run_conda(project, conda, name)
        assert done.returncode == 0, done.stdout + done.stderr
    ranking = gzip.decompress((project / RANKING).read_bytes()).decode()
    assert len({line.split()[0] for line in ranking.splitlines()}) == 40
    # Every job ran the Python of one of the environments, and PYTHONPATH was cleared.
    lines = [line.split() for line in (conda.parent / "activated").read_text().splitlines()]
    pythons = {str(folder / "bin" / "python") for folder in environments.values()}
    assert Counter(python for python, _ in lines).keys() == pythons
    assert {variable for _, variable in lines} == {"none"}

    plain = copy_project(root, tmp_path / "plain")
    done = run_snakemake(plain, TABLE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (project / TABLE).read_bytes() == (plain / TABLE).read_bytes()
