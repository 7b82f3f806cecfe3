"""The configuration of one run: Snakemake's configuration, checked and resolved."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.corpus.archives.download_options import FetchSettings
from ncsbench.corpus.sources.collection_source import LISTED
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.corpus.sources.source_at_hand import SourceAtHand
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.evaluation.haystacks.haystack_options import name_haystacks
from ncsbench.evaluation.published.verdict_options import SYSTEM_COLUMNS, SYSTEMS_FILE
from ncsbench.pairs.training_pairs.pair_options import PairOptions
from ncsbench.pipeline.files.dataset_file import (
    DatasetFile,
    find_dataset_file,
    leave_out_absent,
    load_dataset,
)
from ncsbench.pipeline.files.model_checks import (
    check_models,
    check_names,
    check_trained,
    read_comparisons,
)
from ncsbench.pipeline.files.model_configuration import ModelConfiguration, list_made, share_indexes
from ncsbench.pipeline.files.model_files import load_model, read_stop_words
from ncsbench.pipeline.files.run_options import WHERE, RunOptions
from ncsbench.pipeline.freshness.rule_code import RuleCode
from ncsbench.pipeline.runs.archive_settings import make_fetch_settings
from ncsbench.pipeline.runs.input_files import (
    check_known,
    find_raw_inputs,
    load_published_inputs,
)
from ncsbench.pipeline.runs.named_run import describe_code_and_inputs, name_settings
from ncsbench.pipeline.runs.row_models import (
    load_pair_sets,
    load_rows,
    make_notices,
    resize,
)
from ncsbench.pipeline.runs.stage_settings import make_settings
from ncsbench.pipeline.trials.studies import Study, describe_unchanged, load_study
from ncsbench.pipeline.trials.trials import (
    check_shared,
    describe_trial,
    read_configured_models,
    share_settings,
)
from ncsbench.pipeline.trials.variants import (
    MicroModels,
    Variants,
    make_micro_models,
    make_variants,
)
from ncsbench.posts.published_inputs.checksums import check_published
from ncsbench.posts.published_inputs.source_files import PublishedInput, settings_of
from ncsbench.posts.questions.question_entries import read_entries
from ncsbench.posts.questions.selection_options import LINK_ORDERS


def check_base(base: Path, repositories: Sequence[Repository], dataset_file: Path) -> None:
    """Check that the base of haystacks is a part of the repositories, and not all of them."""
    known = {one.full_name for one in repositories}
    names = [one.full_name for one in read_repositories(base).repositories]
    for name in names:
        if name not in known:
            raise ConfigurationError(
                f"{dataset_file}: haystacks.base: {base} names {name}, which is not among the "
                f"repositories of the dataset; {nearest(name, sorted(known))}"
            )
    if len(names) == len(known):
        raise ConfigurationError(
            f"{dataset_file}: haystacks.base: {base} names all repositories; the others would be "
            "the distractors"
        )


_SCORE_SHEET = "score_sheet.csv"


@dataclass(frozen=True)
class RunConfiguration:
    """A checked configuration.

    Attributes:
        dataset: name of the dataset.
        trial: name of the trial that the tables belong to; None for tables of the dataset.
        part: name of the part of the questions that the tables are made for; None for all.
        file: the dataset file, without ``posts`` where their file is absent; where the file names
            no questions, ``questions`` names the file of the selected questions.
        questions_are_selected: True where the workflow itself makes the file of the questions,
            from the posts.
        ordered_by_links: True where candidate questions are ordered by the links to them.
        archives: settings for fetching the archives of the repositories; None for another source.
        trained_in: the dataset that word vectors, expansions and weights are made in.
        judged: True where judges compare answers of questions with methods; False where gold says
            what is right, and no question has an answer.
        over_repositories: True where intervals over repositories are made.
        models: rows of the table in order, the chance and length baselines first
            where they were not asked for.
        left_out: reasons why models that were asked for cannot be made, by name of the model.
        notices: lines for the user about requests that cannot be met.
        variants: models that the tables use beside the rows.
        micro: models of the micro-benchmark.
        runs: all models that make a ranking, by name: the rows, their variants and the models of
            the micro-benchmark.
        indexes: the models that an index is made for, by name.
        index_of: the model whose index a model searches, by name of the searching model.
        pairs: options of the sets of training pairs that can be made, by name.
        source: the repositories, as they lie on this machine.
        inputs: paths of the files and folders that the run reads and did not make, by name.
        published: files of others that a rule gets where they are absent, by path.
        settings: settings of each stage, by path below the data folder.
    """

    dataset: str
    trial: str | None
    part: str | None
    file: DatasetFile
    questions_are_selected: bool
    ordered_by_links: bool
    archives: FetchSettings | None
    trained_in: str
    judged: bool
    over_repositories: bool
    models: dict[str, ModelConfiguration]
    left_out: dict[str, str]
    notices: list[str]
    variants: Variants
    micro: MicroModels
    runs: dict[str, ModelConfiguration]
    indexes: dict[str, ModelConfiguration]
    index_of: dict[str, ModelConfiguration]
    pairs: dict[str, PairOptions]
    source: SourceAtHand
    inputs: dict[str, str]
    published: dict[str, PublishedInput]
    settings: dict[str, Any]

    @property
    def published_inputs(self) -> list[str]:
        """Inputs of the run that a rule gets where they are absent."""
        return [path for path in dict.fromkeys(self.inputs.values()) if path in self.published]

    def check_source(self) -> None:
        """Raise ``ConfigurationError`` where no listed repository can be read."""
        reason = self.source.explain_none()
        if reason:
            raise ConfigurationError(f"{self.file.repositories}: {reason}")

    def describe(self, *, rules: Mapping[str, RuleCode], library: Path) -> dict[str, Any]:
        """Make the content of every settings file: of stages, raw inputs and code.

        Args:
            rules: the command of each rule.
            library: folder of the package ``ncsbench``.

        Raises:
            DataError: where an input cannot be read, or a published input has another checksum.
        """
        check_published({path: self.published[path] for path in self.published_inputs})
        kinds = [kind for model in self.runs.values() for kind in model.specification.kinds]
        settings = describe_code_and_inputs(rules, kinds, library, self.inputs, self.published)
        settings["inputs/source"] = {**self.file.source.as_json(), "sha256": self.source.hash()}
        return {**self.settings, **name_settings(self.dataset, settings)}


def load_run(config: Mapping[str, Any], *, root: Path) -> RunConfiguration:
    """Check Snakemake's configuration, everything it names, and that the raw inputs can be read.

    Args:
        config: the merged configuration.
        root: folder of the Snakefile, with ``config/``.

    Raises:
        NcsbenchError: with one line that says what is wrong and where.
    """
    given = {"comparisons": read_comparisons(root), **config}
    run = RunOptions.parse(given, where=WHERE, texts=True)
    study = None
    if run.study is not None:
        study = load_study(run.study, root)
        run = study.place(run)
    if run.trial is None:
        return _resolve(run, root)
    # An artifact that several models share has the name of the first: so models of the dataset's
    # tables are resolved together with those of the trial.
    own, configured = _resolve(run, root, study, further=False), read_configured_models(root)
    # Rows that the user or a study did not choose may lack their data, as in other tables.
    chosen = study is None and list(run.models) != configured
    if own.left_out and (chosen or len(own.left_out) == len(set(run.models))):
        reasons = "; ".join(f"{name}: {reason}" for name, reason in own.left_out.items())
        raise ConfigurationError(
            f"trial {run.trial}: cannot be made for {own.dataset}: {reasons}; what to take instead "
            "is in docs/datasets.md#which-rows-can-be-made-again"
        )
    whole = _resolve(run.changed(models=configured), root, study, also=run.models)
    shared = share_settings(whole.settings, own.settings, dataset=own.dataset, trial=run.trial)
    check_shared(shared, dataset=own.dataset, where=WHERE)
    return replace(
        whole,
        trial=run.trial,
        models=own.models,
        left_out=own.left_out,
        notices=[
            *own.notices,
            *([] if study is None else describe_unchanged(study, own.models)),
            describe_trial(own.dataset, run.trial),
        ],
        variants=own.variants,
        settings=shared,
    )


def _resolve(
    run: RunOptions,
    root: Path,
    study: Study | None = None,
    *,
    further: bool = True,
    also: Sequence[str] = (),
) -> RunConfiguration:
    """Resolve all that a run of some rows needs.

    Args:
        run: the options of the run.
        root: folder of the Snakefile.
        study: the study that defines some rows; None where each row has a model file.
        further: True where the further models of the dataset are rows, too.
        also: models of further rows behind these, which are the rows of a trial. Where given,
            names in the options and what another dataset trained were checked before for the
            trial, and are not checked for rows that it does not make.
    """
    dataset_file = find_dataset_file(run.dataset, root)
    dataset, notices = leave_out_absent(load_dataset(dataset_file, run.inputs))
    changed = {} if study is None else study.rows
    if study is not None:
        replicates = study.replicate(dataset.replicates, alone=not further)
        kept = dataset.ablations if further else ()
        dataset = dataset.model_copy(update={"replicates": replicates, "ablations": kept})
    released = load_published_inputs(root, run.inputs.published, run.download)
    by_links = dataset.posts is not None and run.selection.popularity in LINK_ORDERS
    if dataset.posts is not None and by_links and dataset.posts.links is None:
        raise ConfigurationError(
            f"{WHERE}: selection.popularity: {run.selection.popularity!r} needs the links of the "
            f"dump; name PostLinks.xml as posts.links in {dataset_file}, or choose views or score"
        )
    published = Path(os.path.relpath(root / "config" / "published"))
    pairs, absent = load_pair_sets(
        root, with_posts=dataset.posts is not None, files=run.inputs.pairs
    )
    for path in filter(None, (dataset.repositories, *dataset.questions)):
        check_known(path, str(dataset_file), released)
    is_collection = dataset.source.kind == "collection"
    repositories = (
        LISTED.repositories if is_collection else _read_list(dataset.repositories, released)
    )
    source = SourceAtHand(dataset.source, repositories, Path("data", dataset.name))
    if not also:
        check_names(run, dataset, root, dataset_file, changed)
    if dataset.haystacks is not None and repositories:
        check_base(dataset.haystacks.base, repositories, dataset_file)
    added = dataset.further_models if further else ()
    names = list(dict.fromkeys([*run.models, *added, *also]))
    load = partial(load_model, root=root, stop_words=run.stop_words, seed=run.seed, changed=changed)
    models, left_out = load_rows(names, load, pairs, absent)
    fit = partial(resize, dimension=dataset.embedding.dimension, dataset_file=dataset_file)
    models = {name: fit(model) for name, model in models.items()}
    systems = [row["system"] for row in read_rows(published / SYSTEMS_FILE, SYSTEM_COLUMNS)]
    check_models(models.values(), systems)
    ablations = _choose_ablations(dataset, published, released)
    selected = not dataset.questions
    if selected:
        made = f"results/{dataset.name}/selected/questions.json"
        dataset = dataset.model_copy(update={"questions": (made,)})
    variants = make_variants(
        models,
        # The model with the run's own seed is the model itself, not one more replicate of it.
        replicates=dataset.replicates.changed(
            seeds=[seed for seed in dataset.replicates.seeds if seed != run.seed]
        ),
        ablations=ablations,
        haystacks=() if dataset.haystacks is None else name_haystacks(dataset.haystacks.steps),
    )

    # A name means one model, whether or not the model is a row, since its index has this name, too.
    micro = make_micro_models(
        run.micro_benchmark, lambda name: models[name] if name in models else fit(load(name))
    )
    runs = {**micro.by_name, **models, **variants.by_name}
    if dataset.trained_in and not also:
        rows = list_made(runs[name].indexed for name in [*models, *variants.for_tables])
        check_trained(rows, dataset.trained_in, dataset_file)
    stop_words = read_stop_words(root / run.stop_words)
    of_models = {name: path for model in runs.values() for name, path in model.files.items()}
    inputs = find_raw_inputs(dataset, source, pairs, published, of_models)
    index_of = share_indexes({**models, **variants.by_name, **micro.by_name}.values())
    archives = None
    if dataset.source.kind == "archive":
        relative = Path(os.path.relpath(root))
        archives = make_fetch_settings(run, dataset, relative)
    resolved = RunConfiguration(
        dataset=dataset.name,
        trial=None,
        part=_check_part(run.part, dataset.parts, dataset_file),
        file=dataset,
        questions_are_selected=selected,
        ordered_by_links=by_links,
        archives=archives,
        trained_in=dataset.trained_in or dataset.name,
        judged=not dataset.gold or _has_answers(dataset.questions),
        over_repositories=run.repositories.samples > 0,
        models=models,
        left_out=left_out,
        notices=notices,
        variants=variants,
        micro=micro,
        runs=runs,
        indexes={index.name: index for index in index_of.values()},
        index_of=index_of,
        pairs=pairs,
        source=source,
        inputs=inputs,
        published=released,
        settings={},
    )
    return replace(
        resolved,
        notices=[*notices, *make_notices(run, resolved)],
        settings={
            **make_settings(run, resolved, stop_words),
            **{settings_of(path): one.as_json() for path, one in released.items()},
            **({f"{dataset.name}/settings/fetch.json": archives.as_json()} if archives else {}),
        },
    )


def _check_part(name: str | None, parts: Collection[str], file: Path) -> str | None:
    if name is not None and name not in parts:
        known = nearest(name, sorted(parts)) if parts else "it has no parts; leave part out"
        raise ConfigurationError(f"{WHERE}: part: {file} has no part {name!r}; {known}")
    return name


def _read_list(path: str, released: Collection[str]) -> list[Repository]:
    """Read the listed repositories; empty where a rule has not got the list yet."""
    if path in released and not Path(path).exists():
        return []
    return read_repositories(Path(path)).repositories


def _has_answers(questions: Sequence[str]) -> bool:
    entries = read_entries([Path(path) for path in questions], answered=False)
    return any(entry["answer"] for entry in entries)


def _choose_ablations(
    dataset: DatasetFile, published: Path, released: Collection[str]
) -> list[str]:
    """Choose the ablations that can be made: all for published questions, else an empty list.

    Questions are checked where their files exist; the stage that reads them checks them, too. For
    published files the choice is the same whether or not they exist.
    """
    entries: list[dict[str, Any]] = []
    if dataset.gold:
        return []
    if all(path not in released or Path(path).exists() for path in dataset.questions):
        entries = read_entries([Path(path) for path in dataset.questions])
    elif dataset.ablations and any(path in released for path in dataset.questions):
        return list(dataset.ablations)
    if not dataset.ablations or not entries:
        return []
    # Imported here, since this module imports much that most runs need not wait for.
    from ncsbench.evaluation.measures.score_sheet import are_published

    if not are_published(entries, published / _SCORE_SHEET):
        return []
    return list(dataset.ablations)
