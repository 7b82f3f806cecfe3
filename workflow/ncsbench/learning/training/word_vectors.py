"""Word vectors: fastText skip-gram on the words of the search corpus (NCS paper).

The paper names the method, the window (5) and the dimension (500); everything else is an option
(DEV-10). Three problems of fastText are handled here:

- With fewer than ten threads fastText draws starting values only for the first tenths of its input
  matrix, one for each thread, and leaves the rest uninitialised. Memory that was used before gives
  other vectors at every call and "Encountered NaN". The matrix is therefore kept so large
  that the operating system hands it over zeroed, or that its first tenth holds all words (DEV-11).
- Training can still diverge: it is repeated at half the learning rate, with a warning (DEV-12).
- Copies of one library in file order can make training diverge: documents are de-duplicated and
  shuffled (DEV-13).

fastText numbers the character n-grams of a word by a hash, with ``bucket`` numbers in all. The
vector of a word is the average of the vectors of its n-grams and of the word itself; the vector of
a word that was not trained is the average of its n-grams alone.
"""

from __future__ import annotations

import hashlib
import logging
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.base.files.storage import (
    atomic_folder,
    atomic_path,
    map_array,
    read_array,
    read_json,
    write_array,
    write_json,
)
from ncsbench.corpus.layout.documents import Documents, load_documents
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.learning.training.embedding_options import EmbeddingOptions, EmbeddingSettings

_FIRST, _FACTOR, _MASK = 2166136261, 16777619, 0xFFFFFFFF  # FNV-1a


@dataclass(frozen=True)
class WordGrams:
    """Trained vectors of the n-grams of the words of a vocabulary.

    Attributes:
        numbers: numbers of the n-grams, ascending, int64, shape (n-grams,).
        vectors: vectors of the n-grams, float32, shape (n-grams, dimension).
    """

    numbers: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def average(self, words: Iterable[str], options: EmbeddingOptions) -> NDArray[np.float32]:
        """Average the n-grams of each word, shape (words, dimension).

        N-grams that no word of the vocabulary has count as zero: fastText leaves their vectors at
        the starting values, a tenth of which are random (DEV-11, DEV-91).
        """
        listed = list(words)
        averages = np.zeros((len(listed), self.vectors.shape[1]), dtype=np.float32)
        for row, word in enumerate(listed):
            asked = number_grams(word, options)
            places = np.searchsorted(self.numbers, asked)
            for place, number in zip(places.tolist(), asked, strict=True):
                if place < len(self.numbers) and self.numbers[place] == number:
                    averages[row] += self.vectors[place]
            averages[row] *= np.float32(1 / max(len(asked), 1))
        return averages


def number_grams(word: str, options: EmbeddingOptions) -> list[int]:
    """Return the numbers of the n-grams of ``<word>``, in fastText's order.

    A lone ``<`` or ``>`` does not count as an n-gram.
    """
    if not options.max_n:
        return []
    marked = f"<{word}>"
    return [
        _hash(marked[start : start + length]) % options.bucket
        for start in range(len(marked))
        for length in range(options.min_n, min(options.max_n, len(marked) - start) + 1)
        if length > 1 or 0 < start < len(marked) - 1
    ]


def _hash(gram: str) -> int:
    value = _FIRST
    for byte in gram.encode():
        # fastText extends the sign of a byte above 127.
        value = (value ^ (byte | (0xFFFFFF00 if byte > 127 else 0))) * _FACTOR & _MASK
    return value


def load_grams(folder: Path) -> WordGrams:
    """Open n-grams of an embedding, by memory map; ``DataError`` where they do not fit."""
    numbers, vectors = (map_array(folder / f"gram_{name}.npy") for name in ("numbers", "vectors"))
    if vectors.ndim != 2 or vectors.shape[:1] != numbers.shape or vectors.dtype != np.float32:
        raise DataError(f"{folder}: gram_vectors.npy does not fit gram_numbers.npy; train again")
    return WordGrams(numbers, vectors)


_RETRIES = 6
_MAXIMUM_EPOCHS = 100  # The most that a minimum of words can ask for.
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Embedding:
    """Vectors of the words of a corpus, as fastText gives them (not normalised).

    Attributes:
        vocabulary: words, sorted ascending.
        vectors: float32, shape (words, dimension); row i belongs to ``vocabulary[i]``.
        options: options of the training.
        learning_rate: the learning rate at which training succeeded.
        corpus_hash: hash of the corpus that the vectors were trained on.
    """

    vocabulary: list[str]
    vectors: NDArray[np.float32]
    options: EmbeddingOptions
    learning_rate: float
    corpus_hash: str


