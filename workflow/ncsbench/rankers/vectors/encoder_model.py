"""A sentence encoder: texts to vectors, by ``transformers`` and ``tokenizers`` on the CPU.

Nothing is downloaded, and no code of the folder is run (``encoder_options``). Texts are encoded in
batches of similar length, each on one thread. The padding of a batch has no weight, so that the
other texts of the batch change a vector only in its last digits, by the order in which the
libraries add numbers; the number of threads changes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.text.progress_line import advance
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.rankers.vectors.encoder_options import (
    TOKENIZER,
    SentenceEncoderOptions,
    explain_missing,
    find_folder,
    find_model_files,
)

if TYPE_CHECKING:
    import torch

# Prefixes of weights that are not needed: the pooler of BERT and its kin, and decoders of others.
_UNUSED, _DECODER = "pooler.", "decoder."


class SentenceEncoder:
    """An encoder that was read from a folder.

    Attributes:
        dimension: length of a vector.

    Args:
        options: options that name the folder, and say how texts become vectors.

    Raises:
        ConfigurationError: where packages are missing, the folder is refused, or the options do
            not fit the encoder.
        DataError: where files of the folder are damaged.
    """

    def __init__(self, options: SentenceEncoderOptions) -> None:
        folder = find_folder(str(options.model))
        find_model_files(folder)
        self._folder, self._options, self._said = folder, options, options.read_folder()
        self._tokenizer = _load_tokenizer(folder / TOKENIZER, self._said.maximum_length)
        self._model = _load_model(folder, self._said.dtype)
        padding = getattr(self._model.config, "pad_token_id", None)
        self._padding = padding if isinstance(padding, int) else 0
        # The longest possible text: options that do not fit fail here, not after hours.
        token = int(self._padding == 0)
        with _one_thread():
            self.dimension = self._embed([[token] * self._said.maximum_length]).shape[1]

    def encode_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, float32, shape (dimension,)."""
        vector: NDArray[np.float32] = self.encode([self._said.query_prefix + text])[0]
        return vector

    def encode_methods(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of the texts of methods, as ``encode`` does."""
        return self.encode([self._said.document_prefix + text for text in texts])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of texts, float32, shape (texts, dimension); zeros without tokens.

        Raises:
            DataError: where the encoder cannot encode a text.
        """
        tokens = [one.ids for one in self._tokenizer.encode_batch(list(texts))]
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        batches = list(batch_by_length([len(ids) for ids in tokens], self._options.batch_tokens))
        # A batch has the same bytes beside others; one that two threads share has not.
        with _one_thread(), ThreadPoolExecutor(self._options.threads) as pool:
            found = pool.map(self._embed, ([tokens[row] for row in rows] for rows in batches))
            for rows, own in zip(batches, found, strict=True):
                vectors[rows] = own
                advance(len(rows))
        return vectors

    def _embed(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        import torch

        longest = max(len(ids) for ids in tokens)
        inputs = torch.full((len(tokens), longest), self._padding)
        mask = torch.zeros((len(tokens), longest), dtype=torch.long)
        for row, ids in enumerate(tokens):
            inputs[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        try:
            with torch.inference_mode():
                hidden = self._model(input_ids=inputs, attention_mask=mask).last_hidden_state
                vectors: NDArray[np.float32] = self._pool(hidden.float(), mask).numpy()
        except (AttributeError, IndexError, RuntimeError, TypeError, ValueError) as error:
            raise DataError(
                f"{self._folder}: cannot encode {len(tokens)} x {longest} tokens "
                f"({_one_line(error)}); lower 'maximum_length' to what the encoder has, or take "
                "another encoder"
            ) from error
        return vectors

    def _pool(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Pool the vectors of the tokens of each text; return shape (texts, dimension)."""
        if self._said.pooling == "cls":
            return hidden[:, 0]
        weights = mask.unsqueeze(-1)
        if self._said.pooling == "max":
            return hidden.masked_fill(weights == 0, float("-inf")).amax(dim=1)
        return (hidden * weights).sum(dim=1) / weights.sum(dim=1)


def batch_by_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Yield batches of texts of similar length, as their rows; ties in the order of the texts.

    Args:
        lengths: number of tokens of each text; a text without tokens is in no batch.
        tokens: largest number of tokens of a batch, with its padding; a batch of a single text may
            have more.
    """
    batch: list[int] = []
    for row in sorted(range(len(lengths)), key=lengths.__getitem__):
        # The last text of a batch is its longest.
        if batch and (len(batch) + 1) * lengths[row] > tokens:
            yield batch
            batch = []
        if lengths[row]:
            batch.append(row)
    if batch:
        yield batch


def _load_tokenizer(path: Path, maximum_length: int) -> Any:
    # Jobs are forked processes, in which the threads of a tokenizer may wait for ever.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with _explained(path):
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(path))
    special = tokenizer.num_special_tokens_to_add(False)
    if maximum_length <= special:
        raise ConfigurationError(
            f"maximum_length: {maximum_length} leaves no room for a text beside the {special} "
            f"special tokens of {path}"
        )
    tokenizer.no_padding()
    tokenizer.enable_truncation(maximum_length)
    return tokenizer


def _load_model(folder: Path, dtype: str) -> Any:
    # The variable is read when the package is imported; every call below forbids downloads, too.
    os.environ["HF_HUB_OFFLINE"] = "1"
    with _explained(folder):
        import torch
        from transformers import AutoModel
        from transformers.utils import logging

        logging.set_verbosity_error()
        logging.disable_progress_bar()
        model, loaded = AutoModel.from_pretrained(
            str(folder.absolute()),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            attn_implementation="eager",
            dtype=getattr(torch, dtype),
            output_loading_info=True,
        )
        with suppress(ValueError):  # an architecture without the fused kernel of PyTorch
            model.set_attn_implementation("sdpa")
    whole = getattr(model.config, "is_encoder_decoder", False)
    unused = (_UNUSED, _DECODER) if whole else (_UNUSED,)
    missing = sorted(name for name in loaded["missing_keys"] if not name.startswith(unused))
    if missing:  # which transformers fills with random numbers
        raise DataError(
            f"{folder}: the weights lack {len(missing)} of those that config.json asks for, such "
            f"as {missing[0]}; get the encoder again"
        )
    return (model.get_encoder() if whole else model).eval()


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn any exception of a package that reads a file into an error of one line."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ConfigurationError(explain_missing(str(error.name))) from error
    except Exception as error:
        raise DataError(f"{path}: cannot be read ({_one_line(error)}); get it again") from error


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let every thread that is started within calculate alone."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _one_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
