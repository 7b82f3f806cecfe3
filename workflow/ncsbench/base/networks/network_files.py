"""A network and its optimiser as arrays by name, and a trained network as a folder."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.base.files.storage import atomic_folder, read_json, write_json
from ncsbench.base.files.training_checkpoints import Tensors, read_tensors, write_tensors
from ncsbench.base.text.bpe_vocabulary import BpeVocabulary
from ncsbench.errors import DataError

_MOMENTS = ("exp_avg", "exp_avg_sq")


def save_parameters(network: nn.Module) -> Tensors:
    """Return copies of all parameters by name."""
    return {name: copy_tensor(own) for name, own in network.named_parameters()}


def restore_parameters(network: nn.Module, tensors: Tensors) -> None:
    """Set the parameters to the copies that ``save_parameters`` returned.

    Raises:
        ValueError: where names or shapes do not fit the network.
    """
    own = dict(network.named_parameters())
    if {name: array.shape for name, array in tensors.items()} != {
        name: tuple(parameter.shape) for name, parameter in own.items()
    }:
        raise ValueError("has other tensors than its options and vocabularies ask for")
    with torch.no_grad():
        for name, array in tensors.items():
            own[name].copy_(torch.from_numpy(array))


def save_moments(
    adam: torch.optim.Adam, parameters: Mapping[str, nn.Parameter], *, steps: int
) -> Tensors:
    """Return copies of the moments of Adam and the number of its steps, by name."""
    saved: Tensors = {"steps": np.array([steps], np.float32)}
    for name, own in parameters.items():
        for moment in _MOMENTS:
            saved[f"{moment}.{name}"] = copy_tensor(
                adam.state[own].get(moment, torch.zeros_like(own))
            )
    return saved


def restore_moments(
    adam: torch.optim.Adam, parameters: Mapping[str, nn.Parameter], saved: Tensors
) -> int:
    """Set the moments of Adam to the copies of ``save_moments``; return the number of steps.

    Raises:
        KeyError: where an array is missing.
    """
    steps = int(saved["steps"][0])
    for name, own in parameters.items():
        adam.state[own] = {
            "step": torch.tensor(float(steps), device=own.device),
            **{
                moment: torch.from_numpy(saved[f"{moment}.{name}"]).to(own.device)
                for moment in _MOMENTS
            },
        }
    return steps


def copy_tensor(tensor: Tensor) -> NDArray[np.float32]:
    """Return a copy of a tensor as an array."""
    return tensor.detach().cpu().numpy().copy()


Vocabularies = Mapping[str, BpeVocabulary]
_Made = TypeVar("_Made")


def hash_vocabularies(vocabularies: Vocabularies) -> str:
    """Return the SHA-256 of the words and pieces of vocabularies, as hexadecimal digits."""
    texts = {name: [own.words, own.pieces] for name, own in vocabularies.items()}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def save_network(
    folder: Path, tensors: Tensors, vocabularies: Vocabularies, about: Mapping[str, Any]
) -> None:
    """Write ``weights.safetensors``, ``vocabularies.json`` and ``about.json``."""
    with atomic_folder(folder) as temporary:
        write_tensors(temporary / "weights.safetensors", dict(tensors))
        write_json(
            temporary / "vocabularies.json",
            {
                name: {"words": own.words, "pieces": own.pieces}
                for name, own in vocabularies.items()
            },
        )
        write_json(temporary / "about.json", dict(about))


def load_network(
    folder: Path, make: Callable[[Tensors, Vocabularies, Mapping[str, Any]], _Made]
) -> _Made:
    """Read the files and make a network with ``make``; ``DataError`` where they do not fit.

    Where ``about`` names a ``vocabulary_hash``, the vocabularies must have this hash.
    """
    about, named = read_json(folder / "about.json"), read_json(folder / "vocabularies.json")
    tensors, _ = read_tensors(folder / "weights.safetensors")
    try:
        vocabularies = {
            name: BpeVocabulary(list(own["words"]), list(own["pieces"]))
            for name, own in named.items()
        }
        wanted = about.get("vocabulary_hash")
        if wanted is not None and wanted != hash_vocabularies(vocabularies):
            raise ValueError("vocabularies.json is that of another network")
        if not all(np.isfinite(array).all() for array in tensors.values()):
            raise ValueError("weights.safetensors has numbers that are not finite")
        return make(tensors, vocabularies, about)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{folder}: its files do not fit each other ({error}); train again"
        ) from error
