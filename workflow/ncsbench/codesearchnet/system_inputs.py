"""What the rankers of a run of CodeSearchNet are fitted with, beside the functions."""

from __future__ import annotations

from pathlib import Path

from ncsbench.artifacts.storage import read_json, write_json
from ncsbench.codesearchnet.system_options import SystemSettings
from ncsbench.codesearchnet.system_results import Inputs
from ncsbench.encoders.encoder import load_encoder
from ncsbench.rankers.protocol import FitInputs
from ncsbench.training.unif_weights import load_weights


def open_inputs(*, encoder: Path | None = None, unif: Path | None = None) -> Inputs:
    """Gives the inputs of a ranker by language.

    Args:
        encoder: folder of a joint encoder, which knows all languages.
        unif: folder with ``<language>/weights`` of every language.
    """
    joint = None if encoder is None else load_encoder(encoder)

    def give(language: str) -> FitInputs:
        inputs = FitInputs()
        if joint is not None:
            inputs["encoder"] = joint
        if unif is not None:
            inputs["weights"] = load_weights(unif / language / "weights")
        return inputs

    return give


def write_record(
    settings: SystemSettings,
    corpora: Path,
    *,
    encoder: Path | None,
    unif: Path | None,
    output: Path,
) -> None:
    """Write what the results of a system come from: its settings, corpora and training.

    Args:
        settings: of the system.
        corpora: folder with the corpus of each language.
        encoder: as in ``open_inputs``.
        unif: as in ``open_inputs``.
        output: JSON file to write.
    """
    trained = {} if encoder is None else {"all": read_json(encoder.parent / "record/about.json")}
    if unif is not None:
        trained = {
            name: read_json(unif / name / "record" / "about.json") for name in settings.languages
        }
    record = {
        "settings": settings.as_json(),
        "corpora": {
            name: read_json(corpora / name / "manifest.json")["corpus_hash"]
            for name in settings.languages
        },
        "training": trained,
    }
    write_json(output, record)
