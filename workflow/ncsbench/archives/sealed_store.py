"""What the rule that fetches leaves for the rules that follow."""

from __future__ import annotations

from pathlib import Path

from ncsbench.archives.fetch_settings import FetchSettings
from ncsbench.archives.fetching import fetch_archives
from ncsbench.archives.status import summarise_store
from ncsbench.artifacts.storage import format_json, read_json, write_json
from ncsbench.sources.source_at_hand import hash_store
from ncsbench.text.safe_text import show_line


def fill_store(settings: FetchSettings, state: Path, output: Path) -> None:
    """Fetch the archives that a store lacks, politely; may be stopped and started at any moment.

    Args:
        settings: the list of repositories, the store, and how servers are asked.
        state: state of the raw input ``source``, which is written anew.
        output: JSON to write of what the store holds (``describe_store``).
    """
    fetch_archives(settings)
    print(f"ncsbench: {show_line(summarise_store(settings))}")  # noqa: T201  (for the console)
    describe_store(settings.store, state=state, output=output)


def describe_store(store: Path, *, state: Path, output: Path) -> None:
    """Write down which store was sealed, and with what.

    The state of the source is brought up to date before: it stood for the store as it was when the
    run began, and a later run must not take what this one fetched for new.

    Args:
        store: folder of a sealed store.
        state: the state of the raw input ``source``, as ``RunConfiguration.describe`` has it.
        output: JSON with the folder, the SHA-256 of its content and its counts.
    """
    sha256 = hash_store(store)
    known = read_json(state)
    if state.read_text(encoding="utf-8") != format_json(known | {"sha256": sha256}):
        write_json(state, known | {"sha256": sha256})
    counts = read_json(store / "manifest.json")["counts"]
    write_json(output, {"store": str(store), "sha256": sha256, "counts": counts})
