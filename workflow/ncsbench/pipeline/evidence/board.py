"""The board: handed-in runs, judged again by published evidence, the best strict MRR first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ncsbench.base.configuration.files import read_yaml
from ncsbench.base.configuration.strict_model import Share, StrictModel, read_settings
from ncsbench.base.files.csv_tables import Row, format_number, name_cells, read_utf8, write_rows
from ncsbench.base.files.hashes import known_hash
from ncsbench.base.files.storage import read_table
from ncsbench.base.runs.trec_files import path_of_run
from ncsbench.corpus.archives.download_options import ArchiveOptions
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.measures.metrics import question_shares
from ncsbench.evaluation.measures.rank_figures import SAMPLES
from ncsbench.evaluation.statistics.intervals import interval_of_sum
from ncsbench.evaluation.statistics.resampling import Sampling
from ncsbench.evaluation.statistics.significance import (
    LEVEL,
    adjust_by_holm,
    draw_signs,
    run_randomisation_test,
)
from ncsbench.pipeline.evidence.evaluated_run import EvaluatedRun, evaluate_run
from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder
from ncsbench.pipeline.files.model_configuration import Seen
from ncsbench.posts.published_inputs.checksums import provide
from ncsbench.posts.published_inputs.source_files import PublishedInput
from ncsbench.posts.questions.question_schema import QUESTION_SCHEMA
from ncsbench.posts.questions.questions_file import choose_part
from ncsbench.posts.questions.selection_options import QuestionPart
from ncsbench.studies.ncsed.table_settings import TableSettings

_FETCHED = Path("data/board")
_LARGEST_MB = 50
_BOUNDS = ("", "_low", "_high")
_Text = Annotated[str, Field(min_length=1, max_length=300)]
Figure = Literal["strict", "kept_back", "lenient", "charged"]
"""Judge of an MRR; ``kept_back`` is the strict one on the questions on which nothing was chosen."""
Shares = NDArray[np.float64]
"""Reciprocal rank of each question / questions, whose sum is the MRR."""


class Submission(StrictModel):
    """A file ``results/board/<name>.yaml``: a run, its model, and what the model has seen.

    ``run`` is a path from the project's folder or an address, and ``corpus`` the hash of the corpus
    that was searched, or its first 12 digits; ``figures`` are MRR as handed in. What is not known
    is null.
    """

    model: _Text
    version: _Text
    link: Annotated[str | None, Field(pattern=r"^https?://[^\s|<>]+$", max_length=300)]
    year: int
    training_data: _Text
    seed: int | None
    seen: Seen
    run: Annotated[
        str | None,
        Field(pattern=r"^(https?://[^\s|<>]+|results(/\w[\w.-]*)+)\.(trec|trec\.gz|parquet)$"),
    ]
    sha256: Annotated[str | None, Field(pattern="^[0-9a-f]{64}$")]
    corpus: Annotated[str | None, Field(pattern="^[0-9a-f]{12,64}$")]
    by: _Text
    figures: dict[Figure, Share | None]


class _Entry(NamedTuple):
    """A submission, and its shares by figure; none where its run cannot be had."""

    path: Path
    submission: Submission
    shares: dict[Figure, Shares]
    judged: float | None

    def mrr(self, figure: Figure) -> float | None:
        """Return the MRR as computed, else as handed in."""
        if self.shares:
            return float(self.shares[figure].sum())
        return self.submission.figures.get(figure)


def write_board(folder: Path, evidence: EvidenceFolder) -> list[str]:
    """Compute the figures of every submission and write ``board.csv`` beside the submissions.

    A submission without a run, or whose address does not give the run, keeps its figures.

    Returns:
        Lines about figures as handed in or unlike computed ones, and rows with a new strict MRR.

    Raises:
        ConfigurationError: for a submission that is malformed or has the model of another one.
        DataError: where a run has another SHA-256 or does not fit, or the evidence is not here.
    """
    read = [
        (path, Submission.parse(read_yaml(path), where=str(path)))
        for path in sorted(folder.glob("*.y*ml"))
    ]
    if not read:
        raise DataError(f"{folder}: has no submission; docs/board.md says how to add one")
    models = [submission.model for _, submission in read]
    for (path, _), model in zip(read, models, strict=True):
        if models.count(model) > 1:
            raise ConfigurationError(f"{path}: model: another submission has {model!r}; say more")
    runs = [_find_run(*one) for one in read]
    evidence.check()
    settings = read_settings(evidence.settings, TableSettings)
    sampling = Sampling(settings.seed, settings.bootstrap_samples)
    questions = read_table(evidence.questions, QUESTION_SCHEMA)
    part = choose_part(questions, read_settings(evidence.part("kept_back"), QuestionPart))
    among = np.isin(questions["query_id"].to_numpy(), part["query_id"].to_numpy())
    names = {model.name for model in settings.models}
    last: EvaluatedRun | None = None  # has the rows of the evidence, whatever run it is of

    def judge(path: Path, submission: Submission, run: Path | None) -> _Entry:
        nonlocal last
        if run is None:
            return _Entry(path, submission, {}, None)
        name, judged = run.name.removesuffix(".trec.gz"), 1.0
        row = run == path_of_run(evidence.path, name) and name in names
        if last is None or not row:
            try:
                last = evaluate_run(run, evidence, corpus_hash=submission.corpus)
            except DataError as error:
                raise DataError(f"{path}: {error}") from error
            name, judged = last.name, last.judged
        ranks = {one: last.first_ranks[judge][name] for one, judge in last.judges.items()}
        ranks["kept_back"] = ranks["strict"][among]
        shares: dict[Figure, Shares] = {
            one: question_shares(ranks[one], "mrr", settings.depth) for one in get_args(Figure)
        }
        return _Entry(path, submission, shares, judged)

    entries = [judge(*one, run) for one, run in zip(read, runs, strict=True)]
    entries.sort(key=lambda one: (-(one.mrr("strict") or 0), -(one.mrr("lenient") or 0), one.path))
    groups = _group([one.shares["strict"] for one in entries if one.shares], settings.seed)
    cells = [_describe(one, groups, sampling) for one in entries]
    before = read_utf8(table) if (table := folder / "board.csv").is_file() else ""
    write_rows(table, list(cells[0]), cells)
    return [line for one in zip(entries, cells, strict=True) for line in _tell(*one, before)]


def _tell(entry: _Entry, row: Row, before: str) -> Iterator[str]:
    """Write the lines about a row; ``before`` is the former ``board.csv``."""
    for figure, shares in entry.shares.items():
        said, computed = entry.submission.figures.get(figure), float(shares.sum())
        if said is not None and abs(said - computed) > 0.00051:  # three digits are handed in
            yield f"{entry.path}: figures.{figure}: {said:.3f} is said, {computed:.3f} computed"
    figures = [row[f"strict_mrr{bound}"] for bound in _BOUNDS]
    if not entry.shares:
        yield f"{entry.path}: has the figures handed in"
    elif ",".join(figures) not in before:
        mrr, low, high = (f"{float(figure):.3f}" for figure in figures)
        yield f"{entry.path.stem}: strict {mrr} ({low} to {high}), group {row['group']}"


def _find_run(path: Path, submission: Submission) -> Path | None:
    """Return the path of the run, fetched if need be; None where it cannot be had."""
    if submission.run is None or submission.sha256 is None:
        return None
    run = Path(submission.run)
    if "://" in submission.run:
        run = _FETCHED / f"{submission.sha256}{run.name[run.name.index('.') :]}"
        asked = PublishedInput(
            where=str(path),
            url=submission.run,
            sha256=submission.sha256,
            maximum_mb=_LARGEST_MB,
            download=ArchiveOptions(attempts=2),
        )
        try:
            if not run.is_file():
                provide(asked, run)
        except DataError:
            return None
    found = known_hash(run)
    if found != submission.sha256:
        raise DataError(f"{path}: the run {run} has the SHA-256 {found}, not {submission.sha256}")
    return run


def _group(shares: list[Shares], seed: int) -> list[int]:
    """Number the groups of rows, from 1; a row that differs from the first of its group begins one.

    Args:
        shares: reciprocal ranks / questions of each row, the best row first.
        seed: seed of the sign flips.
    """
    groups: list[int] = []
    signs = draw_signs(
        len(shares[0]) if shares else 0, np.random.default_rng(seed), samples=SAMPLES
    )
    while len(groups) < len(shares):
        first, *others = shares[len(groups) :]
        tests = [run_randomisation_test(one - first, signs).p for one in others]
        differ = [p <= LEVEL for p in adjust_by_holm(tests)]
        size = 1 + (differ.index(True) if True in differ else len(differ))
        groups += [groups[-1] + 1 if groups else 1] * size
    return groups


def _describe(entry: _Entry, groups: list[int], sampling: Sampling) -> Row:
    """Make the row of a submission; takes the number of its group off the beginning of groups."""
    of = entry.submission
    cells: dict[str, object] = {"group": groups.pop(0) if entry.shares else None, "model": of.model}
    for figure in get_args(Figure):
        known, shares = entry.mrr(figure), entry.shares.get(figure)
        values = [] if known is None else [known]
        if shares is not None:
            bounds = interval_of_sum(shares, sampling.draw(len(shares)).clusters)
            values += [bounds.low, bounds.high]
        figures = [format_number(value, 6) for value in values] or ["not known"]
        cells |= {f"{figure}_mrr{name}": cell for name, cell in zip_longest(_BOUNDS, figures)}
    cells["judged"] = None if entry.judged is None else format_number(entry.judged, 3)
    cells["figures"] = "computed" if entry.shares else "handed in"
    cells |= {"year": of.year, "training_data": of.training_data}
    cells |= {f"seen_{name}": said for name, said in of.seen}
    told = ("version", "seed", "by", "link", "run", "sha256")
    cells |= {name: value for name, value in of if name in told} | {"submission": entry.path.name}
    return name_cells(list(cells), [cells.values()])[0]
