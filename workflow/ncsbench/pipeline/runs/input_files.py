"""The files and folders that a run reads and did not make, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.base.configuration.files import list_names, read_yaml
from ncsbench.base.files.hashes import hash_input
from ncsbench.corpus.archives.download_options import ArchiveOptions
from ncsbench.corpus.sources.source_at_hand import SourceAtHand
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.pairs.training_pairs.pair_options import PairOptions, find_raw_path
from ncsbench.pipeline.files.dataset_file import DatasetFile
from ncsbench.posts.published_inputs.source_files import (
    FOLDER,
    PublishedInput,
    PublishedSource,
    is_published_input,
)


def describe_input(path: str, published: Mapping[str, PublishedInput]) -> dict[str, str | None]:
    """Describe the state of a raw input: its path and the SHA-256 of its content.

    The SHA-256 is None for a missing input; the rule that reads the input reports that. For a
    published input it is the configured SHA-256, whether or not the file is there, so that the run
    that gets the file does not differ from the next run.

    Args:
        path: path of a file or folder.
        published: files of others that a rule gets where they are absent, by path.
    """
    if path in published:
        return {"path": path, "sha256": published[path].sha256}
    place = Path(path)
    return {"path": path, "sha256": hash_input(place) if place.exists() else None}


def find_raw_inputs(
    dataset: DatasetFile,
    source: SourceAtHand,
    pair_sets: Mapping[str, PairOptions],
    figures: Path,
    of_models: Mapping[str, str],
) -> dict[str, str]:
    """List the files and folders that a run reads and did not make: paths by name.

    Args:
        dataset: the checked dataset file.
        source: the dataset's source on this machine.
        pair_sets: options of the sets of training pairs that can be made.
        figures: folder of the published figures.
        of_models: paths of files that indexes of models are made from, by name.

    Raises:
        ConfigurationError: where local clones are read and the list of repositories is absent.
    """
    posts = dataset.posts
    files = {
        "repositories": dataset.repositories,
        "posts": None if posts is None else posts.path,
        "users": None if posts is None else posts.users,
        "links": None if posts is None else posts.links,
        "haystack_base": None if dataset.haystacks is None else dataset.haystacks.base,
        **{f"questions-{number}": path for number, path in enumerate(dataset.questions)},
        **{f"gold-{number}": path for number, path in enumerate(dataset.gold)},
        **{f"released-{number}": path for number, path in enumerate(dataset.released_methods)},
        **{
            f"pairs-{name}": path
            for name, options in pair_sets.items()
            if (path := find_raw_path(options))
        },
        **{f"published-{path.stem}": path for path in sorted(figures.glob("*.csv"))},
        **of_models,
    }
    if dataset.source.kind == "git" and not source.repositories:
        raise ConfigurationError(
            f"{dataset.repositories} is not there yet, and local clones are looked for by it; get "
            f"it first: snakemake --cores 1 --config dataset=sample -- {dataset.repositories}"
        )
    return {name: str(path) for name, path in files.items() if path}


_DEFAULT = ArchiveOptions()


def load_published_inputs(
    root: Path, folder: Path | None = None, download: ArchiveOptions = _DEFAULT
) -> dict[str, PublishedInput]:
    """Load the settings of all files of all sources in ``config/sources/``, by the files' paths.

    Args:
        root: folder of the Snakefile.
        folder: folder that files are copied from instead of being downloaded.
        download: options for requests to servers.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    inputs: dict[str, PublishedInput] = {}
    for name in list_names(root / "config" / "sources"):
        where = f"config/sources/{name}.yaml"
        source = PublishedSource.parse(read_yaml(root / where), where=where)
        for file in source.files:
            inputs[f"{FOLDER}/{name}/{file.name}"] = PublishedInput(
                where=where,
                url=source.url + file.path,
                mirrors=tuple(mirror + file.path for mirror in source.mirrors),
                sha256=file.sha256,
                md5=file.md5,
                bytes=file.bytes,
                maximum_mb=file.maximum_mb,
                folder=folder,
                download=download,
            )
    return inputs


def check_known(path: str, where: str, inputs: Mapping[str, PublishedInput]) -> None:
    """Check that a path, if it is that of a published input, names a file of a source.

    Raises:
        ConfigurationError: where no source has the file.
    """
    if is_published_input(path) and path not in inputs:
        raise ConfigurationError(
            f"{where}: {path} is no file of a source in config/sources/; "
            f"{nearest(path, sorted(inputs))}"
        )
