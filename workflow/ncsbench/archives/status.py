"""The stage that fetches, and how far the fetching of a list is, also while a job works."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ncsbench.archives.download_options import FetchSettings
from ncsbench.archives.fetching import STILL_TO_ASK, fetch_archives
from ncsbench.archives.progress import read_sizes, show_bytes
from ncsbench.artifacts.storage import format_json, read_json, write_json
from ncsbench.sources.archive_store import ArchiveStore
from ncsbench.sources.repositories import count_rejected, read_repositories
from ncsbench.sources.source_at_hand import hash_store
from ncsbench.text.safe_text import show_line

_DETAIL = re.compile(r"\(.*\)|[0-9a-f]{40}")


def describe_status(settings: FetchSettings, *, names: bool = False) -> Iterator[str]:
    """Lines about what is fetched, missing and why, and the disk.

    Args:
        settings: of the fetching job.
        names: whether to name each missing repository and each line of the list that was left
            out with its reason, too.
    """
    listed = read_repositories(settings.repositories)
    repositories = listed.repositories
    store = ArchiveStore(settings.store, repositories)
    missing = store.missing()
    fetched = sum(store.has(one) for one in repositories)
    left = len(repositories) - fetched - len(missing)
    yield (
        f"list        {settings.repositories}: {len(repositories):,} repositories"
        f"{count_rejected(listed)}"
    )
    yield f"fetched     {fetched:,}"
    yield f"missing     {len(missing):,}"
    counts = Counter(_summarise(reason) for reason in missing.values())
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:11,} {show_line(reason)}"
    yield f"not asked   {left:,}"
    used = _folder_bytes(settings.store)
    sizes = read_sizes(settings.sizes)
    more = sizes.stored(left).value
    yield (
        f"disk        {settings.store}: {show_bytes(used)}, about {show_bytes(more)} to come, "
        f"{show_bytes(shutil.disk_usage(_existing(settings.store)).free)} free"
    )
    if names:
        for name, reason in missing.items():
            yield f"{name}\t{show_line(reason)}"
        for line, reason in listed.rejected:
            yield f"{show_line(line)}\tleft out: {reason}"


def summarise_store(settings: FetchSettings) -> str:
    """One line about a sealed store, for the end of a job; empty where none is."""
    manifest = settings.store / "manifest.json"
    counts = read_json(manifest).get("counts") if manifest.exists() else None
    if counts is None:
        return ""
    return (
        f"{settings.store}: fetched {counts['repositories']:,}, missing {counts['missing']:,}"
        f"{count_rejected(read_repositories(settings.repositories))}; "
        f"what and why: ncsbench corpus status {settings.arguments} --list"
    )


def _summarise(reason: str) -> str:
    """A reason without what is particular to one repository."""
    return " ".join(_DETAIL.sub("", reason.removesuffix(STILL_TO_ASK)).split())


def _folder_bytes(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # a job renames and removes files
                total += Path(parent, name).stat().st_size
    return total


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def fill_store(settings: FetchSettings, state: Path, output: Path) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment.

    The state of the source is brought up to date: it stood for the store as it was when the run
    began, and a later run must not take what this one fetched for new.

    Args:
        settings: the list of repositories, the store, and how servers are asked.
        state: state of the raw input ``source``, as ``RawInputs`` describes it.
        output: JSON to write of the store: its folder, the SHA-256 of its content and its counts.
    """
    fetch_archives(settings)
    print(f"ncsbench: {show_line(summarise_store(settings))}")  # noqa: T201  (for the console)
    sha256 = hash_store(settings.store)
    known = read_json(state)
    if state.read_text(encoding="utf-8") != format_json(known | {"sha256": sha256}):
        write_json(state, known | {"sha256": sha256})
    counts = read_json(settings.store / "manifest.json")["counts"]
    write_json(output, {"store": str(settings.store), "sha256": sha256, "counts": counts})
