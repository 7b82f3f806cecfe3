"""What the rule that fetches leaves for the rules that follow."""

from __future__ import annotations

from pathlib import Path

from ncsbench.artifacts.storage import format_json, read_json, write_json
from ncsbench.sources.source_at_hand import hash_store


def describe_store(store: Path, *, state: Path | None, output: Path) -> None:
    """Write down which store was sealed, and with what.

    The state of the source is brought up to date before: it stood for the store as it was when the
    run began, and a later run must not take what this one fetched for new.

    Args:
        store: folder of a sealed store.
        state: the state of the raw input ``source``, as ``RawInputs`` describes it.
        output: JSON with the folder, the SHA-256 of its content and its counts.
    """
    sha256 = hash_store(store)
    if state is not None:
        known = read_json(state)
        if state.read_text(encoding="utf-8") != format_json(known | {"sha256": sha256}):
            write_json(state, known | {"sha256": sha256})
    counts = read_json(store / "manifest.json")["counts"]
    write_json(output, {"store": str(store), "sha256": sha256, "counts": counts})
