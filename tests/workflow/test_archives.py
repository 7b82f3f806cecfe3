"""The workflow on archives: from a server to a corpus, and what comes later."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive_server import ArchiveServer
from tests.faults.archive_project import FETCHED, GONE, LOST, NAMES, archive_project
from tests.faults.project import Project
from tests.hub import ZIP, Hub, count_asked

pytestmark = pytest.mark.workflow
NCSBENCH = "workflow/bin/ncsbench"


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Iterator[tuple[Project, ArchiveServer]]:
    with archive_project(root, tmp_path) as made:
        yield made


def run(project: Project, *targets: str) -> str:
    done = project.run(*targets)
    assert done.status == 0, done.output
    return done.output


def test_archives_become_a_corpus_and_what_comes_later_is_noticed(
    project: tuple[Project, ArchiveServer],
) -> None:
    copy, server = project
    planned = copy.call(f"{NCSBENCH} corpus plan --dataset archives").output
    assert "14 repositories, 0 here" in planned
    assert "scaled from 453 repositories" in planned
    target = copy.call(f"{NCSBENCH} plan corpus --config dataset=archives").output
    assert "jobs        " in target
    assert "archives of repositories: ncsbench corpus plan" in target
    done = copy.call(f"{NCSBENCH} plan absent.csv")
    assert done.status == 1
    assert done.output.startswith(
        "ncsbench: error: MissingRuleException: No rule to produce absent"
    )

    output = run(copy, "corpus")
    line = "ncsbench: data/stores/archives: fetched 13, missing 1; what and why: "
    assert output.count(f"{line}ncsbench corpus status --dataset archives --list\n") == 1
    assert count_asked(server, ZIP) == dict.fromkeys([*NAMES, GONE, LOST], 1)
    told = copy.call(f"{NCSBENCH} corpus status --dataset archives --list").output
    assert "fetched     13" in told
    assert f"{LOST}\t404 Not Found, Software Heritage: 404 Not Found" in told
    manifest = copy.folder / "data/archives/corpus/manifest.json"
    before = manifest.read_bytes()

    # Neither the store as it is now nor other code of the job is a reason to do anything.
    code = copy.folder / "workflow/ncsbench/corpus/archives/http_client.py"
    code.write_text(code.read_text() + "\nOTHER = 1\n")
    assert "Nothing to be done" in run(copy, "corpus")
    assert count_asked(server, ZIP) == dict.fromkeys([*NAMES, GONE, LOST], 1)

    hub = server.script
    assert isinstance(hub, Hub)
    hub.zips[LOST] = hub.zip_of(LOST)
    again = copy.call(f"{NCSBENCH} corpus fetch --dataset archives --retry missing")
    assert again.status == 0, again.output
    assert "14 of 14 repositories, 1 of them new" in again.output
    run(copy, "corpus")
    assert manifest.read_bytes() != before
    assert "Nothing to be done" in run(copy, "corpus")
    assert count_asked(server, ZIP) == {**dict.fromkeys([*NAMES, GONE], 1), LOST: 2}
    assert (copy.folder / FETCHED).is_file()


def test_a_dataset_without_archives_is_told_so(project: tuple[Project, ArchiveServer]) -> None:
    copy, _ = project
    for command, remedy in [
        ("corpus plan --dataset sample", "only archives are fetched"),
        ("corpus plan --dataset none", "dataset 'none' is neither in config/datasets"),
        ("corpus fetch --dataset sample", "only archives are fetched"),
        ("corpus status --dataset ../x", "../x: cannot be read"),
        ("corpus plan --dataset archives --config inputs", "is no key and value"),
        ("corpus fetch", "name a dataset"),
        ("plan results/table1.csv --config dataset=none", "dataset 'none' is neither in"),
    ]:
        done = copy.call(f"{NCSBENCH} {command}")
        assert done.status == 1
        assert remedy in done.output
        assert done.output.count("\n") == 1
