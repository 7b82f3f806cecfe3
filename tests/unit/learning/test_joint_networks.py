from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.layers import drop_out
from ncsbench.learning.encoders import networks
from ncsbench.learning.encoders.encoder_options import EncoderOptions
from ncsbench.learning.encoders.networks import NETWORKS, TokenNetwork, convolve

TOKENS, LENGTH, SIZE = 50, 60, 16


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def make_network(name: str, **options: Any) -> TokenNetwork:
    torch.manual_seed(3)
    chosen = EncoderOptions.parse({"network": name, "dimension": SIZE, **options}, where="test")
    network = NETWORKS[name](TOKENS, LENGTH, chosen)
    for parameter in network.parameters():
        parameter.data *= 3  # so that little of a vector is next to nothing
    return network.eval()


def draw_lists(lengths: list[int]) -> IdLists:
    generator = np.random.default_rng(1)
    return IdLists.gather([generator.integers(1, TOKENS, length).tolist() for length in lengths])


LISTS = draw_lists([1, 60, 5, 0, 59, 30, 37, 36, 35, 2, 17, *range(100)][:70])


def pad_fully(lists: IdLists) -> tuple[Tensor, Tensor]:
    ids = torch.zeros(len(lists), LENGTH, dtype=torch.int64)
    for row, length in enumerate(lists.lengths.tolist()):
        start = lists.offsets[row]
        ids[row, :length] = torch.from_numpy(lists.ids[start : start + length].astype(np.int64))
    return ids, torch.from_numpy(lists.lengths)


def pool_plainly(network: TokenNetwork, vectors: Tensor, lengths: Tensor) -> Tensor:
    rows = []
    for own, length in zip(vectors, lengths.tolist(), strict=True):
        tokens = own[:length]
        if length == 0:
            rows.append(torch.zeros(SIZE))
        elif network.pooling == "mean":
            rows.append(tokens.mean(dim=0))
        elif network.pooling == "max":
            rows.append(tokens.max(dim=0).values)
        else:
            weights = torch.sigmoid(tokens @ network.attention)
            rows.append((weights * tokens).sum(dim=0) / (weights.sum() + 1e-8))
    return torch.stack(rows)


def encode_plainly(network: Any, name: str, ids: Tensor, lengths: Tensor) -> Tensor:
    """What the token vectors are when everything is padded to the greatest length."""
    vectors = network.table[ids]
    if name == "cnn":
        current = (vectors + network.positions).transpose(1, 2)
        for number, kernel in enumerate(network.kernels):
            padded = functional.pad(current, (7, 8))
            found = functional.conv1d(padded, kernel, network.biases[number])
            current = torch.tanh(found + current if number else found)
        return current.transpose(1, 2)
    if name == "rnn":
        return torch.stack(
            [run_cells(network, own, n) for own, n in zip(vectors, lengths.tolist(), strict=True)]
        )
    if name == "self_attention":
        hidden = [vectors + network.positions + network.kind]
        current = functional.layer_norm(
            hidden[0], (SIZE,), network.norm.weight, network.norm.bias, 1e-12
        )
        for layer in network.layers:
            current = attend_plainly(layer, current, lengths)
        return current
    return vectors


def run_cells(network: Any, tokens: Tensor, length: int) -> Tensor:
    """One list through both directions, without padding."""
    result = torch.zeros(LENGTH, SIZE)
    if length:
        tokens = tokens[None, :length]
        ahead = network.directions[0](tokens)[0][0]
        back = network.directions[1](tokens.flip(1))[0][0].flip(0)
        result[:length] = torch.cat([ahead, back], dim=1)
    return result


def attend_plainly(layer: Any, current: Tensor, lengths: Tensor) -> Tensor:
    """The formulas of BERT, head by head."""
    width = SIZE // 8
    mixed = layer.mixing(current)
    query, key, value = mixed.split(SIZE, dim=2)
    heads = []
    for head in range(8):
        part = slice(head * width, (head + 1) * width)
        scores = query[..., part] @ key[..., part].transpose(1, 2) / width**0.5
        hidden = torch.arange(LENGTH) >= lengths[:, None]
        scores = scores - 10000.0 * hidden[:, None]
        heads.append(torch.softmax(scores, dim=2) @ value[..., part])
    current = layer.norms[0](current + layer.mixed(torch.cat(heads, dim=2)))
    inner = layer.wide(current)
    inner = inner * 0.5 * (1 + torch.erf(inner / 2**0.5))
    return layer.norms[1](current + layer.narrow(inner))


