"""Speed of the training of the four encoders beside a plain form of each, in one run.

The plain form is the network as PyTorch has it: every batch padded to the greatest length, tokens
encoded each time, dropout of whole tables, a dense Adam. Pairs are made up, in one language, with
the quantiles of lengths that CodeSearchNet's have. Seconds are those of one core.

Exits with 1 where ours has less than 3 (nbow) or 1.5 times the pairs per second.
Usage: python tests/bench/encoders.py [NETWORK ...]
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch
from torch import Tensor, nn
from torch.nn import functional

from ncsbench.base.files.storage import write_table
from ncsbench.base.networks.reproducible import reproducible
from ncsbench.base.text.bpe_vocabulary import BpeVocabulary
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA
from ncsbench.learning.encoders.encoder import JointNetwork
from ncsbench.learning.encoders.encoder_options import EncoderOptions, EncoderSettings
from ncsbench.learning.encoders.networks import NETWORKS
from ncsbench.learning.encoders.training import Trainer, measure_loss, measure_similarity
from ncsbench.learning.encoders.training_pairs import PairFiles

SHARES = [0, 0.5, 0.8, 0.9, 0.95, 1]
CODE, QUERY = [4, 66, 142, 224, 331, 600], [3, 10, 20, 32, 50, 90]
WORDS = [f"word{number:04d}" for number in range(5_000)]
BATCHES = {"nbow": 20}  # of an epoch; 1 of the others
REQUIRED = {"nbow": 3.0}  # times the plain form; 1.5 of the others
Lists = list[list[str]]


def draw_lists(generator: np.random.Generator, lengths: list[int], count: int) -> Lists:
    """Lists with these quantiles of lengths, of words whose frequencies fall like 1/rank."""
    drawn = np.interp(generator.random(count), SHARES, lengths).astype(int)
    weights = 1 / np.arange(1, len(WORDS) + 1)
    words = generator.choice(len(WORDS), size=drawn.sum(), p=weights / weights.sum())
    ends = np.cumsum(drawn)[:-1]
    return [[WORDS[word] for word in part.tolist()] for part in np.split(words, ends)]


def write_corpus(folder: Path, queries: Lists, codes: Lists) -> None:
    text = pa.array([""] * len(queries))
    number = pa.array([0] * len(queries))
    columns = {
        field.name: text if field.type == pa.string() else number for field in FUNCTION_SCHEMA
    }
    columns |= {"docstring_tokens": pa.array(queries), "code_tokens": pa.array(codes)}
    columns |= {
        "part": pa.array(["train"] * len(queries)),
        "is_pair": pa.array([True] * len(queries)),
    }
    table = pa.table(columns).cast(FUNCTION_SCHEMA)
    write_table(folder / "functions.parquet", table, FUNCTION_SCHEMA)


class PlainSide(nn.Module):
    """One side, in the way of a tutorial."""

    def __init__(self, network: str, vocabulary: BpeVocabulary, length: int) -> None:
        super().__init__()
        self.network, self.vocabulary, self.length = network, vocabulary, length
        self.table = nn.Parameter(torch.empty(len(vocabulary), 128))
        nn.init.xavier_uniform_(self.table)
        self.attention = nn.Linear(128, 1, bias=False)
        self.positions = nn.Parameter(0.02 * torch.randn(length, 128))
        if network == "cnn":
            self.layers = nn.ModuleList(nn.Conv1d(128, 128, 16, padding="same") for _ in range(3))
        if network == "rnn":
            self.layers = nn.ModuleList(
                nn.LSTM(128, 64, 2, batch_first=True, dropout=0.2) for _ in range(2)
            )
        if network == "self_attention":
            layer = nn.TransformerEncoderLayer(128, 8, 512, 0.1, "gelu", batch_first=True)
            self.layers = nn.ModuleList(
                [nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)]
            )
            self.norm = nn.LayerNorm(128)

    def forward(self, lists: Lists) -> Tensor:
        ids = torch.zeros(len(lists), self.length, dtype=torch.int64)
        for row, tokens in enumerate(lists):
            spelt = [one for token in tokens for one in self.vocabulary.spell(token, self.length)]
            spelt = spelt[: self.length]
            ids[row, : len(spelt)] = torch.tensor(spelt)
        inside = ids > 0
        vectors = functional.embedding(ids, functional.dropout(self.table, 0.1))
        vectors = self.encode(vectors, inside)
        weights = inside[:, :, None] * torch.sigmoid(self.attention(vectors))
        return (weights * vectors).sum(dim=1) / (weights.sum(dim=1) + 1e-8)

    def encode(self, vectors: Tensor, inside: Tensor) -> Tensor:
        if self.network == "cnn":
            current = (vectors + self.positions).transpose(1, 2)
            for number, layer in enumerate(self.layers):
                found = layer(current)
                current = functional.dropout(torch.tanh(found + current if number else found), 0.1)
            return current.transpose(1, 2)
        if self.network == "rnn":
            places = torch.arange(self.length).expand(inside.shape)
            turned = inside.sum(dim=1, keepdim=True) - 1 - places
            order = torch.where(turned < 0, places, turned)[:, :, None].expand_as(vectors)
            ahead, _ = self.layers[0](vectors)
            back, _ = self.layers[1](vectors.gather(1, order))
            found = torch.cat([ahead, back.gather(1, order[:, :, :64])], dim=2)
            return functional.dropout(found, 0.2)
        if self.network == "self_attention":
            start = functional.dropout(self.norm(vectors + self.positions), 0.1)
            encoded: Tensor = self.layers[0](start, src_key_padding_mask=~inside)
            return encoded
        return vectors


def make_plain(
    options: EncoderOptions, asked: BpeVocabulary, code: BpeVocabulary, queries: Lists, codes: Lists
) -> Callable[[], int]:
    """A function that trains on one batch and says how many pairs it has."""
    sides = nn.ModuleList(
        [
            PlainSide(options.network, asked, options.query_length),
            PlainSide(options.network, code, options.code_length),
        ]
    )
    adam = torch.optim.Adam(sides.parameters(), options.learning_rate)
    generator = np.random.default_rng(1)

    def train() -> int:
        rows = generator.choice(len(queries), size=options.batch_size, replace=False)
        adam.zero_grad()
        vectors = sides[0]([queries[i] for i in rows]), sides[1]([codes[i] for i in rows])
        similarities = measure_similarity(*vectors, options.loss)
        measure_loss(similarities, options.loss, margin=options.margin).mean().backward()
        nn.utils.clip_grad_norm_(sides.parameters(), 1.0)
        adam.step()
        return len(rows)

    return train


def measure_rate(work: Callable[[], int], repeats: int) -> float:
    """Pairs per second of the processor."""
    started, pairs = time.process_time(), 0
    for _ in range(repeats):
        pairs += work()
    return pairs / (time.process_time() - started)


def compare(network: str, code_length: int) -> float:
    chosen: dict[str, Any] = {"network": network, "code_length": code_length}
    options = EncoderOptions.parse(chosen, where="bench")
    batches = BATCHES.get(network, 1)
    generator = np.random.default_rng(1)
    count = batches * options.batch_size
    queries, codes = (draw_lists(generator, own, count) for own in (QUERY, CODE))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder, queries, codes)
        settings = EncoderSettings(encoder=options, seed=1)
        files = PairFiles({"java": folder}, settings)
        asked, learnt = files.learn_vocabularies()
        started = time.process_time()
        pairs = files.read("train", asked, learnt)
        encoded = count / (time.process_time() - started)
    trainer = Trainer(JointNetwork(asked, learnt, options), options, 1)
    epochs = iter(range(1, 100))

    def train() -> int:
        with reproducible(1, torch.device("cpu")):
            return sum(size for _, size in trainer.train_epoch(pairs, next(epochs)))

    plain = make_plain(options, asked, learnt["java"], queries, codes)
    measure_rate(train, 1), measure_rate(plain, 1)  # the first ones allocate memory
    # In turn, and the best of three: other work on the machine slows one or the other.
    rates = [(measure_rate(train, 1), measure_rate(plain, min(batches, 3))) for _ in range(3)]
    ours, theirs = (max(own) for own in zip(*rates, strict=True))
    sys.stdout.write(
        f"{network:15} {code_length:4}/{options.query_length} {ours:10.0f} {theirs:10.0f} "
        f"{ours / theirs:6.2f}   {encoded:.0f}\n"
    )
    sys.stdout.flush()
    return ours / theirs


def main() -> int:
    torch.set_num_threads(1)
    networks = sys.argv[1:] or sorted(NETWORKS)
    sys.stdout.write("pairs per second of one core\n")
    sys.stdout.write("network         lengths       ours      plain  ratio   encoded once\n")
    slow = []
    for network in networks:
        for code_length in (200, 100):
            if compare(network, code_length) < REQUIRED.get(network, 1.5):
                slow.append(f"{network} at {code_length}")
    sys.stdout.write(f"too slow: {', '.join(slow)}\n" if slow else "")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
