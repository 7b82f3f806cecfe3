"""Settings for the fetching of a dataset's archives."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import yaml

from ncsbench.base.configuration.files import read_yaml
from ncsbench.corpus.archives.download_options import ArchiveOptions, FetchSettings
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.pipeline.files.dataset_file import DatasetFile, find_dataset_file, load_dataset
from ncsbench.pipeline.files.run_options import RunOptions
from ncsbench.pipeline.runs.input_files import check_known, load_published_inputs
from ncsbench.posts.published_inputs.checksums import check_published, provide
from ncsbench.posts.published_inputs.source_files import PublishedInput

SIZES = Path("config/archive_sizes.csv")
"""File with the sizes of measured archives; the path is from the folder of the Snakefile."""
_CONFIGURATION = Path("config/config.yaml")
_LOG = logging.getLogger("list")


def make_fetch_settings(
    run: RunOptions, dataset: DatasetFile, root: Path, changes: Sequence[str] = ()
) -> FetchSettings:
    """Make the settings of the fetching job: the run's options precede the dataset's, key by key.

    Args:
        run: the configuration.
        dataset: the dataset file.
        root: folder of the Snakefile.
        changes: values of ``--config`` of a command by hand, to be named in messages.
    """
    options = dataset.download.as_json() | run.download.as_json()
    return FetchSettings(
        repositories=Path(dataset.repositories),
        store=Path(dataset.source.path),
        sizes=root / SIZES,
        arguments=" ".join(
            [f"--dataset {quote(run.dataset)}", *(f"--config {quote(one)}" for one in changes)]
        ),
        download=ArchiveOptions.parse(options, where=f"{dataset.name}: download"),
    )


def load_archive_dataset(
    name: str, changes: Sequence[str] = (), root: Path = Path(), *, get_list: bool = True
) -> tuple[RunOptions, DatasetFile]:
    """Load a dataset whose source is archives, with the configuration, for commands by hand.

    Args:
        name: name of the dataset in config/datasets/, or the path of a dataset file.
        changes: changes of the configuration, as ``read_assignments`` takes them.
        root: folder of the Snakefile.
        get_list: True where an absent list of repositories is got, if it is a published input.

    Raises:
        ConfigurationError: where the dataset cannot be used, or has another source.
        DataError: where the list is absent, or does not have its published checksum.
    """
    if not name:
        raise ConfigurationError("--dataset: is empty; name a dataset or its file")
    configuration = merge(read_yaml(root / _CONFIGURATION), read_assignments(changes))
    run = RunOptions.parse(
        {**configuration, "dataset": name}, where=str(root / _CONFIGURATION), texts=True
    )
    path = find_dataset_file(name, root)
    dataset = load_dataset(path, run.inputs)
    if dataset.source.kind != "archive":
        raise ConfigurationError(
            f"{path}: source.kind: is {dataset.source.kind!r}; only archives are fetched"
        )
    inputs = load_published_inputs(root, run.inputs.published, run.download)
    check_known(dataset.repositories, str(path), inputs)
    if dataset.repositories in inputs:
        if not Path(dataset.repositories).exists():
            _get(dataset.repositories, inputs[dataset.repositories], name, get=get_list)
        check_published({dataset.repositories: inputs[dataset.repositories]})
    return run, dataset


def _get(path: str, settings: PublishedInput, dataset: str, *, get: bool) -> None:
    if not get:
        raise DataError(
            f"{path}: is not there yet; get it: ncsbench corpus plan --dataset {quote(dataset)}"
        )
    if settings.folder is None:
        _LOG.info(
            "%s is not there yet: %s is asked for it, %d times at most, which may take minutes",
            *(path, settings.url, settings.download.attempts),
        )
    provide(settings, Path(path))


def load_fetch_settings(
    name: str, changes: Sequence[str] = (), root: Path = Path(), *, get_list: bool = True
) -> FetchSettings:
    """Load the settings of the fetching job of a dataset; arguments of ``load_archive_dataset``."""
    run, dataset = load_archive_dataset(name, changes, root, get_list=get_list)
    return make_fetch_settings(run, dataset, root, changes)


def read_assignments(texts: Sequence[str]) -> dict[str, Any]:
    """Read texts such as ``download={contact: me@example.org}``: keys with values in YAML.

    Raises:
        ConfigurationError: where a text is not a key and a value.
    """
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        try:
            values[key] = yaml.safe_load(value)
        except (yaml.YAMLError, ValueError, RecursionError):
            equals = ""
        if not key.isidentifier() or not equals:
            raise ConfigurationError(
                f"--config: {text!r} is no key and value, such as 'inputs={{published: folder}}'"
            )
    return values


def merge(configuration: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into a configuration; blocks are merged key by key."""
    merged = dict(configuration)
    for key, value in changes.items():
        before = merged.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        merged[key] = merge(before, value) if both else value  # type: ignore[arg-type]
    return merged
