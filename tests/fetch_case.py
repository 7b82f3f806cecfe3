"""A fetching job of tests: a list, a hub on this machine, and the store that is fetched into."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.archives.download_options import FetchSettings
from ncsbench.corpus.archives.fetching import fetch_archives
from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.listing import ArchiveSource
from ncsbench.corpus.sources.repositories import read_repositories
from tests.archive_server import ArchiveServer, PatientClock
from tests.building import read_repository
from tests.hub import Hub, write_list

NAMES = [f"owner/repo{number}" for number in range(8)]


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    for name in ("GITHUB_TOKEN", "SWH_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def sizes(tmp_path: Path) -> Path:
    path = tmp_path / "sizes.csv"
    path.write_text(
        "repo,zip_bytes,java_files,java_bytes,entries,missing_blobs\na/b,900,2,800,9,0\n",
        encoding="utf-8",
    )
    return path


class Case:
    """A list, a hub, and the store that is fetched into."""

    def __init__(self, folder: Path, sizes: Path, names: Sequence[str] = NAMES, **hub: Any) -> None:
        self.folder = folder
        self.sizes = sizes
        self.hub = Hub(folder / "hub", names, **hub)
        self.list = write_list(folder / "list.csv", [*names, *self.hub.special])
        self.clock = PatientClock()

    def settings(self, server: ArchiveServer, **options: Any) -> FetchSettings:
        download = {
            "url_template": server.url("/{owner}/{repo}/archive/{commit}.zip"),
            "software_heritage": f"http://{server.second}",
            "requests_per_minute": 1e9,
            "timeout_seconds": 20,
            "least_free_bytes": 0,
            "attempts": 3,
            **options,
        }
        return FetchSettings.parse(
            {
                "repositories": str(self.list),
                "store": str(self.folder / "store"),
                "sizes": str(self.sizes),
                "download": download,
            },
            where="test",
        )

    def fetch(
        self, server: ArchiveServer, *, retry_missing: bool = False, **options: Any
    ) -> dict[str, Any]:
        settings = self.settings(server, **options)
        manifest = fetch_archives(settings, retry_missing=retry_missing, clock=self.clock)
        assert list(settings.work_folder.glob("*.spool")) == []
        return manifest

    def find_missing(self) -> dict[str, str]:
        listed = read_repositories(self.list).repositories
        return ArchiveStore(self.folder / "store", listed).missing()

    def hash_store(self) -> str:
        digest = hashlib.sha256()
        for path in sorted((self.folder / "store").rglob("*")):
            if path.is_file():
                digest.update(f"{path.relative_to(self.folder)}\0".encode() + path.read_bytes())
        return digest.hexdigest()

    def read(self, name: str) -> dict[str, bytes | None]:
        source = ArchiveSource(str(self.folder / "store"))
        repositories = {one.full_name: one for one in read_repositories(self.list).repositories}
        return {file.path: file.data for file in read_repository(source, repositories[name])}


@pytest.fixture
def case(tmp_path: Path, sizes: Path) -> Case:
    return Case(tmp_path, sizes)
