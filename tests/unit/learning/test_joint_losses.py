from __future__ import annotations

from math import exp, log, sqrt

import pytest
import torch

from ncsbench.base.networks.epochs import sum_reciprocal_ranks
from ncsbench.learning.encoders.encoder_options import Loss
from ncsbench.learning.encoders.training import measure_loss, measure_similarity

QUERIES = torch.tensor([[3.0, 4.0], [1.0, 0.0]], requires_grad=True)
CODES = torch.tensor([[1.0, 0.0], [0.0, 2.0]])


def losses(loss: Loss, margin: float = 1.0) -> list[float]:
    found = measure_loss(measure_similarity(QUERIES, CODES, loss), loss, margin=margin)
    values: list[float] = found.tolist()
    return values


def test_softmax_ranks_code_for_a_query_by_the_plain_product_dev_148() -> None:
    # Products: 3 and 8, 1 and 0.
    assert losses("softmax") == pytest.approx([log(1 + exp(5)), log(1 + exp(1))], rel=1e-5)


def test_cosine_takes_the_nearest_wrong_code_dev_148() -> None:
    # Cosines: 0.6 and 0.8, 1 and 0.
    assert losses("cosine") == pytest.approx([1 - 0.6 + 0.8, 1 - 0 + 1])
    assert losses("cosine", 0.1) == pytest.approx([0.3, 1.1])
    turned = measure_similarity(-QUERIES, CODES, "cosine")
    # Wrong code below 0 counts as 0.
    assert measure_loss(turned, "cosine", margin=0.5).tolist() == pytest.approx([1.1, 0.5])


def test_max_margin_is_on_log_probabilities_dev_148() -> None:
    first = [-log(1 + exp(5)), -log(1 + exp(-5))]
    second = [-log(1 + exp(-1)), -log(1 + exp(1))]
    assert losses("max_margin") == pytest.approx(
        [1 - first[0] + first[1], 1 - second[1] + second[0]], rel=1e-5
    )


def test_triplet_is_the_mean_of_what_is_too_near_dev_148() -> None:
    # Distances: sqrt(20) and sqrt(13); 0 and sqrt(5).
    assert losses("triplet") == pytest.approx([1 + sqrt(20) - sqrt(13), 1 + sqrt(5)], rel=1e-4)
    similarities = torch.tensor([[-1.0, -1.5, -3.0], [0.0, -1.0, 0.0], [0.0, 0.0, 5.0]])
    found = measure_loss(similarities, "triplet", margin=1.0)
    # One of two wrong ones is near enough to count; two of two; none.
    assert found.tolist() == pytest.approx([0.5, 2.0, 0.0])


@pytest.mark.parametrize("loss", ["softmax", "cosine", "max_margin", "triplet"])
def test_slopes_are_finite_for_equal_vectors_and_for_none(loss: Loss) -> None:
    for start in (torch.zeros(3, 4), torch.ones(3, 4)):
        queries = start.clone().requires_grad_()
        found = measure_loss(measure_similarity(queries, start, loss), loss, margin=1.0)
        found.sum().backward()
        assert queries.grad is not None
        assert torch.isfinite(queries.grad).all()


def test_ties_count_as_lost() -> None:
    similarities = torch.tensor([[1.0, 1.0, 0.0], [0.0, 2.0, 3.0], [0.0, 0.0, 1.0]])
    assert float(sum_reciprocal_ranks(similarities)) == 0.5 + 0.5 + 1
