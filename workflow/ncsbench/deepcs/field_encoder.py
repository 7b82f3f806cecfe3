"""A trained DeepCS or CARLCS: vectors, scores, and the folder it lies in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ncsbench.artifacts.training_checkpoints import Tensors
from ncsbench.deepcs.field_lists import CodeLists, FieldVocabulary, encode_fields
from ncsbench.deepcs.field_networks import NETWORKS, CarlcsNetwork, DeepcsNetwork
from ncsbench.deepcs.field_options import FieldEncoderOptions
from ncsbench.deepcs.field_pairs import DESCRIPTION, drop_padding, unknown_id
from ncsbench.deepcs.method_fields import MethodFields
from ncsbench.networks.id_lists import IdLists
from ncsbench.networks.network_files import Vocabularies, load_network, save_network
from ncsbench.networks.parameters import restore_parameters, save_parameters
from ncsbench.networks.reproducible import reproducible

_CHUNK = 512  # Methods that are in memory as vectors of their words, at most.
_CPU = torch.device("cpu")


class FieldEncoder:
    """Turns fields of methods and words of queries into vectors, on one thread.

    Args:
        tensors: the parameters of the network by name.
        vocabularies: of each field and of ``description``.
        about: what it was trained on and how; ``options`` are those of ``FieldEncoderOptions``.

    Attributes:
        network: the network.
        dimension: length of a vector.
        about: what it was trained on and how.

    Raises:
        ValueError: where the parts do not fit each other.
    """

    network: DeepcsNetwork | CarlcsNetwork

    def __init__(
        self, tensors: Tensors, vocabularies: Vocabularies, about: Mapping[str, Any]
    ) -> None:
        self.about, self.vocabularies = about, vocabularies
        options = FieldEncoderOptions.parse(about["options"], where="about.json", within="options")
        self.options, self.dimension = options, options.output
        with torch.random.fork_rng():  # first values are drawn, and replaced
            sizes = {name: len(vocabularies[name]) for name in options.lengths}
            self.network = NETWORKS[options.network](sizes, options)
        restore_parameters(self.network, tensors)
        self.network.eval()
        unknown = unknown_id(options)
        self._vocabularies = {
            name: FieldVocabulary(vocabularies[name], unknown) for name in options.lengths
        }

    def embed_code(self, fields: Sequence[MethodFields]) -> NDArray[np.float32]:
        """Vectors of methods, shape (n, dimension); zero for one without a word."""
        assert isinstance(self.network, DeepcsNetwork)  # noqa: S101 - its ranker checks it
        found = np.empty((len(fields), self.dimension), np.float32)
        for start in range(0, len(fields), _CHUNK):
            some = fields[start : start + _CHUNK]
            lists = self.encode_code(some)
            with reproducible(1, _CPU), torch.inference_mode():
                found[start : start + len(some)] = self.network.embed_code(lists).numpy()
            found[start : start + len(some)][lists.lengths == 0] = 0
        return found

    def embed_queries(self, queries: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """Vectors of queries in words, shape (n, dimension); zero for one without a known word."""
        assert isinstance(self.network, DeepcsNetwork)  # noqa: S101 - its ranker checks it
        lists = self.encode_queries(queries)
        with reproducible(1, _CPU), torch.inference_mode():
            found: NDArray[np.float32] = self.network.embed_descriptions(lists).numpy()
        found[lists.lengths == 0] = 0
        return found

    def encode_code(self, fields: Sequence[MethodFields]) -> CodeLists:
        """Fields of methods as ids."""
        return encode_fields(fields, self._vocabularies, self.options.lengths)

    def encode_queries(self, queries: Sequence[Sequence[str]]) -> IdLists:
        """Words of queries as ids; empty where no word is known and unknown ones are padding."""
        length = self.options.lengths[DESCRIPTION]
        return drop_padding(self._vocabularies[DESCRIPTION].encode(queries, length))

    def save(self, folder: Path) -> None:
        """Write it: ``weights.safetensors``, ``vocabularies.json``, ``about.json``."""
        save_network(folder, save_parameters(self.network), self.vocabularies, self.about)


def load_field_encoder(folder: Path) -> FieldEncoder:
    """Read what ``FieldEncoder.save`` wrote; ``DataError`` where its files do not fit."""
    return load_network(folder, FieldEncoder)
