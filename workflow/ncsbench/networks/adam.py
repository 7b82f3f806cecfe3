"""Adam as TensorFlow 1 computes it (Kingma and Ba, 2015, the formula before section 2.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.networks.network_files import restore_moments, save_moments

_FIRST, _SECOND = 0.9, 0.999


class Adam:
    """Steps by the gradients of all parameters, also of those without any in a batch (DEV-149).

    Args:
        parameters: by name; their gradients are kept as zeros between steps.
        learning_rate: of every step.
        epsilon: what is added to the root of the second moment.
        clip: global norm of the gradients of a step at most; 0 for any.
        decay: weight decay of AdamW (Loshchilov and Hutter, 2019), not of biases.
        schedule: what the learning rate is multiplied by in a step, which is counted from 1.
    """

    def __init__(
        self,
        parameters: Mapping[str, nn.Parameter],
        *,
        learning_rate: float,
        epsilon: float = 1e-8,
        clip: float = 1.0,
        decay: float = 0.0,
        schedule: Callable[[int], float] | None = None,
    ) -> None:
        self._parameters = dict(parameters)
        self._epsilon, self._clip = epsilon, clip
        self._rate, self._schedule = learning_rate, schedule
        for own in self._parameters.values():
            own.grad = torch.zeros_like(own)
        biases = [own for name, own in self._parameters.items() if "bias" in name]
        others = [own for name, own in self._parameters.items() if "bias" not in name]
        groups: list[dict[str, Any]] = [
            {"params": biases, "weight_decay": 0.0},
            {"params": others},
        ]
        self._adam = torch.optim.Adam(
            [group for group in groups if group["params"]],
            learning_rate,
            (_FIRST, _SECOND),
            epsilon,
            weight_decay=decay,
            decoupled_weight_decay=True,
            fused=True,
        )
        self._steps = 0

    def step(self) -> None:
        """Clip the gradients, move the parameters and forget the gradients."""
        self._steps += 1
        if self._clip:
            nn.utils.clip_grad_norm_(self._parameters.values(), self._clip)
        # TensorFlow adds epsilon before it corrects the second moment, PyTorch after.
        corrected = self._epsilon / math.sqrt(1 - _SECOND**self._steps)
        for group in self._adam.param_groups:
            group["eps"] = corrected
            if self._schedule is not None:
                group["lr"] = self._rate * self._schedule(self._steps)
        self._adam.step()
        self._adam.zero_grad(set_to_none=False)

    def save(self) -> Tensors:
        """Copies of the moments and the number of steps, by name."""
        return save_moments(self._adam, self._parameters, steps=self._steps)

    def restore(self, saved: Tensors) -> None:
        """Take what ``save`` gave; ``KeyError`` where something is missing."""
        self._steps = restore_moments(self._adam, self._parameters, saved)
