"""A hub of repositories and an imitation of Software Heritage, as the script of a test's server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.archive_server import Answer, ArchiveServer, Request
from tests.archives import make_bundle, make_zip

ZIP = re.compile(r"/([^/]+/[^/]+)/archive/([0-9a-zA-Z]+)\.zip")
REVISION = re.compile(r"/api/1/revision/([0-9a-f]{40})/")
VAULT = re.compile(r"/api/1/vault/flat/swh:1:dir:([0-9a-f]{40})/(raw/)?")

Script = Callable[[Request, int], Answer]


def name_commit(name: str) -> str:
    """A commit for a repository: of the same name always the same."""
    return name.encode().hex().ljust(40, "0")[:40]


def write_list(path: Path, names: Sequence[str]) -> Path:
    lines = ["repo,commit", *(f"{name},{name_commit(name)}" for name in names)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def make_files(name: str) -> dict[str, bytes]:
    """A tiny repository, another for each name."""
    word = name.partition("/")[2].capitalize()
    body = f"class {word} {{ int get{word}() {{ return {len(name)}; }} }}\n"
    return {f"src/{word}.java": body.encode(), "LICENSE": b"Do what you like.\n", "x.txt": b"x"}


@dataclass
class Hub:
    """Answers for repositories and what Software Heritage has of them.

    Attributes:
        zips: of each repository the bytes of its archive.
        special: other answers, by repository.
        heritage: repositories that Software Heritage has.
        polls: how often a bundle is said to be pending.
    """

    folder: Path
    names: Sequence[str]
    special: Mapping[str, Script] = field(default_factory=dict)
    heritage: Sequence[str] = ()
    polls: int = 2

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.zips = {name: self.zip_of(name) for name in self.names}

    def zip_of(self, name: str, **options: str) -> bytes:
        commit = name_commit(name)
        path = self.folder / f"{name.replace('/', '+')}.zip"
        chosen = {"top": f"{name.partition('/')[2]}-{commit}/", "comment": commit, **options}
        return make_zip(path, make_files(name), **chosen).read_bytes()  # type: ignore[arg-type]

    def __call__(self, request: Request, before: int) -> Answer:
        if found := ZIP.fullmatch(request.path):
            name = found[1]
            if name in self.special:
                return self.special[name](request, before)
            return Answer(body=self.zips[name]) if name in self.zips else Answer(404)
        if found := REVISION.fullmatch(request.path):
            name = bytes.fromhex(found[1]).rstrip(b"\0").decode("utf-8", "replace")
            known = name in self.heritage
            return _json({"directory": found[1]}) if known else Answer(404)
        if found := VAULT.fullmatch(request.path):
            return self._vault(request, found[1], raw=bool(found[2]), before=before)
        return Answer(404)

    def _vault(self, request: Request, directory: str, *, raw: bool, before: int) -> Answer:
        if raw:
            name = bytes.fromhex(directory).rstrip(b"\0").decode()
            path = self.folder / f"{directory}.tar.gz"
            return Answer(
                body=make_bundle(path, make_files(name), directory=directory).read_bytes()
            )
        done = before > self.polls
        answer = {"status": "done" if done else "pending" if before else "new"}
        if done:
            answer["fetch_url"] = f"http://{request.host}{request.path}raw/"
        return _json(answer)


def _json(value: object) -> Answer:
    return Answer(body=json.dumps(value).encode())


def count_asked(server: ArchiveServer, pattern: re.Pattern[str]) -> dict[str, int]:
    """How often what a pattern finds was asked for."""
    counts: dict[str, int] = {}
    for request in server.requests:
        if found := pattern.fullmatch(request.path):
            counts[found[1]] = counts.get(found[1], 0) + 1
    return counts
