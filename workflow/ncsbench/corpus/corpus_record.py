"""``corpus.json`` beside the tables: which corpus they are of, for who has only the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ncsbench.artifacts.corpus_stamps import check_same_corpus
from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.errors import DataError

FILE = "corpus.json"


@dataclass(frozen=True)
class CorpusRecord:
    """A corpus in numbers; none of them depends on how it was cut into shards.

    Attributes:
        corpus_hash: SHA-256 of file path, first line, last line and code of all methods by
            ascending id, each text as UTF-8 and followed by a NUL.
        methods: how many there are.
        repositories: number of repositories by ``taken`` and ``skipped``.
        files: number of files by ``taken`` and ``skipped``.
        duplicates: the key of the dataset file.
        left_out: number of methods that are not in the corpus, by reason.
    """

    corpus_hash: str
    methods: int
    repositories: dict[str, int]
    files: dict[str, int]
    duplicates: str
    left_out: dict[str, int]


def describe_corpus(manifest: Mapping[str, Any]) -> CorpusRecord:
    """The record of a corpus from its manifest; a generated one lacks counts."""
    return CorpusRecord(
        corpus_hash=manifest["corpus_hash"],
        methods=manifest["methods"],
        repositories=manifest.get("repositories", {}),
        files=manifest.get("files", {}),
        duplicates=manifest.get("duplicates", "kept"),
        left_out=manifest.get("left_out", {}),
    )


def write_record(folder: Path, record: CorpusRecord) -> None:
    """Write ``corpus.json`` into a results folder, atomically."""
    write_json(folder / FILE, asdict(record))


def check_same_results(old: Path, new: Path) -> None:
    """End where two results folders name different corpora; older ones name none.

    Raises:
        DataError: with both files, or where one of them is no record.
    """
    files = [folder / FILE for folder in (old, new)]
    if not all(file.is_file() for file in files):
        return
    hashes = []
    for file in files:
        about = read_json(file)
        if not isinstance(about, dict) or not isinstance(about.get("corpus_hash"), str):
            raise DataError(f"{file}: names no corpus_hash; make the tables again")
        hashes.append(about["corpus_hash"])
    check_same_corpus(files[1], hashes[1], files[0], hashes[0])
