"""A project whose repositories are archives of a server on this machine."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from tests.archive_server import ArchiveServer
from tests.archives import read_files
from tests.faults.project import Project, reduce_project
from tests.hub import Hub, write_list

NAMES = [f"owner{number % 3}/repo{number:02}" for number in range(12)]
GONE, LOST = "gone/kept", "gone/lost"
SECONDS = 0.05  # that the server takes for an answer
FETCHED = "data/archives/store.json"


@contextlib.contextmanager
def archive_project(root: Path, folder: Path) -> Iterator[tuple[Project, ArchiveServer]]:
    """A copy of the project, and the server it fetches from.

    Two more repositories are gone where they are listed, one of them from Software Heritage too.
    """
    hub = Hub(folder / "hub", NAMES, heritage=[GONE], polls=1)
    with ArchiveServer(hub, seconds=SECONDS) as server:
        project = reduce_project(root, folder / "project", ["bm25"])
        write_dataset(project.folder, server, [*NAMES, GONE, LOST])
        yield project, server


def write_dataset(folder: Path, server: ArchiveServer, names: Sequence[str]) -> None:
    """Make the archives the configured dataset of a copy of the project."""
    write_list(folder / "list.csv", names)
    dataset = yaml.safe_load((folder / "config/datasets/sample.yaml").read_text())
    dataset |= {
        "name": "archives",
        "repositories": "list.csv",
        "source": {"kind": "archive"},
        "download": {
            "url_template": server.url("/{owner}/{repo}/archive/{commit}.zip"),
            "software_heritage": f"http://{server.second}",
            "connections": 2,
            "requests_per_minute": 1200,
            "first_wait_seconds": 0.1,
            "bundle_poll_seconds": 0.1,
            "contact": "tests@example.org",
            "least_free_bytes": 0,
        },
    }
    (folder / "config/datasets/archives.yaml").write_text(yaml.safe_dump(dataset))
    path = folder / "config/config.yaml"
    config = yaml.safe_load(path.read_text()) | {"dataset": "archives"}
    path.write_text(yaml.safe_dump(config))


def read_store(project: Project) -> dict[str, bytes]:
    """Every file of the store, with its bytes."""
    return read_files(project.folder / "data/stores/archives")
