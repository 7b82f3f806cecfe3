"""The training of a cell: one model on one set of pairs, with one seed."""

from __future__ import annotations

from pathlib import Path

from ncsbench.base.files.storage import iterate_tables, write_json
from ncsbench.errors import ConfigurationError
from ncsbench.learning.deepcs.field_options import FieldEncoderSettings
from ncsbench.learning.deepcs.field_training import count_steps, train_field_encoder
from ncsbench.learning.deepcs.method_fields import read_pairs
from ncsbench.pairs.training_pairs.pair_schema import PAIR_SCHEMA
from ncsbench.studies.icse_2022.cell_settings import CellSettings

RECORD = "cell.json"
"""File in the record of a training: pairs of the set, epochs done, and processor seconds."""


def train_cell(
    settings: CellSettings,
    pairs: Path,
    checkpoint: Path,
    record: Path,
    output: Path,
    vocabulary_pairs: Path | None = None,
    steps_of: Path | None = None,
) -> None:
    """Train a cell of a cleaning experiment: a model on a training set with a seed.

    A training that was killed goes on and ends with the same network.

    Args:
        settings: settings of the cell.
        pairs: training set of the cell (``PAIR_SCHEMA``).
        checkpoint: folder to go on from after an interruption; removed at the end.
        record: folder to write, which tables read about the training, with ``cell.json``.
        output: folder of a ``FieldEncoder`` to write.
        vocabulary_pairs: the raw pairs, needed with ``vocabulary: raw``.
        steps_of: the training set that decides the number of steps, where the cell names one: the
            training takes at most as many steps as all epochs on that set (DEV-195).

    Raises:
        ConfigurationError: where a file is not given that the settings ask for, or the loss is no
            longer finite.
        DataError: where a file is missing or damaged.
    """
    _check("vocabulary: raw", settings.vocabulary == "raw", vocabulary_pairs)
    _check("steps_of", settings.steps_of is not None, steps_of)
    options, steps = settings.field_encoder, None
    if steps_of is not None:
        steps = count_steps(len(read_pairs([steps_of], options).training), options)
    seconds = train_field_encoder(
        FieldEncoderSettings(field_encoder=options, seed=settings.seed),
        pairs=[pairs],
        checkpoint=checkpoint,
        record=record,
        output=output,
        vocabulary_pairs=[vocabulary_pairs or pairs],
        steps=steps,
    )
    history = (record / "history.csv").read_text(encoding="utf-8").splitlines()
    about = {
        "pairs": sum(len(table) for table in iterate_tables(pairs, PAIR_SCHEMA, ["key"])),
        "epochs": len(history) - 2,  # without the header and the measurement before epoch 1
        "processor_seconds": round(seconds, 1),
    }
    write_json(record / RECORD, about)


def _check(option: str, wanted: bool, given: Path | None) -> None:
    if wanted != (given is not None):
        reason = "needs a file of pairs" if wanted else f"is not set, but {given} is given"
        raise ConfigurationError(f"cell: '{option}' {reason}")
