"""Adam as TensorFlow 1 computes it (Kingma and Ba, 2015, the formula before section 2.1)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import nn

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.networks.parameters import restore_moments, save_moments

_FIRST, _SECOND, _EPSILON = 0.9, 0.999, 1e-8
_CLIP = 1.0  # Global norm of the gradients of a step.


class Adam:
    """Steps by the gradients of all parameters, also of those without any in a batch (DEV-149).

    Args:
        parameters: by name; their gradients are kept as zeros between steps.
        learning_rate: the same for all steps.
    """

    def __init__(self, parameters: Mapping[str, nn.Parameter], *, learning_rate: float) -> None:
        self._parameters = dict(parameters)
        for own in self._parameters.values():
            own.grad = torch.zeros_like(own)
        self._adam = torch.optim.Adam(
            self._parameters.values(), learning_rate, (_FIRST, _SECOND), _EPSILON, fused=True
        )
        self._steps = 0

    def step(self) -> None:
        """Clip the gradients, move the parameters and forget the gradients."""
        self._steps += 1
        nn.utils.clip_grad_norm_(self._parameters.values(), _CLIP)
        # TensorFlow adds epsilon before it corrects the second moment, PyTorch after.
        corrected = _EPSILON / math.sqrt(1 - _SECOND**self._steps)
        self._adam.param_groups[0]["eps"] = corrected
        self._adam.step()
        self._adam.zero_grad(set_to_none=False)

    def save(self) -> Tensors:
        """Copies of the moments and the number of steps, by name."""
        return save_moments(self._adam, self._parameters, steps=self._steps)

    def restore(self, saved: Tensors) -> None:
        """Take what ``save`` gave; ``KeyError`` where something is missing."""
        self._steps = restore_moments(self._adam, self._parameters, saved)
