"""Training of trees from files: features of candidates, judgements, parts of threads.

Features are read twice as streams, once for what is trained on and once for the figures, so that
memory holds the candidates of the training and two numbers of every other one.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import hash_bytes, read_corpus_hash, read_table
from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.metrics import mean_reciprocal_rank
from ncsbench.judge.judgement_schemas import JUDGEMENT_SCHEMA
from ncsbench.learning_to_rank.feature_schema import (
    KEYS,
    Floats,
    feature_schema,
    iterate_features,
    read_groups,
)
from ncsbench.learning_to_rank.gains import Labels, Mask, label_candidates
from ncsbench.learning_to_rank.lightgbm_library import load_lightgbm
from ncsbench.learning_to_rank.tree_options import TRAINED_PARTS, TreeSettings
from ncsbench.learning_to_rank.tree_record import (
    AboutTrees,
    FeatureRecord,
    JudgeRecord,
    PartRecord,
    TrainingRecord,
)
from ncsbench.learning_to_rank.trees import Trees, choose_features, fit_trees
from ncsbench.pairs.thread_parts import PARTS, THREAD_PART_SCHEMA

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Candidates:
    """All candidates, in the order of the files and their rows.

    Attributes:
        query_ids: the thread of each, int32, shape (candidates,).
        methods: method ids, int64, shape (candidates,).
        parts: the place of the thread's part in ``PARTS``, int8, shape (candidates,).
        labels: who accepts them.
    """

    query_ids: NDArray[np.int32]
    methods: NDArray[np.int64]
    parts: NDArray[np.int8]
    labels: Labels


def train_trees(
    features: Sequence[Path],
    judgements: Sequence[Path],
    thread_parts: Path,
    settings: TreeSettings,
) -> tuple[Trees, AboutTrees]:
    """Train on the threads of both folds; figures for the threads of all parts that are given.

    Args:
        features: files of ``feature_schema``, each with other threads.
        judgements: files of ``JUDGEMENT_SCHEMA`` that have all candidates.
        thread_parts: the part of each thread, ``THREAD_PART_SCHEMA``.
        settings: see there.

    Raises:
        DataError: where files do not fit each other, or no thread of a fold has a right candidate.
        ConfigurationError: for names that are no features, and without LightGBM.
    """
    library = load_lightgbm()
    groups = read_groups(features[0])
    for path in features[1:]:
        if list(read_groups(path)) != list(groups):
            raise DataError(f"{path}: has other features than {features[0]}; make both again")
    if settings.compared not in groups:
        raise ConfigurationError(
            f"compared: {settings.compared!r} is no feature of {features[0]};"
            f" {nearest(settings.compared, list(groups))}"
        )
    seen = choose_features(groups, settings.left_out)
    candidates = _read_candidates(features, judgements, thread_parts, groups, settings)
    gains = candidates.labels.count_gains(settings.gains)
    kept, training = _choose_training(candidates, gains, settings)
    matrix = _collect(features, groups, kept)
    sizes = _count_runs(candidates.query_ids[kept])
    trees = fit_trees(matrix, gains[kept], sizes, groups, settings)
    use = trees.count_use()
    if not any(count for count, _ in use.values()):
        _LOG.warning(
            "no tree has a split, so that every candidate has the same score: %d candidates are too"
            " few for minimum_in_leaf: %d, or all are alike",
            *(training.candidates, settings.minimum_in_leaf),
        )
    del matrix
    about = AboutTrees(
        lightgbm=library.__version__,
        sha256=hash_bytes(trees.text.encode()),
        corpus=read_corpus_hash(features[0]),
        settings=settings,
        features=tuple(
            FeatureRecord(name=name, group=group, seen=name in seen, splits=count, gain=gain)
            for name, group in groups.items()
            for count, gain in [use.get(name, (0, 0.0))]
        ),
        training=training,
        parts=_measure(candidates, *_score(features, groups, trees, settings.compared)),
    )
    return trees, about


def draw_candidates(query_ids: NDArray[np.int32], right: Mask, negatives: int, seed: int) -> Mask:
    """Which candidates are trained on: all right ones and some wrong ones of each thread.

    Args:
        query_ids: the thread of each candidate, ascending, shape (candidates,).
        right: whether it has a gain, shape (candidates,).
        negatives: how many wrong ones of a thread are kept at most; these are drawn.
        seed: of the draw.

    Returns:
        Shape (candidates,); none of a thread without a right candidate.
    """
    drawn = np.random.default_rng(seed).random(len(query_ids))
    order = np.lexsort((drawn, right, query_ids))  # wrong ones before right ones
    starts = np.searchsorted(query_ids, query_ids)  # of the thread, also in this order
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    answered = np.isin(query_ids, query_ids[right])
    chosen: Mask = answered & (right | (places - starts < negatives))
    return chosen


def first_right_ranks(
    query_ids: NDArray[np.int32],
    methods: NDArray[np.int64],
    scores: NDArray[np.float64],
    right: Mask,
) -> NDArray[np.int32]:
    """Rank of the first right candidate of each thread, by descending score and ascending id.

    Returns:
        int32, shape (distinct threads,), by ascending thread, from 1; 0 where none is right.
    """
    order = np.lexsort((methods, -scores, query_ids))
    threads, starts = np.unique(query_ids[order], return_index=True)
    hits = np.flatnonzero(right[order])
    answered, firsts = np.unique(query_ids[order][hits], return_index=True)
    places = np.searchsorted(threads, answered)
    ranks = np.zeros(len(threads), np.int32)
    ranks[places] = hits[firsts] - starts[places] + 1
    return ranks


def _read_candidates(
    features: Sequence[Path],
    judgements: Sequence[Path],
    thread_parts: Path,
    groups: dict[str, str],
    settings: TreeSettings,
) -> _Candidates:
    of_thread: dict[int, Path] = {}
    tables = []
    for path in features:
        table = read_table(path, feature_schema(groups), list(KEYS))
        query_ids, methods = (table[name].to_numpy() for name in KEYS)
        rises = (np.diff(query_ids) > 0) | ((np.diff(query_ids) == 0) & (np.diff(methods) > 0))
        if not rises.all():
            raise DataError(f"{path}: is not sorted by thread and method; make the features again")
        for thread in np.unique(query_ids).tolist():
            if of_thread.setdefault(thread, path) != path:
                raise DataError(
                    f"{path}: has thread {thread}, which {of_thread[thread]} has too; give the"
                    " candidates of each thread once"
                )
        tables.append(table)
    table = pa.concat_tables(tables)
    query_ids, methods = (table[name].to_numpy() for name in KEYS)
    judged = pa.concat_tables(
        [read_table(path, JUDGEMENT_SCHEMA, _judged_columns(settings)) for path in judgements]
    )
    return _Candidates(
        query_ids=query_ids,
        methods=methods,
        parts=_find_parts(thread_parts, query_ids),
        labels=label_candidates(query_ids, methods, judged, settings),
    )


def _judged_columns(settings: TreeSettings) -> list[str]:
    return list(dict.fromkeys(["query_id", "id", settings.judge, settings.strict_judge]))


def _find_parts(path: Path, query_ids: NDArray[np.int32]) -> NDArray[np.int8]:
    table = read_table(path, THREAD_PART_SCHEMA, ["query_id", "part"])
    numbers = pc.index_in(table["part"], pa.array(PARTS)).fill_null(-1).to_numpy().astype(np.int8)
    threads = table["query_id"].to_numpy()
    order = np.argsort(threads)
    places = np.searchsorted(threads[order], query_ids).clip(max=max(len(threads) - 1, 0))
    known = threads[order][places] == query_ids if len(threads) else np.zeros(len(query_ids), bool)
    if not known.all():
        raise DataError(
            f"{path}: has no thread {query_ids[int(np.argmin(known))]}, which has candidates; take"
            " threads, parts and candidates of one run"
        )
    parts: NDArray[np.int8] = numbers[order][places]
    return parts


def _choose_training(
    candidates: _Candidates, gains: NDArray[np.int32], settings: TreeSettings
) -> tuple[Mask, TrainingRecord]:
    """Which candidates are trained on, and how many these are."""
    trained = np.isin(candidates.parts, [PARTS.index(part) for part in TRAINED_PARTS])
    rows = np.flatnonzero(trained)
    rows = rows[np.argsort(candidates.query_ids[rows], kind="stable")]
    query_ids, right = candidates.query_ids[rows], gains[rows] > 0
    chosen = draw_candidates(query_ids, right, settings.negatives, settings.seed)
    if not chosen.any():
        raise DataError(
            f"no thread of {' or '.join(TRAINED_PARTS)} has a right candidate, of"
            f" {len(np.unique(query_ids))} with candidates; give the features of these parts"
        )
    kept = np.zeros(len(trained), np.bool_)
    kept[rows[chosen]] = True
    threads = len(np.unique(query_ids[chosen]))
    return kept, TrainingRecord(
        threads=threads,
        threads_without_right=len(np.unique(query_ids)) - threads,
        candidates=int(chosen.sum()),
        right=int(right[chosen].sum()),
    )


def _count_runs(query_ids: NDArray[np.int32]) -> NDArray[np.int32]:
    """How many candidates each thread has, in the order of the files."""
    ends = np.flatnonzero(np.diff(query_ids)) + 1
    return np.diff(np.concatenate([[0], ends, [len(query_ids)]])).astype(np.int32)


def _collect(features: Sequence[Path], groups: dict[str, str], kept: Mask) -> Floats:
    """The features of the candidates that are kept, float32, shape (kept, features)."""
    matrix = np.empty((int(kept.sum()), len(groups)), np.float32)
    row = filled = 0
    for path in features:
        for block in iterate_features(path, groups):
            chosen = block[kept[row : row + len(block)]]
            matrix[filled : filled + len(chosen)] = chosen
            row, filled = row + len(block), filled + len(chosen)
    return matrix


def _score(
    features: Sequence[Path], groups: dict[str, str], trees: Trees, compared: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The score of every candidate by the trees, and by the feature they are compared with."""
    column = list(groups).index(compared)
    blocks = [
        (trees.predict(block), block[:, column].astype(np.float64))
        for path in features
        for block in iterate_features(path, groups)
    ]
    scores, values = zip(*blocks, strict=True)
    return np.concatenate(scores), np.concatenate(values)


def _measure(
    candidates: _Candidates, scores: NDArray[np.float64], compared: NDArray[np.float64]
) -> dict[str, PartRecord]:
    found: dict[str, PartRecord] = {}
    for number, part in enumerate(PARTS):
        rows = np.flatnonzero(candidates.parts == number)
        if not len(rows):
            continue
        query_ids, methods = candidates.query_ids[rows], candidates.methods[rows]
        records = {}
        for judge in ("default", "strict"):
            right = getattr(candidates.labels, judge)[rows]
            ranks, before = (
                first_right_ranks(query_ids, methods, values[rows], right)
                for values in (scores, compared)
            )
            records[judge] = JudgeRecord(
                right=int(right.sum()),
                threads=int(np.count_nonzero(ranks)),
                mrr=mean_reciprocal_rank(ranks),
                compared_mrr=mean_reciprocal_rank(before),
            )
        threads = len(np.unique(query_ids))
        found[part] = PartRecord(threads=threads, candidates=len(rows), **records)
    return found
