from __future__ import annotations

import numpy as np
import pytest
import torch

from ncsbench.learning.unif.unif_tables import EpochSteps, TrainedTable

ROWS, DIMENSION, RATE = 12, 4, 0.01


def draw_epochs(epochs: int, steps: int, scale: float) -> list[list[dict[int, np.ndarray]]]:
    """For each step the gradients of a few rows; row 0 is in every step, row 1 in the first."""
    generator = np.random.default_rng(3)
    drawn = []
    for epoch in range(epochs):
        drawn.append([])
        for step in range(steps):
            rows = {0, *generator.choice(np.arange(2, ROWS), size=2).tolist()}
            rows |= {1} if epoch == step == 0 else set()
            scales = scale * 10 ** generator.uniform(-2, 0, size=(len(rows), DIMENSION))
            gradients = scales * generator.normal(size=(len(rows), DIMENSION))
            drawn[-1].append(dict(zip(sorted(rows), gradients, strict=True)))
    return drawn


def train_rows(start: torch.Tensor, epochs: list[list[dict[int, np.ndarray]]]) -> list[np.ndarray]:
    """The table after each epoch."""
    table, found = TrainedTable(start.clone(), learning_rate=RATE), []
    for epoch, gradients in enumerate(epochs):
        steps = EpochSteps(epoch * len(gradients), len(gradients))
        for step, given in enumerate(gradients, 1):
            part = table.read(np.array(list(given)), steps, step)
            part.grad = torch.from_numpy(np.array(list(given.values()))).to(start)
            table.move(part, steps, step)
        table.end_epoch(steps, len(gradients))
        found.append(table.values.numpy().copy())
    return found


def train_whole(start: torch.Tensor, epochs: list[list[dict[int, np.ndarray]]]) -> list[np.ndarray]:
    """The same by torch's Adam, which moves all rows in every step."""
    parameter, found = torch.nn.Parameter(start.clone()), []
    optimiser = torch.optim.Adam([parameter], lr=RATE)
    for gradients in epochs:
        for given in gradients:
            parameter.grad = torch.zeros_like(parameter)
            for row, gradient in given.items():
                parameter.grad[row] = torch.from_numpy(gradient)
            optimiser.step()
        found.append(parameter.detach().numpy().copy())
    return found


@pytest.mark.parametrize(("scale", "accuracy"), [(1.0, 1e-6), (1e-7, 0.05), (1e-12, 1e-6)])
def test_rows_that_catch_up_end_where_adam_moves_them_dev_107(
    scale: float, accuracy: float
) -> None:
    """In double precision; gradients far above eps, near it in the first steps, and far below."""
    epochs = draw_epochs(3, 60, scale)
    start = torch.from_numpy(np.random.default_rng(1).normal(size=(ROWS, DIMENSION)))
    rows, whole = train_rows(start, epochs), train_whole(start, epochs)
    for ours, other in zip(rows, whole, strict=True):
        moved = np.abs(other - start.numpy()).max(axis=1, keepdims=True)
        assert (moved > 0).all()
        assert (np.abs(ours - other) / moved).max() < accuracy


def test_a_row_in_every_step_is_plain_adam_dev_107() -> None:
    generator = np.random.default_rng(2)
    every = [[dict(enumerate(generator.normal(size=(ROWS, DIMENSION)))) for _ in range(20)]] * 2
    start = torch.from_numpy(generator.normal(size=(ROWS, DIMENSION)))
    for ours, other in zip(train_rows(start, every), train_whole(start, every), strict=True):
        np.testing.assert_allclose(ours, other, rtol=1e-13)


def test_a_row_without_a_gradient_never_moves_dev_62() -> None:
    start = torch.from_numpy(np.random.default_rng(1).normal(size=(ROWS, DIMENSION)))
    gradients = [[{0: np.ones(DIMENSION)}] * 5] * 2
    np.testing.assert_array_equal(train_rows(start, gradients)[-1][1:], start.numpy()[1:])
