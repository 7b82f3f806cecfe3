"""Makes archives of repositories for tests: zips as GitHub's, and bundles of Software Heritage."""

import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from ncsbench.corpus.sources.archive_store import ArchiveStore
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.zip_archives import read_zip

T = TypeVar("T", Path, io.RawIOBase)
COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIRECTORY = "89abcdef0123456789abcdef0123456789abcdef"
FILES = {
    "src/B.java": b"class B { }\n",
    "A.java": b"class A { }\r\n",
    "LICENSE": b"Do what you like.\n",
    "notes.txt": b"no Java\n",
}


def make_zip(
    path: T,
    files: Mapping[str, bytes] | Iterable[tuple[str | zipfile.ZipInfo, bytes]] = FILES,
    *,
    top: str = f"name-{COMMIT}/",
    comment: str = COMMIT,
    compression: int = zipfile.ZIP_DEFLATED,
) -> T:
    """Write a zip of the files below the top folder, with the commit as its comment."""
    pairs = files.items() if isinstance(files, Mapping) else files
    with zipfile.ZipFile(path, "w", compression) as archive:
        if top:
            archive.mkdir(top.rstrip("/"))
        for name, data in pairs:
            if isinstance(name, zipfile.ZipInfo):
                name.filename = top + name.filename
                archive.writestr(name, data)
            else:
                archive.writestr(top + name, data)
        archive.comment = comment.encode()
    return path


def make_bundle(
    path: Path, files: Mapping[str, bytes] = FILES, *, directory: str = DIRECTORY
) -> Path:
    """Write a tar.gz of the files below the folder of a directory of Software Heritage."""
    with tarfile.open(path, "w:gz") as bundle:
        root = tarfile.TarInfo(f"swh:1:dir:{directory}")
        root.type = tarfile.DIRTYPE
        bundle.addfile(root)
        for name, data in files.items():
            member = tarfile.TarInfo(f"swh:1:dir:{directory}/{name}")
            member.size = len(data)
            bundle.addfile(member, io.BytesIO(data))
    return path


def make_list(*names: str, commit: str | None = COMMIT) -> list[Repository]:
    """Repositories of these names at one commit, in corpus order."""
    return [Repository(*name.split("/"), commit) for name in sorted(names)]


def add_zip(store: ArchiveStore, repository: Repository, path: Path) -> None:
    """Put the files of a zip, as of a repository, into a store; the zip is made if need be."""
    if not path.exists():
        make_zip(path)
    with read_zip(path, commit=COMMIT) as archive:
        store.add(repository, archive, "archive")


def read_files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, with its bytes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
