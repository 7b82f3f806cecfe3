"""NDCG@10 of one's own code searched by public queries: what docs/own-code.md says of them.

Usage: python tests/bench/own_code_questions.py ANNOTATIONS CLONES [--models NAME ...]
    [--ablations] [--peers] [--output FILE]

ANNOTATIONS is the folder `benchmarks` of MinishLab/semble (`repos.json`, `annotations/NAME.json`),
or one with `repos.csv` and `NAME.jsonl`. CLONES is the path of git clones with {owner} and {repo}.
Each repository is read at its pinned commit and indexed by itself, as a user would index it. The
figure is that of the annotations' authors: ten results are looked at, a target counts at the first
result that covers it, and every target has the grade 1. `--ablations` leaves out each
ingredient of the first model; `--peers` asks ripgrep and bm25s in the same run.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.own_code_peers import PEERS, Peer

from ncsbench.apps.own_code.asking import Asked, FoundMethod, open_own
from ncsbench.apps.own_code.index_folder import IndexFolder
from ncsbench.apps.own_code.indexing import Wanted, index_folder
from ncsbench.apps.own_code.result_list import Unit, WantedList
from ncsbench.apps.own_code.shown_methods import NAMED
from ncsbench.base.files.csv_tables import read_rows, write_rows
from ncsbench.errors import DataError
from ncsbench.evaluation.measures.graded_measures import Truth, measure_questions
from ncsbench.evaluation.statistics.figures import summarise
from ncsbench.evaluation.statistics.resampling import Sampling

MODELS = ("code_bm25", "elasticsearch_class_names", "bm25")
DEPTH, SEED, ALL = 10, 2019, "all"
MEASURE = f"nDCG@{DEPTH}"
UNITS: tuple[Unit, ...] = ("method", "file")
"""A result is a method, or a file, as `--by` of `ncsbench search` has them."""
COLUMNS = (
    *("language", "repository", "category", "model", "unit"),
    *("repositories", "queries", "ndcg_10", "low", "high", "index_s", "query_ms"),
)
ABLATIONS = {
    "no stems": "stemmer: none",
    "no names": "name_weight: 0",
    "no path": "path_weight: 0",
    "names as words": "names: like_words",
    "tests level": "aside: 1.0",
}
"""Options of the first model without one ingredient each, by what they leave out."""
PUBLISHED = Path("config/published/own_code_figures.csv")
PUBLISHED_COLUMNS = ("tool", "language", "ndcg_10", "address", "table")


@dataclass(frozen=True)
class Repository:
    """A repository of the annotations; ``root`` is the folder that is indexed, empty for all."""

    name: str
    language: str
    owner: str
    repo: str
    commit: str
    root: str


@dataclass(frozen=True)
class Question:
    """A query with its targets: path, first and last line; None for a whole file."""

    text: str
    category: str
    targets: tuple[tuple[str, int | None, int | None], ...]


def main() -> None:
    """Print and write a line for each language, repository, category, model and unit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("annotations", type=Path)
    parser.add_argument("clones")
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--ablations", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--output", type=Path, default=Path("results/own_code/questions.csv"))
    given = parser.parse_args()
    repositories, units = read_repositories(given.annotations), []
    scratch = tempfile.TemporaryDirectory()
    models = {Path(name).stem: name for name in given.models}
    for label, option in ABLATIONS.items() if given.ablations else ():
        file = Path(scratch.name, f"{label.replace(' ', '_')}.yaml")
        file.write_text(f"like: {given.models[0]}\noptions:\n  {option}\n", encoding="utf-8")
        models[label] = str(file)
    peers = PEERS if given.peers else {}
    unread: dict[str, list[str]] = defaultdict(list)
    whole = {ALL, *(one.language for one in repositories)}
    for repository in repositories:
        questions = read_questions(given.annotations, repository.name)
        try:
            found = pd.concat(measure(repository, questions, given.clones, models, peers))
        except DataError as error:
            reason = str(error).partition(": ")[2].partition(" (")[0]
            unread[repository.language].append(f"{repository.name} ({reason})")
            whole -= {ALL, repository.language}
            continue
        units.append(found.assign(language=repository.language, repository=repository.name))
    for language, names in unread.items():
        sys.stdout.write(f"not read: {language}: {', '.join(names)}\n")
    scratch.cleanup()
    rows = summarise_units(pd.concat(units)) if units else []
    write_rows(given.output, COLUMNS, rows)
    for row in rows:
        sys.stdout.write(",".join(row.values()) + "\n")
    if (given.annotations / "repos.json").is_file():  # else not all of them are there
        for row in read_rows(PUBLISHED, PUBLISHED_COLUMNS):
            if row["language"] in whole:
                sys.stdout.write(f"published: {row['language']},{row['tool']},{row['ndcg_10']}\n")


def read_repositories(folder: Path) -> list[Repository]:
    """Read the repositories of the annotations that are there, by name."""
    if (folder / "repos.json").is_file():
        rows = json.loads((folder / "repos.json").read_text(encoding="utf-8"))
        listed = [
            Repository(
                row["name"],
                row["language"],
                *row["url"].removesuffix(".git").split("/")[-2:],
                row["revision"],
                row.get("benchmark_root") or "",
            )
            for row in rows
        ]
    else:
        with (folder / "repos.csv").open(encoding="utf-8", newline="") as file:
            listed = [
                Repository(
                    row["name"],
                    row["language"],
                    *row["repository"].split("/"),
                    row["commit"],
                    row["benchmark_root"],
                )
                for row in csv.DictReader(file)
            ]
    return sorted(listed, key=lambda one: one.name)


