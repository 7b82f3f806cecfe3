"""DeepCS and CARLCS by hand on tiny inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.errors import ConfigurationError
from ncsbench.learning.deepcs import sequence_networks
from ncsbench.learning.deepcs.field_networks import NETWORKS, CarlcsNetwork, measure_loss
from ncsbench.learning.deepcs.field_options import FieldEncoderOptions
from ncsbench.learning.deepcs.method_fields import CodeLists
from ncsbench.learning.deepcs.sequence_networks import Convolutions, TwoWays, WordBag

SIZES = dict.fromkeys(("name", "api", "tokens", "description"), 9)
SMALL: dict[str, Any] = {
    "pairs": ["some"],
    "embedding": 2,
    "cells": 2,
    "output": 4,
    "filters": 4,
    "name_length": 4,
    "api_length": 6,
    "tokens_length": 5,
    "description_length": 5,
}


def make_options(network: str = "deepcs", **changes: Any) -> FieldEncoderOptions:
    return FieldEncoderOptions.parse({"network": network, **SMALL, **changes}, where="test")


def make_lists(*lists: list[int]) -> IdLists:
    return IdLists.gather(lists)


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = 1 / (1 + np.exp(-values))
    return result


def run_cells(lstm: torch.nn.LSTM, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """States of an LSTM, step by step."""
    own = {name: values.detach().double().numpy() for name, values in lstm.named_parameters()}
    state = memory = np.zeros(lstm.hidden_size)
    states = []
    for vector in vectors:
        gates = own["weight_ih_l0"] @ vector + own["weight_hh_l0"] @ state
        one, two, three, four = np.split(gates + own["bias_ih_l0"] + own["bias_hh_l0"], 4)
        memory = sigmoid(two) * memory + sigmoid(one) * np.tanh(three)
        state = sigmoid(four) * np.tanh(memory)
        states.append(state)
    return np.array(states)


def table_of(network: torch.nn.Module) -> NDArray[np.float64]:
    table: NDArray[np.float64] = network.table.detach().double().numpy()  # type: ignore[operator, union-attr]
    return table


def test_a_bag_of_words_is_pooled_over_padding_as_published_dev_187() -> None:
    lists = make_lists([3, 4], [], [5, 5, 6, 7, 8])
    published, masked = (
        WordBag(9, 5, make_options(padding=padding)).eval()
        for padding in ("as_published", "masked")
    )
    masked.load_state_dict(published.state_dict())
    table = table_of(published)
    expected = [table[[3, 4, 0]].max(axis=0), table[0], table[[5, 6, 7, 8]].max(axis=0)]
    assert np.allclose(published(lists).detach(), expected)
    expected = [table[[3, 4]].max(axis=0), np.zeros(2), table[[5, 6, 7, 8]].max(axis=0)]
    assert np.allclose(masked(lists).detach(), expected)


@pytest.mark.parametrize("words", [[3, 4], [], [5, 6, 7, 8, 1]])
def test_states_are_pooled_over_padding_as_published_dev_187(words: list[int]) -> None:
    network = TwoWays(9, 5, 2, make_options()).eval()
    table, padded = table_of(network), [*words, 0, 0, 0, 0, 0][:5]
    ways = [(network.ahead, padded), (network.back, padded[::-1])]
    expected = [run_cells(lstm, table[ids]).max(axis=0) for lstm, ids in ways]
    assert np.allclose(network(make_lists(words))[0].detach(), np.concatenate(expected))
    masked = TwoWays(9, 5, 2, make_options(padding="masked")).eval()
    masked.load_state_dict(network.state_dict())
    ways = [(network.ahead, words), (network.back, words[::-1])]
    expected = [
        run_cells(lstm, table[ids]).max(axis=0) if ids else np.zeros(2) for lstm, ids in ways
    ]
    assert np.allclose(masked(make_lists(words))[0].detach(), np.concatenate(expected))
    # Descriptions skip padding; the second direction has a zero for it all the same.
    keras = TwoWays(9, 5, 2, make_options(), skips_padding=True).eval()
    keras.load_state_dict(network.state_dict())
    if len(words) < 5:
        expected[1] = np.maximum(expected[1], 0)
    assert np.allclose(keras(make_lists(words))[0].detach(), np.concatenate(expected))


def test_the_last_states_are_those_of_words_in_any_padding() -> None:
    for padding in ("as_published", "masked"):
        network = TwoWays(9, 5, 2, make_options(padding=padding, pooling="last")).eval()
        table = table_of(network)
        expected = [
            run_cells(lstm, table[ids])[-1]
            for lstm, ids in ((network.ahead, [3, 4]), (network.back, [4, 3]))
        ]
        found = network(make_lists([5, 6, 7], [3, 4], []))
        assert np.allclose(found[1].detach(), np.concatenate(expected))
        assert not found[2].any()


def test_deepcs_joins_the_fields_as_keras_or_pytorch_has_it() -> None:
    code = CodeLists(make_lists([3]), make_lists([4, 5]), make_lists([6, 2, 3]))
    keras = NETWORKS["deepcs"](SIZES, make_options()).eval()
    parts = torch.cat([keras.name(code.name), keras.api(code.api), keras.tokens(code.tokens)], 1)
    dense = torch.tanh(parts) @ keras.fused.weight.T + keras.fused.bias
    assert torch.allclose(keras.embed_code(code), torch.tanh(dense))  # type: ignore[union-attr]
    assert keras.embed_descriptions(make_lists([3])).shape == (1, 4)  # type: ignore[union-attr]
    other = NETWORKS["deepcs"](
        SIZES, make_options(fusion="added", description="projected", output=3, pooling="last")
    ).eval()
    own = [other.name(code.name), other.api(code.api), other.tokens(code.tokens)]
    added = sum(part(vector) for part, vector in zip(other.parts, own, strict=True))
    assert torch.allclose(other.embed_code(code), other.fused(torch.tanh(added)))
    described = other.projected(other.description(make_lists([3])))
    assert torch.allclose(other.embed_descriptions(make_lists([3])), described)


def test_convolutions_have_columns_one_after_the_other() -> None:
    network = Convolutions(9, 5, make_options("carlcs")).eval()
    columns = network.columns(make_lists([3, 4, 5]), 5)
    table = table_of(network)[[3, 4, 5, 0, 0]]
    expected = []
    for kernel, width in zip(network.kernels, (2, 3, 4), strict=True):
        values = kernel.detach().double().numpy()
        for start in range(5 - width + 1):
            found = np.einsum("oik,ki->o", values, table[start : start + width])
            expected.append(np.maximum(found, 0))
    assert columns.shape == (1, 9, 4) and np.allclose(columns[0].detach(), expected)


def attend(code: Tensor, places: Tensor, asked: Tensor, there: Tensor, weights: Tensor) -> Tensor:
    """The co-attention as its formula stands, with the columns of either side that count."""
    scores = torch.tanh(code @ (asked @ weights.T).transpose(1, 2))
    places = places | ~places.any(dim=1, keepdim=True)
    there = there | ~there.any(dim=1, keepdim=True)
    rows = scores.masked_fill(~there[:, None], -torch.inf).amax(dim=2)
    columns = scores.masked_fill(~places[:, :, None], -torch.inf).amax(dim=1)
    of_code = rows.masked_fill(~places, -torch.inf).softmax(dim=1)
    of_asked = columns.masked_fill(~there, -torch.inf).softmax(dim=1)
    return functional.cosine_similarity(
        (of_code[:, None] @ code)[:, 0], (of_asked[:, None] @ asked)[:, 0]
    )


def test_pairs_have_the_slopes_of_the_formula_without_padding() -> None:
    made = CarlcsNetwork(SIZES, make_options("carlcs", padding="masked", margin=0.5)).eval()
    code = CodeLists(
        make_lists([3], [], [4, 5]), make_lists([4, 5], [6], []), make_lists([6, 2, 3], [1], [3])
    )
    right, wrong = make_lists([3], [4, 5], [6, 5, 6]), make_lists([4, 5], [7], [1])
    parameters = list(made.parameters())
    fast = torch.stack(made.compare(code, right, wrong))
    columns, places = made.read_code(code)
    plain = torch.stack(
        [
            attend(columns, places, *made.read("description", own), made.attention)
            for own in (right, wrong)
        ]
    )
    assert torch.allclose(fast, plain, atol=1e-6)
    weights = torch.tensor([[1.0, 2, 3], [-1, 1, 2]])
    slopes = [torch.autograd.grad((own * weights).sum(), parameters) for own in (fast, plain)]
    for one, other in zip(*slopes, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_lists_without_a_word_are_one_padding_in_any_batch() -> None:
    made = CarlcsNetwork(SIZES, make_options("carlcs", padding="masked")).eval()
    code = CodeLists(make_lists([], [3]), make_lists([], [4, 5]), make_lists([], [6, 2, 3]))
    asked = make_lists([], [3, 4, 5, 6])
    both = made.compare(code, asked, asked)[0]
    first = np.array([0])
    alone = made.compare(code.take(first), asked.take(first), asked.take(first))[0]
    assert torch.allclose(both[:1], alone, atol=1e-6) and torch.isfinite(both).all()
    assert torch.allclose(made.compare_all(code, asked).diagonal(), both, atol=1e-6)


def attend_plainly(code: Any, asked: Any, weights: Any) -> float:
    scores = np.tanh(code @ weights @ asked.T)
    of_code, of_asked = scores.max(axis=1), scores.max(axis=0)
    one = np.exp(of_code) / np.exp(of_code).sum() @ code
    other = np.exp(of_asked) / np.exp(of_asked).sum() @ asked
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_co_attention_is_the_formula_of_the_paper() -> None:
    draw = np.random.default_rng(1).normal
    code, asked, weights = draw(size=(2, 5, 3)), draw(size=(2, 4, 3)), draw(size=(3, 3))
    tensors = [torch.from_numpy(own) for own in (code, asked, weights)]
    every = torch.ones(2, 5, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool)
    found = attend(tensors[0], every[0], tensors[1], every[1], tensors[2])
    expected = [attend_plainly(code[i], asked[i], weights) for i in range(2)]
    assert np.allclose(found, expected)
    places = torch.tensor([[True, True, False, True, False]] * 2)
    found = attend(tensors[0], places, tensors[1], every[1], tensors[2])
    expected = [attend_plainly(code[i][[0, 1, 3]], asked[i], weights) for i in range(2)]
    assert np.allclose(found, expected)


@pytest.mark.parametrize("network", ["deepcs", "carlcs"])
@pytest.mark.parametrize("padding", ["as_published", "masked"])
@pytest.mark.parametrize("api_encoder", ["convolutions", "lstm"])
def test_pairs_are_compared_alike_alone_and_together(
    network: str, padding: str, api_encoder: str
) -> None:
    options = make_options(network, padding=padding, api_encoder=api_encoder)
    made = NETWORKS[network](SIZES, options).eval()
    code = CodeLists(
        make_lists([3], [], [4, 5], [1, 2, 3, 4]),
        make_lists([4, 5], [6], [], [1, 2, 3, 4, 5, 6]),
        make_lists([6, 2, 3], [1], [3], [1, 2, 3, 4, 5]),
    )
    right, wrong = make_lists([3], [4, 5], [6, 6, 6], [7]), make_lists([4, 5], [7], [1], [3])
    rights, wrongs = made.compare(code, right, wrong)
    square = made.compare_all(code, right)
    assert torch.allclose(square.diagonal(), rights, atol=1e-6)
    for row in range(4):
        own = np.array([row])
        alone = made.compare(code.take(own), right.take(own), wrong.take(own))
        assert torch.allclose(alone[0], rights[row], atol=1e-6)
        assert torch.allclose(alone[1], wrongs[row], atol=1e-6)


def test_the_loss_is_never_zero() -> None:
    right, wrong = torch.tensor([0.9, 0.5]), torch.tensor([0.1, 0.52])
    assert torch.allclose(measure_loss(right, wrong, 0.05), torch.tensor([1e-6, 0.07]))


def test_first_values_are_those_of_either_library_dev_188() -> None:
    keras = TwoWays(9, 5, 2, make_options())
    assert float(keras.table.detach().abs().max()) <= 0.05
    assert keras.ahead.bias_ih_l0.tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert not keras.ahead.bias_hh_l0.requires_grad and not keras.ahead.bias_hh_l0.any()
    square = keras.ahead.weight_hh_l0.detach()
    assert torch.allclose(square.T @ square, torch.eye(2), atol=1e-6)
    other = TwoWays(9, 5, 2, make_options(initial_values="pytorch"))
    values = [own.detach() for own in other.parameters()]
    assert all(float(own.abs().max()) <= 0.1 for own in values)
    assert not other.table[0].any() and other.ahead.bias_hh_l0.requires_grad


def test_states_forget_elements_in_training_dev_189(monkeypatch: pytest.MonkeyPatch) -> None:
    network = TwoWays(9, 5, 2, make_options())
    kept = torch.tensor([0.0, 2.0])

    def drop_out(values: torch.Tensor, share: float, training: bool) -> torch.Tensor:
        return values * kept if share == 0.2 and training else values

    monkeypatch.setattr(sequence_networks, "drop_out", drop_out)
    lists, vectors = make_lists([3, 4, 5, 6, 7]), table_of(network)[[3, 4, 5, 6, 7]]
    trained = network.states(lists, 5)[0, :, :2].detach()
    assert not np.allclose(network.eval().states(lists, 5)[0, :, :2].detach(), trained)
    network.ahead.weight_hh_l0.data.mul_(kept)
    assert np.allclose(run_cells(network.ahead, vectors), trained, atol=1e-6)


def test_options_that_do_not_fit_end_in_one_line() -> None:
    with pytest.raises(ConfigurationError, match="'output' must be 4, twice 'cells'"):
        make_options(output=5)
