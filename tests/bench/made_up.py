"""Made-up words, methods and Java files for benchmarks, of any size and always the same."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.generated_repositories import read_dataset

from ncsbench.base.runs.rankings import Query
from ncsbench.corpus.layout.documents import Documents, TokenLists
from ncsbench.corpus.sources.repositories import Repository

ROOT = Path(__file__).resolve().parents[2]
WORDS = 50_000
NAMES = ["w" + "".join(chr(97 + i // 26**p % 26) for p in range(3, -1, -1)) for i in range(WORDS)]
SEED = 2019


def draw_words(
    generator: np.random.Generator, shortest: int, longest: int, lists: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Offsets and words, whose frequencies fall like 1/rank."""
    lengths = generator.integers(shortest, longest + 1, size=lists)
    weights = np.cumsum(1 / np.arange(1, WORDS + 1))
    words = np.empty(lengths.sum(), dtype=np.int32)
    for start in range(0, len(words), 1 << 22):
        drawn = generator.random(min(1 << 22, len(words) - start)) * weights[-1]
        words[start : start + len(drawn)] = np.searchsorted(weights, drawn)
    return np.concatenate([[0], np.cumsum(lengths)]), words


def make_corpus(generator: np.random.Generator, methods: int) -> Documents:
    """Methods of 5 to 45 words."""
    words = TokenLists(NAMES, *draw_words(generator, 5, 45, methods))
    sizes = np.ones(methods, dtype=np.int32)
    return Documents(words, words, sizes, sizes, "bench")


def draw_queries(generator: np.random.Generator, corpus: Documents, count: int) -> list[Query]:
    """Queries of eight words, each as frequent as in the corpus.

    They reach about as many methods as the questions of the embedded sample: each method once.
    """
    drawn = generator.choice(corpus.words.tokens, size=(count, 8))
    return [Query(row, " ".join(NAMES[i] for i in words)) for row, words in enumerate(drawn)]


def write_java(folder: Path, base: str, methods: int) -> list[Repository]:
    """Write Java files with at least so many methods: ``<folder>/<owner>/<repo>``."""
    made_of = read_dataset(base, ROOT, seed=SEED)
    repositories = made_of.list_repositories(methods)
    for number, repository in enumerate(repositories):
        for path, text in made_of.make_files(number):
            place = folder / repository.full_name / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text)
    return repositories
