"""Small corpora of pairs, and encoders that are trained on them."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.base.networks import epochs
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.learning.encoders.encoder_options import EncoderSettings
from ncsbench.learning.encoders.training import train_encoder

WORDS = [f"{first}{second}" for first in "abcdefgh" for second in "klmnopqr"]
OPTIONS: dict[str, Any] = {
    "dimension": 16,
    "vocabulary_size": 300,
    "code_length": 12,
    "query_length": 6,
    "learning_rate": 0.02,
    "batch_size": 16,
    "epochs": 3,
    "patience": 0,
}
Pair = tuple[list[str], list[str]]


def write_corpus(folder: Path, pairs: dict[str, list[Pair]], identifier: str = "f") -> Path:
    """A corpus of one language: its pairs by part."""
    rows = [
        {
            **dict.fromkeys(("repo", "sha", "path", "docstring", "summary", "code"), ""),
            **{"function_id": 0, "start_line": 1, "end_line": 3, "identifier": identifier},
            **{"docstring_tokens": query, "code_tokens": code},
            **{"part": part.removesuffix("-none"), "is_pair": not part.endswith("-none")},
        }
        for part, own in pairs.items()
        for query, code in own
    ]
    write_table(
        folder / "functions.parquet",
        pa.Table.from_pylist(rows, schema=FUNCTION_SCHEMA),
        FUNCTION_SCHEMA,
    )
    write_json(folder / "manifest.json", {"corpus_hash": folder.name})
    return folder


def draw_pairs(seed: int, count: int, end: str) -> list[Pair]:
    """Code that has for each word of its query another one."""
    generator = np.random.default_rng(seed)
    drawn = [generator.choice(64, size=2) for _ in range(count)]
    return [
        ([WORDS[a], WORDS[b].upper()], [WORDS[63 - a] + end, "(", WORDS[63 - b] + end, ")"])
        for a, b in drawn
    ]


def write_corpora(folder: Path) -> dict[str, Path]:
    """Corpora of two languages, ``go`` and ``ruby``."""
    return {
        language: write_corpus(
            folder / language,
            {
                "train": draw_pairs(seed, 60 * seed, language),
                "valid": draw_pairs(seed + 5, 20, language),
                "test": [(["test"], ["test"])],
                "train-none": [(["none"], ["none"])],
            },
            identifier="Class.someLongName",
        )
        for seed, language in ((1, "go"), (2, "ruby"))
    }


def read_settings(network: str = "nbow", *, seed: int = 1, **options: Any) -> EncoderSettings:
    chosen = {"network": network, **OPTIONS, **options}
    return EncoderSettings.parse({"encoder": chosen, "seed": seed}, where="settings")


def train(folder: Path, corpora: dict[str, Path], network: str = "nbow", **options: Any) -> Path:
    train_encoder(
        read_settings(network, **options),
        corpora,
        folder / "checkpoint",
        folder / "record",
        folder / "encoder",
    )
    return folder / "encoder"


def kill_after(patch: pytest.MonkeyPatch, epoch: int) -> None:
    """End a training right after it has written the checkpoint of an epoch."""
    save = epochs.save_checkpoint

    def save_and_die(checkpoint: Path, progress: Any, fingerprint: str) -> None:
        save(checkpoint, progress, fingerprint)
        if progress.history[-1].epoch == epoch:
            raise KeyboardInterrupt

    patch.setattr(epochs, "save_checkpoint", save_and_die)


def read_history(folder: Path) -> list[list[str]]:
    lines = (folder / "record/history.csv").read_text().split()
    return [line.split(",") for line in lines[1:]]
