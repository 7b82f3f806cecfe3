"""Settings of PyTorch under which networks run (``ncsbench.base.networks.reproducible``)."""

import numpy as np
import pytest
import torch
from torch.utils import deterministic

from ncsbench.base.networks.id_lists import IdLists
from ncsbench.base.networks.reproducible import reproducible
from ncsbench.learning.encoders.encoder_options import EncoderOptions
from ncsbench.learning.encoders.networks import NETWORKS

_CPU = torch.device("cpu")


def _settings() -> tuple[int, bool, bool]:
    return (
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
        deterministic.fill_uninitialized_memory,  # type: ignore[attr-defined]
    )


def test_settings_outside_are_as_before() -> None:
    """Also where what runs inside raises."""
    before = _settings()
    with pytest.raises(KeyError), reproducible(1, _CPU):
        assert _settings() == (1, True, False)
        raise KeyError
    assert _settings() == before


@pytest.mark.parametrize("network", sorted(NETWORKS))
def test_memory_need_not_be_filled(network: str) -> None:
    """Nothing reads new memory before it is written: values and slopes are the same when it is."""
    rng = np.random.default_rng(7)
    lists = IdLists.gather([rng.integers(2, 50, size).tolist() for size in (1, 9, 0, 30, 4)])
    options = EncoderOptions.parse({"network": network, "code_length": 30}, where="test")
    found = []
    for filled in (False, True):
        with reproducible(1, _CPU):
            deterministic.fill_uninitialized_memory = filled  # type: ignore[attr-defined]
            torch.manual_seed(3)
            encoder = NETWORKS[network](50, 30, options)
            vectors = encoder(lists)
            vectors.square().sum().backward()
            slopes = [own.grad for own in encoder.parameters() if own.grad is not None]
            found.append([vectors.detach(), *slopes])
    assert len(found[0]) > 1
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=0)
