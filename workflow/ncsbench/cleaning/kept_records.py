"""What of a cleaning experiment is kept: its records, and the settings that they were made with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ncsbench.cleaning.comment_losses import LossSettings
from ncsbench.configuration.strict_model import StrictModel
from ncsbench.experiment.cleaning_file import CleaningFile


def is_made_with(path: Path, settings: StrictModel) -> bool:
    """Whether a record says that it was made with these settings."""
    now = json.loads(json.dumps(settings.as_json()))
    return bool(read_record(path).get("settings") == now)


def read_record(path: Path) -> dict[str, Any]:
    """A record; empty where there is none."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, RecursionError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def describe_losses(file: CleaningFile) -> dict[str, LossSettings]:
    """With what the comments of each source are scored."""
    return {
        name: LossSettings(
            model=file.model,
            rules=file.rules,
            phrases=file.phrases,
            seed=file.seed,
            source=name,
            raw=source,
        )
        for name, source in file.sources.items()
    }


def list_unscored(name: str, file: CleaningFile) -> list[str]:
    """Sources of an experiment whose losses are to be made: all, or those that are not kept."""
    folder, kept = Path("results", name, "losses"), file.finished == "kept"
    return [
        source
        for source, settings in describe_losses(file).items()
        if not kept
        or not (folder / f"{source}.parquet").exists()
        or not is_made_with(folder / f"{source}.json", settings)
    ]
