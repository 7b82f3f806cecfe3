"""What the rankers of a run of CodeSearchNet are fitted with, beside the functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.codesearchnet.system_options import SystemSettings
from ncsbench.encoders.encoder import load_encoder
from ncsbench.rankers.protocol import FitInputs
from ncsbench.training.unif_weights import load_weights

Inputs = Callable[[str], FitInputs]
"""What a ranker is made from beside the corpus, by language."""


def open_inputs(settings: SystemSettings, trained: Path) -> Inputs:
    """Gives the inputs of a ranker by language.

    Args:
        settings: of the system.
        trained: folder of what its training made: an ``encoder``, which knows all languages, or
            ``unif/<language>/weights``.
    """
    joint = load_encoder(trained / "encoder") if settings.trainer == "encoder" else None

    def give(language: str) -> FitInputs:
        inputs = FitInputs()
        if joint is not None:
            inputs["encoder"] = joint
        if settings.trainer == "unif":
            inputs["weights"] = load_weights(trained / "unif" / language / "weights")
        return inputs

    return give


def write_record(
    settings: SystemSettings, corpora: Mapping[str, Path], trained: Path, output: Path
) -> None:
    """Write what the results of a system come from: its settings, corpora and training.

    Args:
        settings: of the system.
        corpora: folder of the corpus of each language.
        trained: as in ``open_inputs``.
        output: JSON file to write.
    """
    records = {
        "": {},
        "encoder": {"all": trained / "record"},
        "unif": {name: trained / "unif" / name / "record" for name in settings.languages},
    }
    record = {
        "settings": settings.as_json(),
        "corpora": {
            name: read_json(corpora[name] / "manifest.json")["corpus_hash"]
            for name in settings.languages
        },
        "training": {
            name: read_json(folder / "about.json")
            for name, folder in records[settings.trainer].items()
        },
    }
    write_json(output, record)