def make_embedding(settings: EmbeddingSettings, words: Path, output: Path) -> None:
    """Train word vectors on the words of the corpus.

    Args:
        settings: options of the training, and the seed.
        words: folder of the corpus as words.
        output: folder to write (``save_embedding``).
    """
    made, grams = train_embedding(
        load_documents(words), options=settings.options, seed=settings.seed
    )
    save_embedding(made, output, grams)


def train_embedding(
    corpus: Documents, *, options: EmbeddingOptions, seed: int
) -> tuple[Embedding, WordGrams]:
    """Train vectors of the words of ``corpus`` and of their n-grams; each method is a line.

    Args:
        corpus: the search corpus.
        options: options of the training.
        seed: seed of the order of the documents; fastText's own draws have a fixed seed.

    Raises:
        ConfigurationError: where no word is frequent enough, and where training diverges at every
            learning rate tried.
    """
    order = _order_documents(corpus, options, seed)
    read = np.zeros(len(corpus), dtype=np.bool_)
    read[order] = True
    tokens = corpus.words.tokens[np.repeat(read, np.diff(corpus.words.offsets))]
    kept = np.flatnonzero(np.bincount(tokens) >= options.min_count)
    if not len(kept):
        raise ConfigurationError(
            f"embedding: no word of the corpus occurs {options.min_count} times; lower "
            "'embedding.min_count' in the model file that has it (config/models/ncs.yaml), or run "
            "models without word vectors: --config models=[bm25,elasticsearch_like]"
        )
    words = [corpus.words.vocabulary[word] for word in kept.tolist()]
    wanted = min(-(-options.minimum_words // len(tokens)), _MAXIMUM_EPOCHS)
    changes = {"epochs": max(options.epochs, wanted)}
    known = np.ones(len(corpus.words.vocabulary), dtype=np.bool_)
    if 0 < options.maximum_words < len(tokens):
        # All words of the vocabulary are learnt, however rare in the sample, and no other words.
        known[:], known[kept], changes["min_count"] = False, True, 1
        order = _take_sample(corpus, order, known, options.maximum_words)
    with tempfile.TemporaryDirectory(prefix="ncsbench-") as folder:
        text = Path(folder) / "words.txt"
        with atomic_path(text) as temporary:
            _write_text(temporary, corpus, order, known)
        vectors, grams, rate = _train_until_finite(text, words, options.changed(**changes))
    return Embedding(words, vectors, options, rate, corpus.corpus_hash), grams


def find_new_words(words: Iterable[str], embedding: Embedding, grams: WordGrams) -> Embedding:
    """Make vectors of words that an embedding lacks (DEV-91).

    The vector of a word is the average of the vectors of its character n-grams. It is zero where
    the corpus has none of these n-grams, and for all words where the options have no n-grams.

    Args:
        words: any words; words with a vector in ``embedding`` are left out.
        embedding: vectors of words of the corpus.
        grams: vectors of n-grams, of the same training.
    """
    new = sorted(set(words).difference(embedding.vocabulary))
    return replace(embedding, vocabulary=new, vectors=grams.average(new, embedding.options))


def save_embedding(embedding: Embedding, folder: Path, grams: WordGrams | None = None) -> None:
    """Write vectors, vocabulary and a record of options, atomically; n-grams if given."""
    with atomic_folder(folder) as temporary:
        if grams is not None:
            write_array(temporary / "gram_numbers.npy", grams.numbers)
            write_array(temporary / "gram_vectors.npy", grams.vectors)
        write_array(temporary / "vectors.npy", embedding.vectors)
        write_json(temporary / "vocabulary.json", embedding.vocabulary)
        about = {
            "options": embedding.options.model_dump(),
            "learning_rate": embedding.learning_rate,
            "corpus_hash": embedding.corpus_hash,
        }
        write_json(temporary / "embedding.json", about)


def load_embedding(folder: Path) -> Embedding:
    """Read an embedding that ``save_embedding`` wrote; ``DataError`` where its files do not fit."""
    about = read_json(folder / "embedding.json")
    vocabulary = read_json(folder / "vocabulary.json")
    vectors = read_array(folder / "vectors.npy")
    try:
        options = EmbeddingOptions.parse(about["options"], where=str(folder))
        embedding = Embedding(
            vocabulary, vectors, options, about["learning_rate"], about["corpus_hash"]
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(f"{folder}: embedding.json is incomplete; train again") from error
    if vectors.shape != (len(vocabulary), options.dimension) or vectors.dtype != np.float32:
        raise DataError(f"{folder}: vectors.npy does not fit vocabulary.json; train again")
    if not np.isfinite(vectors).all():
        raise DataError(f"{folder}: vectors.npy holds what is no finite number; train again")
    return embedding


def _order_documents(corpus: Documents, options: EmbeddingOptions, seed: int) -> NDArray[np.int64]:
    """Return the methods with words in the order of reading; of equal ones the first stays."""
    methods = np.flatnonzero(np.diff(corpus.words.offsets) > 0)
    if options.deduplicate:
        first: dict[bytes, int] = {}
        for method in methods.tolist():
            key = hashlib.blake2b(corpus.words[method].tobytes(), digest_size=16).digest()
            first.setdefault(key, method)
        methods = np.fromiter(first.values(), dtype=np.int64, count=len(first))
    if options.shuffle:
        methods = np.random.default_rng(seed).permutation(methods)
    return methods.astype(np.int64, copy=False)


def _take_sample(
    corpus: Documents, order: NDArray[np.int64], known: NDArray[np.bool_], words: int
) -> NDArray[np.int64]:
    """Return the first methods of ``order`` that together have at least ``words`` known words."""
    ends = np.concatenate([[0], np.cumsum(known[corpus.words.tokens])])[corpus.words.offsets]
    read = np.cumsum(np.diff(ends)[order])
    return order[: np.searchsorted(read, words) + 1]


def _write_text(
    path: Path, corpus: Documents, order: NDArray[np.int64], known: NDArray[np.bool_]
) -> None:
    """Write methods as lines, with the words that are ``known``, bool, shape (vocabulary,)."""
    vocabulary = corpus.words.vocabulary
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for method in order.tolist():
            words = corpus.words[method]
            file.write(" ".join(vocabulary[word] for word in words[known[words]].tolist()) + "\n")


def _train_until_finite(
    text: Path, words: list[str], options: EmbeddingOptions
) -> tuple[NDArray[np.float32], WordGrams, float]:
    """Train vectors of words and n-grams, halving the rate after divergence; return it, too."""
    rate = options.learning_rate
    for _ in range(_RETRIES + 1):
        trained = _train(text, words, options, rate)
        if trained is not None and np.isfinite(trained[0]).all():
            return *trained, rate
        _LOG.warning("fastText diverged at learning rate %g; next try at %g", rate, rate / 2)
        rate /= 2
    raise ConfigurationError(
        f"embedding: fastText diverged at every learning rate from {options.learning_rate:g} down "
        f"to {rate * 2:g}; lower 'learning_rate' or change 'min_count'"
    )


def _train(
    text: Path, words: list[str], options: EmbeddingOptions, rate: float
) -> tuple[NDArray[np.float32], WordGrams] | None:
    """Train once; return None where fastText reports "Encountered NaN"."""
    import fasttext

    # For words only, the range of lengths is empty (max_n 0 would set the bucket to 0), and there
    # are nine further rows for each word (and the end of line), which are never read.
    lengths = {"minn": options.min_n, "maxn": options.max_n, "bucket": options.bucket}
    if not options.max_n:
        lengths = {"minn": 2, "maxn": 1, "bucket": 9 * (len(words) + 1)}
    try:
        model = fasttext.train_unsupervised(
            str(text),
            model="skipgram",
            dim=options.dimension,
            ws=options.window,
            minCount=options.min_count,
            epoch=options.epochs,
            neg=options.negatives,
            lr=rate,
            thread=options.threads,
            verbose=0,
            **lengths,
        )
    except RuntimeError as error:
        if "NaN" not in str(error):
            raise
        return None
    # Filled row by row: a large matrix leaves no room for further copies beside the model.
    vectors = np.empty((len(words), options.dimension), dtype=np.float32)
    for row, word in enumerate(words):
        vectors[row] = model.get_word_vector(word)
    numbers = np.array(sorted({n for word in words for n in number_grams(word, options)}), np.int64)
    grams = np.empty((len(numbers), options.dimension), dtype=np.float32)
    first = len(model.words)  # Rows of n-grams follow those of words and of the end of line.
    for row, number in enumerate(numbers.tolist()):
        grams[row] = model.get_input_vector(first + number)
    return vectors, WordGrams(numbers, grams)
