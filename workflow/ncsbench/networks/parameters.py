"""Parameters of a network and moments of its optimiser as arrays by name, and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ncsbench.artifacts.training_checkpoints import Tensors

_MOMENTS = ("exp_avg", "exp_avg_sq")


def save_parameters(network: nn.Module) -> Tensors:
    """Copies of all parameters by name."""
    return {name: copy_tensor(own) for name, own in network.named_parameters()}


def restore_parameters(network: nn.Module, tensors: Tensors) -> None:
    """Take what ``save_parameters`` gave.

    Raises:
        ValueError: where it does not fit.
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
    """Copies of the moments of Adam and the number of its steps, by name."""
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
    """Take what ``save_moments`` gave; returns the steps.

    Raises:
        KeyError: where something is missing.
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
    """A copy as an array."""
    return tensor.detach().cpu().numpy().copy()