def read_questions(folder: Path, name: str) -> list[Question]:
    """Read the queries of a repository."""
    lines = folder / f"{name}.jsonl"
    if lines.is_file():
        rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    else:
        rows = json.loads((folder / "annotations" / f"{name}.json").read_text(encoding="utf-8"))
    return [
        Question(
            row["query"],
            row.get("category") or "unnamed",
            tuple(map(read_target, [*row.get("relevant", ()), *row.get("secondary", ())])),
        )
        for row in rows
    ]


def read_target(row: str | dict[str, Any]) -> tuple[str, int | None, int | None]:
    """Read the path and the lines of a target; lines count where both are given."""
    if isinstance(row, str):
        return row, None, None
    start, end = row.get("start_line"), row.get("end_line")
    return (row["path"], int(start), int(end)) if start and end else (row["path"], None, None)


def measure(
    repository: Repository,
    questions: list[Question],
    clones: str,
    models: dict[str, str],
    peers: dict[str, type[Peer]],
) -> Iterator[pd.DataFrame]:
    """Yield units of figures of a repository, for each model and unit of results.

    Raises:
        DataError: where the clone lacks the commit, or the folder holds no method.
    """
    clone = clones.replace("{owner}", repository.owner).replace("{repo}", repository.repo)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "code")
        unpack(clone, repository, folder)
        root = folder / repository.root
        for label, model in models.items():
            index = IndexFolder(Path(temporary, "index", label.replace(" ", "_")))
            began = time.perf_counter()
            index_folder(root, index, Wanted(True, model), lambda *_: None)
            asked = Asked(open_own(index, model))
            seconds = time.perf_counter() - began
            for unit in UNITS:
                yield ask(
                    (repository, questions),
                    (label, unit),
                    seconds,
                    partial(asked.find, wanted=WantedList(DEPTH, by=unit)),
                )
        for label, peer in peers.items():
            began = time.perf_counter()
            opened = peer(root)
            seconds = time.perf_counter() - began
            yield ask((repository, questions), (label, "file"), seconds, opened.find)


def ask(
    asked: tuple[Repository, list[Question]],
    label: tuple[str, str],
    index_s: float,
    find: Callable[[str], list[FoundMethod]],
) -> pd.DataFrame:
    """Ask all questions of a repository, and return the units of figures of one system."""
    repository, questions = asked
    values, milliseconds = [], []
    for question in questions:
        began = time.perf_counter()
        found = find(question.text)
        milliseconds.append(1000 * (time.perf_counter() - began))
        values.append(score(found, question, repository.root))
    return pd.DataFrame(
        {
            **{"model": label[0], "unit_of_results": label[1], "seed": 0},
            "category": [question.category for question in questions],
            "unit": [f"{repository.name}/{n}" for n in range(len(questions))],
            "value": values,
            "index_s": index_s,
            "query_ms": milliseconds,
        }
    )


def unpack(clone: str, repository: Repository, folder: Path) -> None:
    """Write the files of the pinned commit; nothing of the clone is run."""
    command = ["git", "-C", clone, "archive", repository.commit, "--", repository.root or "."]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise DataError(f"{clone}: {reason[-1] if reason else 'cannot be read'}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder, filter="data")


def score(found: list[FoundMethod], question: Question, root: str) -> float:
    """Return NDCG@10 of a query; a target counts at the first result that covers it."""
    grades = np.zeros((1, DEPTH))
    for path, first, last in question.targets:
        for place, one in enumerate(found[:DEPTH]):
            if not is_same(f"{root}/{one.path}".lstrip("/"), path):
                continue
            if first is None or last is None or covers(one, first, last):
                grades[0, place] += 1
                break
    truth = Truth(grades, np.ones((1, len(question.targets))))
    return float(measure_questions(MEASURE, truth)[0])


def covers(found: FoundMethod, first: int, last: int) -> bool:
    """Say whether a result, or a further method that the list names with it, has these lines."""
    places = [found, *found.others[:NAMED]]
    return any(one.start_line <= last and one.end_line >= first for one in places)


def is_same(path: str, target: str) -> bool:
    """Say whether one path is the other, or its end."""
    return path == target or path.endswith(f"/{target}") or target.endswith(f"/{path}")


def summarise_units(units: pd.DataFrame) -> list[dict[str, str]]:
    """Make rows of ``COLUMNS``; intervals of several repositories are over repositories."""
    parts = []
    for names in ((), ("language",), ("language", "repository"), ("language", "category")):
        missing = {"language": ALL, "repository": ALL, "category": ALL}
        part = units.assign(**{name: one for name, one in missing.items() if name not in names})
        for _, group in part.groupby(["language", "repository", "category"], sort=True):
            clusters = group["unit"].str.rpartition("/")[0]
            several = clusters.nunique() > 1
            keys = ["language", "repository", "category", "model", "unit_of_results"]
            frame = group.assign(cluster=clusters) if several else group
            times = frame.groupby(keys[3:])[["index_s", "query_ms"]].median().reset_index()
            figures = summarise(
                frame.drop(columns=["index_s", "query_ms"]), keys, Sampling(SEED, 10_000)
            ).frame.merge(times, on=keys[3:])
            parts.append(figures.assign(repositories=clusters.nunique()))
    rows = pd.concat(parts).rename(columns={"unit_of_results": "unit", "n": "queries"})
    rows = rows.rename(columns={"value": "ndcg_10"})
    for name in ("ndcg_10", "low", "high"):
        rows[name] = [f"{value:.3f}" for value in rows[name]]
    for name in ("index_s", "query_ms"):
        rows[name] = [f"{value:.1f}" for value in rows[name]]
    return [{name: str(row[name]) for name in COLUMNS} for row in rows.to_dict("records")]


if __name__ == "__main__":
    main()
