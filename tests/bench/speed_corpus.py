"""Pairs of extraction beside parsing alone, and of judging beside the intersection alone."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from tests.bench.made_up import write_java
from tests.bench.paired import Pair
from tree_sitter import Parser

from ncsbench.code.aroma.features import body_feature_ids, count_features
from ncsbench.code.java.java import java_language, parse_java
from ncsbench.corpus.methods.extraction import extract_methods
from ncsbench.corpus.sources.folder_sources import DirectorySource
from ncsbench.corpus.sources.inventory import iterate_shard, write_inventory
from ncsbench.corpus.sources.repositories import RepositoryList
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.judge_index import JudgeIndex, build_shard
from ncsbench.evaluation.judge.scores import score_pairs

METHODS, ANSWERS, PAIRS = 10_000, 185, 100_000


def compare_extraction() -> Iterator[Pair]:
    """From files to methods with their comments in a table, beside tree-sitter's parse."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        repositories = write_java(folder / "java", "sample", METHODS)
        source = DirectorySource(str(folder / "java"))
        inventory = folder / "inventory.parquet"
        write_inventory(RepositoryList(repositories, []), source, output=inventory)
        paths = sorted((folder / "java").rglob("*.java"))

        def extract() -> None:
            parts = iterate_shard(inventory, shard=0, shards=1)
            extract_methods(parts, source, methods=folder / "m", ledger=folder / "l")

        def parse() -> None:
            parser = Parser(java_language())
            for path in paths:
                parser.parse(path.read_bytes())

        megabytes = sum(path.stat().st_size for path in paths) / 1e6
        stage = f"extraction of methods, {len(paths)} files, {megabytes:.1f} MB"
        yield Pair(stage, METHODS, extract, parse, "tree-sitter's parse of the files alone", "2")


def compare_judging() -> Iterator[Pair]:
    """All similarities of pairs, pruned ones too, beside the intersection of their features."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_java(folder / "java", "sample", METHODS)
        codes = _list_methods(folder)[:METHODS]
        answers = read_answers(dict(enumerate(codes[:: len(codes) // ANSWERS][:ANSWERS])))
        build_shard(
            iter(codes), shard=0, shards=1, first_id=0, corpus_hash="", output=folder / "index"
        )
        index = JudgeIndex(folder / "index")
        generator = np.random.default_rng(1)
        query_ids = generator.choice(answers.query_ids, size=PAIRS)
        ids = generator.integers(index.methods, size=PAIRS)
        forest = next(index.blocks()).forest
        sets = [count_features(body_feature_ids(forest, body)[0]) for body in range(len(codes))]
        starts = np.cumsum([0, *(len(one.ids) for one in sets)])
        features = np.concatenate([one.ids for one in sets])
        places = np.searchsorted(answers.query_ids, query_ids)
        yield Pair(
            "judging, a pair", len(codes),
            lambda: score_pairs(answers=answers, index=index, query_ids=query_ids, ids=ids),
            lambda: _intersect(answers.ids, answers.starts, places, features, starts, ids),
            "the intersection of both sets of features, numba", "2", PAIRS,
        )  # fmt: skip


@njit
def _intersect(
    answers: Any, answer_starts: Any, places: Any, methods: Any, starts: Any, ids: Any
) -> Any:
    common = np.zeros(len(ids), np.int32)
    for pair in range(len(ids)):
        left, left_end = answer_starts[places[pair]], answer_starts[places[pair] + 1]
        right, right_end = starts[ids[pair]], starts[ids[pair] + 1]
        while left < left_end and right < right_end:
            if answers[left] == methods[right]:
                common[pair] += 1
                left += 1
                right += 1
            elif answers[left] < methods[right]:
                left += 1
            else:
                right += 1
    return common


def _list_methods(folder: Path) -> list[str]:
    """Texts of the methods of the Java files below a folder."""
    found = []
    for path in sorted((folder / "java").rglob("*.java")):
        source = path.read_bytes()
        nodes = [parse_java(source).root_node]
        while nodes:
            node = nodes.pop()
            nodes += node.children
            if node.type == "method_declaration":
                found.append(source[node.start_byte : node.end_byte].decode())
    return found


STAGES = {"extraction": compare_extraction, "judging": compare_judging}
