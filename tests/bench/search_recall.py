"""Recall of structural search: methods searched by themselves and by parts of them.

As in section 4 of the Aroma paper, which reports 99.1 % at rank 1 and 100 % within 100 for
neighbouring lines, 98.3 % and 100 % for others. Reads the corpus and the judge's index of a dataset
that was run before: data/ncsed where it exists, else data/sample.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ncsbench.code.aroma.features import FeatureSet, body_feature_ids, count_features
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.evaluation.judge.answers import features_of_answer
from ncsbench.evaluation.judge.judge_index import IndexBlock, JudgeIndex
from ncsbench.evaluation.structural_search.search import (
    REFERENCE_CODE,
    SearchOptions,
    find_candidates,
    rank_pruned,
)
from ncsbench.evaluation.structural_search.shown_results import leaf_lines

ROOT = Path(__file__).resolve().parents[2]
SEED, METHODS, LINES = 119, 200, 7
VARIANTS = {
    "paper": SearchOptions(),
    "paper, Jaccard": SearchOptions(score="jaccard"),
    "code": REFERENCE_CODE,
}


def main() -> None:
    """Print a line for each kind of query and variant."""
    data = ROOT / "data" / ("ncsed" if (ROOT / "data" / "ncsed").is_dir() else "sample")
    blocks = list(JudgeIndex(data / "judge_index").blocks())
    codes = {}
    for table in CorpusFolder(data / "corpus").iterate_methods(["id", "code", "lines"]):
        for id_, code, lines in zip(*table.to_pydict().values(), strict=True):
            if 12 <= lines <= 150:
                codes[id_] = code
    generator = random.Random(SEED)  # noqa: S311
    queries: dict[str, list[tuple[int, FeatureSet]]] = {}
    for id_, code in draw_methods(codes, blocks, generator):
        for kind, query in parts_of(code, *locate(id_, blocks), generator):
            queries.setdefault(kind, []).append((id_, query))
    for kind, asked in queries.items():
        for name, options in VARIANTS.items():
            ranks = np.array([find_rank(query, id_, blocks, options) for id_, query in asked])
            tied, listed = ranks[:, 0], ranks[:, 1]
            print(  # noqa: T201
                f"{kind:20} {name:15} n={len(asked)} @1 {np.mean(tied <= 1):.3f}"
                f" (by id {np.mean(listed <= 1):.3f}) @100 {np.mean(tied <= 100):.3f}"
            )


def draw_methods(
    codes: dict[int, str], blocks: list[IndexBlock], generator: random.Random
) -> Iterator[tuple[int, str]]:
    """Methods with leaves whose places in the text are known."""
    ids = sorted(codes)
    generator.shuffle(ids)
    drawn = 0
    for id_ in ids:
        block, body = locate(id_, blocks)
        leaves = int(block.forest.body_leaves[body + 1] - block.forest.body_leaves[body])
        if leaves and len(leaf_lines(codes[id_])) == leaves:
            yield id_, codes[id_]
            drawn += 1
        if drawn == METHODS:
            return


def locate(id_: int, blocks: list[IndexBlock]) -> tuple[IndexBlock, int]:
    """The block of a method, and its number there."""
    block = next(block for block in blocks if 0 <= id_ - block.first_id < len(block))
    return block, id_ - block.first_id


def parts_of(
    code: str, block: IndexBlock, body: int, generator: random.Random
) -> Iterator[tuple[str, FeatureSet]]:
    """A method as queries: whole, and by lines that keep their part of its tree, or as text."""
    starts = np.array([first for first, _ in leaf_lines(code)])
    held = sorted(set(starts.tolist()))

    def features(kept: NDArray[np.bool_]) -> FeatureSet:
        return count_features(body_feature_ids(block.forest, body, kept)[0])

    yield "itself", features(np.ones(len(starts), np.bool_))
    last = max(held[-1], LINES)
    first = generator.choice([line for line in held if line + LINES - 1 <= last] or held)
    yield "neighbouring lines", features((starts >= first) & (starts < first + LINES))
    drawn = generator.sample(held, min(LINES, len(held)))
    yield "drawn lines", features(np.isin(starts, drawn))
    text = features_of_answer("\n".join(code.split("\n")[first : first + LINES]))
    if text is not None and text.size:
        yield "neighbours as text", text


def find_rank(
    query: FeatureSet, id_: int, blocks: list[IndexBlock], options: SearchOptions
) -> tuple[float, float]:
    """Rank of a method: equal scores as one rank, and equal scores by id; copies count."""
    found = rank_pruned(query, find_candidates(query, blocks, options), options)
    for place, method in enumerate(found, start=1):
        if id_ in (method.id, *method.copies):
            return 1 + sum(other.score > method.score for other in found), place
    return np.inf, np.inf


if __name__ == "__main__":
    main()
