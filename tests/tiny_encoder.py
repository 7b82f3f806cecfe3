"""A sentence encoder of one layer with random weights, in the Hugging Face layout, without any
package of it; and what it should make of a text, in NumPy."""

import json
import re
from collections.abc import Sequence
from math import erf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

WORDS = "[PAD] [UNK] [CLS] [SEP] open close file stream view void read text get set list".split()
WIDTH, HEADS, INNER, POSITIONS = 8, 2, 16, 40
CLS, SEP = 2, 3
Weights = dict[str, NDArray[np.float32]]


def write_encoder(folder: Path, *, seed: int = 1) -> Weights:
    """Write ``config.json``, ``tokenizer.json`` and ``model.safetensors``; return the weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        **{"vocab_size": len(WORDS), "hidden_size": WIDTH, "num_hidden_layers": 1},
        **{"num_attention_heads": HEADS, "intermediate_size": INNER, "hidden_act": "gelu"},
        **{"max_position_embeddings": POSITIONS, "type_vocab_size": 2, "pad_token_id": 0},
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer()))
    weights = _weights(np.random.default_rng(seed))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return weights


def token_ids(text: str, maximum_length: int = 1000) -> list[int]:
    """Ids of the tokens of a text, with the special ones."""
    words = re.findall(r"\w+|[^\w\s]+", text.lower())[: maximum_length - 2]
    return [CLS, *(WORDS.index(word) if word in WORDS else 1 for word in words), SEP]


def embed_tokens(weights: Weights, ids: Sequence[int]) -> NDArray[np.float64]:
    """Vectors of the tokens by the last layer, float64, shape (tokens, ``WIDTH``)."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}

    def norm(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        centred = x - x.mean(axis=1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    def dense(x: NDArray[np.float64], name: str) -> NDArray[np.float64]:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][list(ids)]
    x = x + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    layer = "encoder.layer.0"
    query, key, value = (dense(x, f"{layer}.attention.self.{n}") for n in ("query", "key", "value"))
    mixed = np.empty_like(x)
    for head in range(HEADS):
        own = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
        scores = query[:, own] @ key[:, own].T / np.sqrt(WIDTH // HEADS)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        mixed[:, own] = shares / shares.sum(axis=1, keepdims=True) @ value[:, own]
    x = norm(
        x + dense(mixed, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm"
    )
    inner = dense(x, f"{layer}.intermediate.dense")
    inner = inner * (1 + np.vectorize(erf)(inner / np.sqrt(2))) / 2
    return norm(x + dense(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")


def _weights(random: np.random.Generator) -> Weights:
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (POSITIONS, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    layer = "encoder.layer.0"
    for name, out, into in (
        *((f"{layer}.attention.self.{one}", WIDTH, WIDTH) for one in ("query", "key", "value")),
        (f"{layer}.attention.output.dense", WIDTH, WIDTH),
        (f"{layer}.intermediate.dense", INNER, WIDTH),
        (f"{layer}.output.dense", WIDTH, INNER),
    ):
        shapes |= {f"{name}.weight": (out, into), f"{name}.bias": (out,)}
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        shapes |= {f"{name}.LayerNorm.weight": (WIDTH,), f"{name}.LayerNorm.bias": (WIDTH,)}
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


def _tokenizer() -> dict[str, object]:
    special = [
        {"id": id_, "content": word, "special": True}
        | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        for id_, word in enumerate(WORDS[:4])
    ]
    ends = {
        word: {"id": word, "ids": [id_], "tokens": [word]}
        for word, id_ in (("[CLS]", CLS), ("[SEP]", SEP))
    }
    first, last = ({"SpecialToken": {"id": word, "type_id": 0}} for word in ends)
    text = [{"Sequence": {"id": name, "type_id": 0}} for name in "AB"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [first, text[0], last],
            "pair": [first, text[0], last, text[1], last],
            "special_tokens": ends,
        },
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {word: id_ for id_, word in enumerate(WORDS)},
            "unk_token": "[UNK]",
        },
    }
