"""Which model finds a method of one's own code by its docstring: what docs/own-code.md rests on.

Usage: python tests/bench/default_models.py [DATASET] [--sizes N ...] [--models NAME ...]
    [--output FILE]

Repositories of a dataset of clones are drawn until they hold so many methods, their files written
to a folder, and that indexed as a user would index it. The questions are first sentences of
docstrings, which are taken out of the files before: no evaluation question has a part in it.
"""

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ncsbench.apps.own_code.asking import Asked, open_own
from ncsbench.apps.own_code.index_folder import IndexFolder
from ncsbench.apps.own_code.indexing import Wanted, index_folder
from ncsbench.apps.own_code.result_list import WantedList
from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_methods import Method, parse_methods
from ncsbench.code.java.java_terms import MethodPlace
from ncsbench.code.java.javadoc import read_first_sentence
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.corpus.sources.source_protocol import SourceError
from ncsbench.evaluation.measures.metrics import measure_ranks
from ncsbench.evaluation.measures.rank_figures import metric_interval
from ncsbench.evaluation.statistics.intervals import draw_resamples
from ncsbench.pairs.training_pairs.docstring_pairs import is_generated, is_latin, is_licence
from ncsbench.pipeline.files.dataset_file import find_dataset_file, load_dataset

MODELS = (
    *("bm25", "elasticsearch_camel_case", "elasticsearch_most_fields"),
    *("elasticsearch_class_names", "code_bm25"),
)
FOLDERS = {1_000: 12, 10_000: 4, 50_000: 2, 300_000: 1}
"""How many folders are drawn, by how many methods each has."""
QUESTIONS, DEPTH, SEED = 500, 50, 2019
COLUMNS = (
    *("methods", "folders", "questions", "model"),
    *("mrr", "mrr_low", "mrr_high", "answered_1", "answered_10"),
)


def main() -> None:
    """Print and write a line for each size and model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", nargs="?", default="ncsed_383")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(FOLDERS))
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--output", type=Path, default=Path("results/own_code/default_models.csv"))
    given = parser.parse_args()
    generator = random.Random(SEED)  # noqa: S311
    rows = [row for size in given.sizes for row in measure(given, size, generator)]
    write_rows(given.output, COLUMNS, rows)


def measure(
    given: argparse.Namespace, size: int, generator: random.Random
) -> Iterator[dict[str, str]]:
    """Rows of ``COLUMNS`` for one size."""
    ranks: dict[str, list[int]] = {model: [] for model in given.models}
    methods, folders = 0, FOLDERS[size]
    for _ in range(folders):
        with tempfile.TemporaryDirectory() as temporary:
            methods += ask_folder(given.dataset, size, generator, Path(temporary), ranks)
    for model, found in ranks.items():
        firsts = np.array(found, np.int32)
        draws = draw_resamples(len(found), np.random.default_rng(SEED), resamples=10_000)
        interval = metric_interval(firsts, "mrr", draws, depth=DEPTH)
        mrr = (measure_ranks(firsts, "mrr", DEPTH), interval.low, interval.high)
        hits = (measure_ranks(firsts, metric, DEPTH) for metric in ("answered_1", "answered_10"))
        row = (
            *(methods // folders, folders, len(found), model),
            *(f"{one:.3f}" for one in mrr),
            *map(int, hits),
        )
        sys.stdout.write(",".join(map(str, row)) + "\n")
        sys.stdout.flush()
        yield dict(zip(COLUMNS, map(str, row), strict=True))


def ask_folder(
    dataset: str, size: int, generator: random.Random, temporary: Path, ranks: dict[str, list[int]]
) -> int:
    """Draw a folder, ask all models of it, and add the ranks; how many methods it has."""
    folder, asked, methods = temporary / "code", [], 0
    for found, documented in draw_repositories(dataset, size, folder, generator):
        methods += found
        asked += generator.sample(documented, min(len(documented), 40))
        if methods >= size:
            break
    asked = sorted(generator.sample(asked, min(len(asked), QUESTIONS // FOLDERS[size])))
    for path, _, _, comment in asked:
        blank(folder / path, comment)
    for model in ranks:
        index = IndexFolder(temporary / "index")
        about, _ = index_folder(folder, index, Wanted(True, model), lambda *_: None)
        ranks[model] += rank_all(Asked(open_own(index, None)), asked)
    return about.methods


def draw_repositories(
    dataset: str, size: int, folder: Path, generator: random.Random
) -> Iterator[tuple[int, list[tuple[str, str, str, str]]]]:
    """Write repositories in a drawn order; how many methods each has, and its documented ones.

    Of a documented method: path, text, first sentence, comment. One that holds more than a third of
    all methods that are wanted is left out.
    """
    options = load_dataset(find_dataset_file(dataset, Path()))
    source = open_source(options.source.kind, options.source.path)
    listed = read_repositories(Path(options.repositories)).repositories
    for repository in generator.sample(listed, len(listed)):
        try:
            files = list(read_texts(repository, source))
        except SourceError:
            continue
        parsed = [
            (path, text, parse_methods(text.encode("utf-8", "replace"))) for path, text in files
        ]
        methods = sum(len(one.methods) for _, _, one in parsed)
        if methods > max(size / 3, 400):
            continue
        documented = []
        for path, text, one in parsed:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
            documented += [
                (path, method.code, read_first_sentence(method.comment or ""), method.comment or "")
                for method in one.methods
                if is_asked(method, text)
            ]
        yield methods, documented


def read_texts(repository: Repository, source: object) -> Iterator[tuple[str, str]]:
    """Path and text of the Java files of a repository."""
    listing = source.list_files(repository)  # type: ignore[attr-defined]
    paths = [
        file.path
        for file in listing.files
        if not file.reason and re.fullmatch(r"[\w./-]+", file.path)
    ]
    for file in source.read_files(repository, listing.commit, paths):  # type: ignore[attr-defined]
        if file.data is not None:
            yield f"{repository.full_name}/{file.path}", decode_source(file.data)[0]


def is_asked(method: Method, text: str) -> bool:
    """Whether a method has a docstring that a person may ask for."""
    comment = method.comment or ""
    sentence = read_first_sentence(comment)
    return (
        method.place not in (MethodPlace.METHOD, MethodPlace.CONSTRUCTOR)
        and len(split_words(sentence)) >= 3
        and is_latin(sentence)
        and not is_licence(comment)
        and not is_generated(comment)
        and text.count(comment) == 1
        and text.count(method.code) == 1
    )


def blank(path: Path, comment: str) -> None:
    """Take a comment out of a file; its lines stay, empty."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(comment, "\n" * comment.count("\n")), encoding="utf-8")


def rank_all(asked: Asked, questions: list[tuple[str, str, str, str]]) -> list[int]:
    """The rank of each question's own method, 0 where it is not among ``DEPTH``."""
    ranks = []
    for path, code, sentence, _ in questions:
        found = asked.find(sentence, WantedList(DEPTH))
        ranks.append(next((one.rank for one in found if (one.path, one.code) == (path, code)), 0))
    return ranks


if __name__ == "__main__":
    main()
