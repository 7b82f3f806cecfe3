from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from ncsbench.learning.unif.unif_network import Bags, UnifNetwork, hinge_loss, softmax_loss
from ncsbench.learning.unif.unif_pairs import draw_other_queries
from tests.synthetic_documents import make_lists

QUERIES = make_lists([["a"], ["b", "c", "c"], ["d", "a"]])
CODES = make_lists([["a", "b", "a"], ["d"], ["c", "b", "e", "a"]])
CPU = torch.device("cpu")
Parameters = dict[str, NDArray[np.float64]]


def make_parameters() -> Parameters:
    generator = np.random.default_rng(5)
    shapes = {"query_table": (4, 6), "code_table": (5, 6), "attention": (6,)}
    return {name: generator.normal(size=shape) for name, shape in shapes.items()}


def unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / np.sqrt((vector**2).sum())


def plain_vectors(given: Parameters) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors of ``QUERIES`` and ``CODES``, one bag at a time."""
    queries = [unit(given["query_table"][QUERIES[i]].mean(axis=0)) for i in range(3)]
    codes = []
    for i in range(3):
        words = given["code_table"][CODES[i]]
        alpha = np.exp(words @ given["attention"])
        codes.append(unit((alpha / alpha.sum()) @ words))
    return np.array(queries), np.array(codes)


def plain_hinge(given: Parameters) -> float:
    queries, codes = plain_vectors(given)
    wrong = [[1, 2], [2, 0], [0, 1]]
    losses = [
        max(0.0, 0.7 - queries[i] @ codes[i] + queries[j] @ codes[i])
        for i in range(3)
        for j in wrong[i]
    ]
    return float(np.mean(losses))


def plain_softmax(given: Parameters) -> float:
    queries, codes = plain_vectors(given)
    logits = 3 * queries @ codes.T
    logits[0, 2] = logits[2, 0] = -np.inf
    rows = -np.log(np.exp(np.diag(logits)) / np.exp(logits).sum(axis=1))
    columns = -np.log(np.exp(np.diag(logits)) / np.exp(logits).sum(axis=0))
    return float((rows.mean() + columns.mean()) / 2)


def torch_network(given: Parameters) -> UnifNetwork:
    return UnifNetwork(*(torch.from_numpy(array).requires_grad_() for array in given.values()))


def torch_hinge(network: UnifNetwork) -> torch.Tensor:
    queries = network.embed_queries(Bags.from_lists(QUERIES, CPU))
    codes = network.embed_codes(Bags.from_lists(CODES, CPU))
    return hinge_loss(queries, codes, queries[torch.tensor([[1, 2], [2, 0], [0, 1]])], 0.7)


def torch_softmax(network: UnifNetwork) -> torch.Tensor:
    queries = network.embed_queries(Bags.from_lists(QUERIES, CPU))
    codes = network.embed_codes(Bags.from_lists(CODES, CPU))
    same = torch.zeros((3, 3), dtype=torch.bool)
    same[0, 2] = same[2, 0] = True
    return softmax_loss(queries, codes, same, scale=3, both=True)


@pytest.fixture(autouse=True)
def _double():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def test_vectors_are_those_of_a_plain_implementation() -> None:
    network = torch_network(make_parameters())
    queries, codes = plain_vectors(make_parameters())
    found = network.embed_queries(Bags.from_lists(QUERIES, CPU))
    np.testing.assert_allclose(found.detach().numpy(), queries, rtol=1e-12)
    found = network.embed_codes(Bags.from_lists(CODES, CPU))
    np.testing.assert_allclose(found.detach().numpy(), codes, rtol=1e-12)


@pytest.mark.parametrize(
    ("plain", "loss"), [(plain_hinge, torch_hinge), (plain_softmax, torch_softmax)]
)
def test_losses_and_gradients_are_those_of_a_plain_implementation(plain, loss) -> None:
    given = make_parameters()
    network = torch_network(given)
    value = loss(network)
    assert value.item() == pytest.approx(plain(given), rel=1e-12)
    value.backward()
    for name, array in given.items():
        numeric = np.zeros_like(array)
        for place in np.ndindex(array.shape):
            sides = []
            for step in (1e-6, -1e-6):
                changed = {key: other.copy() for key, other in given.items()}
                changed[name][place] += step
                sides.append(plain(changed))
            numeric[place] = (sides[0] - sides[1]) / 2e-6
        gradient = getattr(network, name).grad.numpy()
        np.testing.assert_allclose(gradient, numeric, atol=1e-8)


def test_one_direction_ranks_code_for_queries_only_dev_64() -> None:
    queries, codes = torch.eye(2), torch.tensor([[1.0, 0], [1, 0]])
    same = torch.zeros((2, 2), dtype=torch.bool)
    one = softmax_loss(queries, codes, same, scale=1, both=False)
    assert float(one) == pytest.approx(np.log(2))
    assert float(softmax_loss(queries, codes, same, scale=1, both=True)) != pytest.approx(
        float(one)
    )


def test_hard_negatives_stand_in_the_denominator_of_their_own_pair_alone() -> None:
    queries, codes = torch.eye(2), torch.tensor([[1.0, 0], [0, 1]])
    hard = torch.tensor([[0.6, 0.8], [1, 0], [0.8, 0.6], [0, 1]])
    same = torch.zeros((2, 2), dtype=torch.bool)
    absent = torch.tensor([[False, True], [False, False]])
    both = torch.cat([codes, hard])
    one = softmax_loss(queries, both, same, scale=1, both=False, absent=absent)
    first = np.log(np.exp([1, 0, 0.6]).sum()) - 1
    second = np.log(np.exp([1, 0, 0.6, 1]).sum()) - 1
    assert float(one) == pytest.approx((first + second) / 2)
    # The other direction ranks queries for the right code: hard negatives have no part in it.
    other = softmax_loss(queries, both, same, scale=1, both=True, absent=absent)
    assert float(other) == pytest.approx((float(one) + np.log(np.e + 1) - 1) / 2)


def test_a_wrong_query_is_any_pair_with_another_query_equally_often_dev_63() -> None:
    groups = np.array([3, 0, 3, 1, 0, 0])
    drawn = draw_other_queries(groups, 30_000, np.random.default_rng(1))
    for pair, row in enumerate(drawn):
        others = np.flatnonzero(groups != groups[pair])
        values, counts = np.unique(row, return_counts=True)
        assert values.tolist() == others.tolist()
        np.testing.assert_allclose(counts / 30_000, 1 / len(others), atol=0.01)