@pytest.mark.parametrize("pooling", ["weighted_mean", "mean", "max"])
@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_vectors_are_those_of_lists_that_are_padded_fully_dev_144(name: str, pooling: str) -> None:
    network = make_network(name, pooling=pooling)
    ids, lengths = pad_fully(LISTS)
    with torch.no_grad():
        found = network(LISTS)
        expected = pool_plainly(network, encode_plainly(network, name, ids, lengths), lengths)
    assert found.shape == (len(LISTS), SIZE)
    # Sums of another order, whose rounding depends on the kernels of the machine.
    torch.testing.assert_close(found, expected, atol=5e-6, rtol=1e-5)
    assert not found[3].any()  # the list without ids


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_slopes_are_those_of_lists_that_are_padded_fully(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in training, but for dropout."""
    monkeypatch.setattr(networks, "drop_out", lambda values, share, training: values)
    network = make_network(name).train()
    for module in network.modules():
        if isinstance(module, nn.LSTM):
            module.dropout = 0.0
    ids, lengths = pad_fully(LISTS)
    weights = torch.from_numpy(np.random.default_rng(5).normal(size=(len(LISTS), SIZE))).float()
    plain = pool_plainly(network, encode_plainly(network, name, ids, lengths), lengths)
    slopes = []
    for vectors in (network(LISTS), plain):
        network.zero_grad()
        (vectors * weights).sum().backward()  # type: ignore[no-untyped-call]
        slopes.append({key: p.grad for key, p in network.named_parameters() if p.requires_grad})
    for key, expected in slopes[1].items():
        assert expected is not None
        torch.testing.assert_close(slopes[0][key], expected, atol=2e-4, rtol=1e-3, msg=key)


def test_gru_cells_are_an_option_dev_145() -> None:
    network = make_network("rnn", cell="gru")
    assert {type(stack) for stack in network.directions} == {nn.GRU}  # type: ignore[union-attr]
    ids, lengths = pad_fully(LISTS)
    with torch.no_grad():
        expected = pool_plainly(network, encode_plainly(network, "rnn", ids, lengths), lengths)
        torch.testing.assert_close(network(LISTS), expected, atol=2e-6, rtol=1e-5)


def test_directions_do_not_meet_before_the_end() -> None:
    """The second layer of one direction knows nothing of what comes behind a token."""
    network = make_network("rnn")
    vectors = torch.randn(1, 6, SIZE)
    other = vectors.clone()
    other[0, 3:] = 1
    lengths = torch.tensor([6])
    with torch.no_grad():
        first, second = network.encode(vectors, lengths), network.encode(other, lengths)
    ahead = slice(0, SIZE // 2)
    assert torch.equal(first[0, :3, ahead], second[0, :3, ahead])
    assert not torch.isclose(first[0, :3, SIZE // 2 :], second[0, :3, SIZE // 2 :]).all()


def test_only_one_bias_of_an_lstm_is_trained_dev_145() -> None:
    network = make_network("rnn")
    fixed = {name for name, own in network.named_parameters() if not own.requires_grad}
    assert fixed == {
        f"directions.{side}.bias_hh_l{layer}" for side in range(2) for layer in range(2)
    }


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_dropout_is_of_the_matrix_and_only_in_training_dev_144(name: str) -> None:
    network = make_network(name)
    with torch.no_grad():
        assert torch.equal(network(LISTS), network(LISTS))
        network.train()
        assert not torch.equal(network(LISTS), network(LISTS))
    if name == "nbow":
        torch.manual_seed(1)
        rows, numbers = network._drop_out_rows(np.array([7, 9, 7]))
        assert numbers.tolist() == [0, 1, 0]  # the same elements wherever a token stands
        kept = rows.detach() / network.table[[7, 9]].detach()
        assert set(np.round(kept.numpy() * 0.9, 4).ravel().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_no_lists_and_lists_without_ids(name: str) -> None:
    network = make_network(name)
    with torch.no_grad():
        assert network(IdLists.gather([])).shape == (0, SIZE)
        assert not network(IdLists.gather([[], []])).any()
        assert torch.isfinite(network(IdLists.gather([[], [1] * LENGTH]))).all()


@pytest.mark.parametrize("positions", [16, 17, 40, 71, 72, 73, 200, 215])
def test_convolutions_by_their_spectra_are_convolutions(positions: int) -> None:
    torch.manual_seed(1)
    values = torch.randn(positions, 3, 5, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(7, 5, 16, dtype=torch.float64, requires_grad=True)
    plain = functional.conv1d(values.permute(1, 2, 0), weight).permute(2, 0, 1)
    found = convolve(values, weight)
    torch.testing.assert_close(found, plain)
    slopes = torch.randn_like(plain)
    expected = torch.autograd.grad(plain, (values, weight), slopes)
    for own, right in zip(
        torch.autograd.grad(found, (values, weight), slopes), expected, strict=True
    ):
        torch.testing.assert_close(own, right)


def test_dropout_keeps_the_mean_and_follows_the_seed() -> None:
    values = torch.ones(300, 333)
    torch.manual_seed(4)
    first = drop_out(values, 0.1, True)
    torch.manual_seed(4)
    assert torch.equal(first, drop_out(values, 0.1, True))
    assert not torch.equal(first, drop_out(values, 0.1, True))
    assert sorted(set(first.unique().tolist())) == pytest.approx([0, 1 / 0.9], rel=1e-4)
    assert float((first == 0).float().mean()) == pytest.approx(0.1, abs=0.004)
    # Neighbours, which share a draw, have nothing to do with each other.
    gone = (first.ravel()[: 4 * 24_900].view(-1, 4) == 0).double()
    assert float(torch.corrcoef(gone.T).fill_diagonal_(0).abs().max()) < 0.03
    assert drop_out(values, 0.1, False) is values
    assert drop_out(values, 0.0, True) is values
