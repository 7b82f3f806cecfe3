"""The pair of sentence encoders: methods to vectors, beside plain transformers.

The encoder is that of the folder which NCSBENCH_MINILM names, such as all-MiniLM-L6-v2; without it,
or without envs/requirements-encoder.txt, the row is left out with a line that says so.
"""

import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tests.bench.paired import Pair
from tests.sample_corpus import build_sample_corpus

from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.rankers.vectors.encoder import iterate_texts
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder
from ncsbench.rankers.vectors.encoder_options import EncoderOptions

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "NCSBENCH_MINILM"
STEP, LONGEST, BATCH = 3, 256, 32  # Every third method of the sample.


def compare_encoder() -> Iterator[Pair]:
    """Texts of methods to vectors on one thread, beside batches of texts sorted by length."""
    folder = os.environ.get(FOLDER)
    if folder is None or importlib.util.find_spec("transformers") is None:
        lacking = f"{FOLDER}, the folder of an encoder" if folder is None else "transformers"
        sys.stdout.write(f"encoder: left out; needs {lacking}\n")
        return
    with tempfile.TemporaryDirectory() as temporary:
        corpus = CorpusFolder(build_sample_corpus(ROOT, Path(temporary)))
        texts = list(iterate_texts(corpus, comment=True))[::STEP]
    options = EncoderOptions(model=folder, maximum_length=LONGEST)
    ours, peer = SentenceEncoder(Path(folder), options), make_plain(Path(folder))
    np.testing.assert_allclose(ours.encode(texts[:40]), peer(texts[:40]), atol=1e-5)
    yield Pair(
        "sentence encoder, a method", len(texts), lambda: ours.encode(texts), lambda: peer(texts),
        "plain transformers, sorted by length", "1", len(texts),
    )  # fmt: skip


def make_plain(folder: Path) -> Callable[[Sequence[str]], np.ndarray]:
    """Return a function of texts to mean vectors, in the way of a tutorial, texts sorted first."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
    torch.set_num_threads(1)

    def encode(texts: Sequence[str]) -> np.ndarray:
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        found: dict[int, np.ndarray] = {}
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            given = tokenizer(
                [texts[row] for row in rows],
                padding=True, truncation=True, max_length=LONGEST, return_tensors="pt",
            )  # fmt: skip
            with torch.inference_mode():
                hidden = model(**given).last_hidden_state
            weights = given["attention_mask"].unsqueeze(-1)
            means = (hidden * weights).sum(dim=1) / weights.sum(dim=1)
            found |= dict(zip(rows, means.numpy(), strict=True))
        return np.stack([found[row] for row in range(len(texts))])

    return encode


STAGES = {"encoder": compare_encoder}
