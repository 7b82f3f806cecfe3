"""Other tools that search a folder: ripgrep, and BM25 of the package bm25s over whole files."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Protocol

import bm25s

from ncsbench.apps.own_code.asking import FoundMethod
from ncsbench.apps.own_code.code_files import find_code_files
from ncsbench.errors import DataError

_DEPTH = 10
_LAST_LINE = 1 << 30
_WORD = re.compile(r"\w+")
_SHORT = 3


class Peer(Protocol):
    """A tool that made itself ready for a folder."""

    def __init__(self, folder: Path) -> None: ...

    def find(self, question: str) -> list[FoundMethod]:
        """Return ten files, best first, each as a result from its first line to its last."""
        ...


class Ripgrep:
    """Files by how many words of a question they have, then by how often; case does not count.

    A person would look for fewer words, and look again: this is what one call of the tool finds.
    """

    def __init__(self, folder: Path) -> None:
        if shutil.which("rg") is None:
            raise DataError("ripgrep: is not installed (rg)")
        self._folder = folder

    def find(self, question: str) -> list[FoundMethod]:
        """See ``Peer``."""
        words: Counter[str] = Counter()
        times: Counter[str] = Counter()
        for word in {one.lower() for one in _WORD.findall(question) if len(one) >= _SHORT}:
            command = ["rg", "--count-matches", "--ignore-case", "--fixed-strings", "-e", word, "."]
            done = subprocess.run(
                command, cwd=self._folder, capture_output=True, text=True, check=False
            )
            for line in done.stdout.splitlines():
                path, _, count = line.rpartition(":")
                words[path.removeprefix("./")] += 1
                times[path.removeprefix("./")] += int(count)
        return _list(sorted(words, key=lambda path: (-words[path], -times[path], path)))


class Bm25s:
    """BM25 of bm25s with its defaults over the whole files of languages that are read."""

    def __init__(self, folder: Path) -> None:
        self._paths = find_code_files(folder, everything=True).paths
        texts = [
            (folder / path).read_text(encoding="utf-8", errors="replace") for path in self._paths
        ]
        self._index = bm25s.BM25()
        self._index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)

    def find(self, question: str) -> list[FoundMethod]:
        """See ``Peer``."""
        asked = bm25s.tokenize([question], show_progress=False)
        depth = min(_DEPTH, len(self._paths))
        ids, scores = self._index.retrieve(asked, k=depth, show_progress=False)
        found = zip(ids[0].tolist(), scores[0].tolist(), strict=True)
        return _list([self._paths[id_] for id_, value in found if value > 0])


PEERS: dict[str, type[Peer]] = {"bm25s": Bm25s, "ripgrep": Ripgrep}
"""The tools by name."""


def _list(paths: list[str]) -> list[FoundMethod]:
    return [
        FoundMethod(rank, 0.0, path, 1, _LAST_LINE, "", "", "")
        for rank, path in enumerate(paths[:_DEPTH], 1)
    ]
