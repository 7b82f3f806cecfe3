"""Forms of a ranker measured on threads of posts: what docs/ranker.md chooses the next version by.

Usage: python tests/bench/thread_forms.py DATASET PART FORM ... --output FILE [--vectors FOLDER]

The forms are models, by name or file, of which the dataset has indexes; the first is what the
others are compared with, and the earlier a form is named, the simpler it is. The dataset also needs
`threads/threads.parquet` and the judge's index (docs/pairs.md). Each judge has a row of each form;
near duplicates of a thread are drawn together. A text is encoded once for all forms, and its vector
is kept in the folder of vectors.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ncsbench.apps.own_code.asking import load_search, open_dataset
from ncsbench.base.files.csv_tables import format_number, name_cells, write_rows
from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.rankings import Query, Run, ranks_in_run
from ncsbench.evaluation.judge.answers import read_answers
from ncsbench.evaluation.judge.judge_index import JudgeIndex
from ncsbench.evaluation.judge.scores import score_pairs
from ncsbench.evaluation.measures.judged_rankings import join_judgements
from ncsbench.evaluation.statistics.figures import Figures, summarise
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.pairs.training_pairs.thread_parts import (
    THREAD_PART_SCHEMA,
    THREAD_PARTS,
    read_threads,
)
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.library_models import read_workflow
from ncsbench.rankers.vectors.encoder_model import SentenceEncoder

COLUMNS = (
    *("part", "judge", "model", "threads", "mrr", "mrr_low", "mrr_high"),
    *("difference", "difference_low", "difference_high", "standard_error", "z"),
    *("smallest_z", "chosen"),
)
_NEAR = 1.0  # a form is chosen whose z is at most so far below the highest
_BATCH = 20  # threads between two times that vectors are kept


def main() -> None:
    """Rank, judge, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset")
    parser.add_argument("part", choices=("training", "selection", "test"))
    parser.add_argument("forms", nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--vectors", type=Path)
    given = parser.parse_args()
    data = Path("data", given.dataset)
    threads = read_threads(data / "threads", [given.part]).sort_by("query_id")
    ids, titles, answers = (
        threads[name].to_pylist() for name in ("query_id", "question", "answer")
    )
    queries = [Query(*one) for one in zip(ids, titles, strict=True)]
    settings = RunOptions.parse(read_workflow("DATASET"), where="config/config.yaml")
    features = read_answers(dict(zip(ids, answers, strict=True)))
    index = JudgeIndex(data / "judge_index")
    parts = read_table(data / "threads" / THREAD_PARTS, THREAD_PART_SCHEMA).to_pandas()
    groups = parts.set_index("query_id").loc[ids, "group"].to_numpy()
    units = []
    for form in given.forms:
        run = search(given.dataset, form, queries, settings.depth, given.vectors)
        judged = score_pairs(answers=features, index=index, query_ids=run.query_ids, ids=run.ids)
        ranked = run.query_ids, ranks_in_run(run), run.ids
        asked = np.array(ids, np.int32)
        ranking = join_judgements(form, ranked, judged, asked, settings.depth, Path(form))
        for judge, (similarity, threshold) in settings.named_judges().items():
            first = ranking.first_ranks(similarity, threshold)
            values = np.where(first > 0, 1 / np.maximum(first, 1), 0)
            keys = {
                "part": given.part,
                "judge": judge,
                "model": Path(form).stem,
                "seed": settings.seed,
            }
            units.append(pd.DataFrame({**keys, "unit": ids, "value": values, "cluster": groups}))
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    found = summarise(pd.concat(units), ["part", "judge", "model"], sampling)
    rows = describe(found, [Path(form).stem for form in given.forms])
    write_rows(given.output, COLUMNS, name_cells(COLUMNS, rows))


def search(
    dataset: str, form: str, queries: Sequence[Query], depth: int, vectors: Path | None
) -> Run:
    """Return the rankings of a form for all threads, each by itself like the others."""
    ranker, runs = load_search(open_dataset(dataset, form)), []
    started = time.process_time()
    with keep_vectors(vectors) as save:
        for first in range(0, len(queries), _BATCH):
            runs.append(ranker.search(queries[first : first + _BATCH], k=depth))
            save()
            seconds = time.process_time() - started
            sys.stderr.write(
                f"{form}: {min(first + _BATCH, len(queries))} threads, {seconds:.0f} s\n"
            )
    columns = ([getattr(run, name) for run in runs] for name in ("query_ids", "ids", "scores"))
    return Run(*(np.concatenate(column) for column in columns))


@contextmanager
def keep_vectors(folder: Path | None) -> Iterator[Callable[[], None]]:
    """Let encoders take vectors of the folder, and give a function that saves the new ones."""
    if folder is None:
        yield lambda: None
        return
    folder.mkdir(parents=True, exist_ok=True)
    known: dict[str, NDArray[np.float32]] = {}
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as kept:
            known.update(zip(kept["texts"].tolist(), kept["vectors"], strict=True))
    new: dict[str, NDArray[np.float32]] = {}
    plain = SentenceEncoder.encode_methods

    def encode(self: SentenceEncoder, texts: Sequence[str]) -> NDArray[np.float32]:
        model = str(self._options.model)
        names = [hashlib.sha256(f"{model} {text}".encode()).hexdigest() for text in texts]
        missing = {name: text for name, text in zip(names, texts, strict=True) if name not in known}
        made = dict(zip(missing, plain(self, list(missing.values())), strict=True))
        new.update(made)
        known.update(made)
        return np.stack([known[name] for name in names])

    def save() -> None:
        if new:
            path = folder / f"{len(list(folder.glob('*.npz'))):04d}.npz"
            np.savez(path, texts=np.array(list(new)), vectors=np.stack(list(new.values())))
            new.clear()

    SentenceEncoder.encode_methods = encode  # type: ignore[method-assign]
    try:
        yield save
    finally:
        SentenceEncoder.encode_methods = plain  # type: ignore[method-assign]


def describe(found: Figures, forms: Sequence[str]) -> list[list[object]]:
    """Make rows of ``COLUMNS``: the MRR, its difference from the first form, z, and the choice."""
    differences = found.against("model", [(form, forms[0]) for form in forms[1:]])
    errors = differences.resampled.std(axis=1, ddof=1)
    compared: dict[tuple[str, str], list[str]] = {}
    smallest: dict[str, float] = dict.fromkeys(forms, math.inf) | {forms[0]: 0.0}
    for row, error in zip(differences.frame.itertuples(), errors, strict=True):
        z = row.value / error
        cells = [format_number(one, 4, signed=True) for one in (row.value, row.low, row.high, z)]
        compared[row.judge, row.model] = [*cells[:3], format_number(error, 4), cells[3]]
        smallest[row.model] = min(smallest[row.model], z)
    chosen = next(one for one in forms if smallest[one] >= max(smallest.values()) - _NEAR)
    return [
        [
            *(row.part, row.judge, row.model, row.n),
            *(format_number(value, 4) for value in (row.value, row.low, row.high)),
            *compared.get((row.judge, row.model), [""] * 5),
            format_number(smallest[row.model], 4, signed=True),
            "yes" if row.model == chosen else "no",
        ]
        for row in found.frame.itertuples()
    ]


if __name__ == "__main__":
    main()
