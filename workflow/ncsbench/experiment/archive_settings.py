"""What the fetching of a dataset's archives is configured with."""

from __future__ import annotations

from pathlib import Path

from ncsbench.archives.download_options import ArchiveOptions
from ncsbench.archives.fetch_settings import FetchSettings
from ncsbench.configuration.files import read_yaml
from ncsbench.errors import ConfigurationError
from ncsbench.experiment.dataset_file import DatasetFile, find_dataset_file, load_dataset
from ncsbench.experiment.published_sources import check_known, load_published_inputs
from ncsbench.experiment.run_options import RunOptions

SIZES = Path("config/archive_sizes.csv")
"""Measured archives, from the folder of the Snakefile."""
_CONFIGURATION = Path("config/config.yaml")


def make_fetch_settings(run: RunOptions, dataset: DatasetFile, root: Path) -> FetchSettings:
    """The settings of the fetching job: the run's options go before the dataset's, key by key."""
    options = dataset.download.as_json() | run.download.as_json()
    return FetchSettings(
        repositories=Path(dataset.repositories),
        store=Path(dataset.source.path),
        sizes=root / SIZES,
        download=ArchiveOptions.parse(options, where=f"{dataset.name}: download"),
    )


def load_archive_dataset(name: str, root: Path = Path()) -> tuple[RunOptions, DatasetFile]:
    """A dataset whose source is archives, with the configuration, for commands by hand.

    Its list is got where it is a published input that is not there.

    Args:
        name: in config/datasets/, or the path of a dataset file.
        root: folder of the Snakefile.

    Raises:
        ConfigurationError: where it cannot be used, or has another source.
    """
    run = RunOptions.parse(
        {**read_yaml(root / _CONFIGURATION), "dataset": name}, where=str(root / _CONFIGURATION)
    )
    path = find_dataset_file(name, root)
    dataset = load_dataset(path, run.inputs)
    if dataset.source.kind != "archive":
        raise ConfigurationError(
            f"{path}: source.kind: is {dataset.source.kind!r}; only archives are fetched"
        )
    inputs = load_published_inputs(root, run.inputs.published, run.download)
    check_known(dataset.repositories, str(path), inputs)
    if dataset.repositories in inputs and not Path(dataset.repositories).exists():
        from ncsbench.archives.http_client import HttpClient
        from ncsbench.published_inputs.provision import get_published

        settings = inputs[dataset.repositories]
        client = HttpClient(settings.download)
        get_published(settings, Path(dataset.repositories), client=client)
    return run, dataset


def load_fetch_settings(name: str, root: Path = Path()) -> FetchSettings:
    """The settings of the fetching job of a dataset; errors as of ``load_archive_dataset``."""
    run, dataset = load_archive_dataset(name, root)
    return make_fetch_settings(run, dataset, root)
