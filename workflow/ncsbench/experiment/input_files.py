"""The files and folders that a run reads and did not make, by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ncsbench.errors import ConfigurationError
from ncsbench.experiment.dataset_file import DatasetFile
from ncsbench.pairs.pair_options import PairOptions, find_raw_path
from ncsbench.published_inputs.source_files import PublishedInput
from ncsbench.run_control.raw_inputs import RawInputs
from ncsbench.sources.source_at_hand import SourceAtHand


def find_raw_inputs(
    dataset: DatasetFile,
    source: SourceAtHand,
    pair_sets: Mapping[str, PairOptions],
    figures: Path,
    published: Mapping[str, PublishedInput],
    of_models: Mapping[str, str],
) -> RawInputs:
    """Name the raw inputs of a dataset.

    Args:
        dataset: the checked dataset file.
        source: its source, as it lies on this machine.
        pair_sets: options of the sets of training pairs that can be made.
        figures: folder of the published figures.
        published: what the workflow itself gets, by path.
        of_models: paths of what indexes of models are made from, by name.

    Raises:
        ConfigurationError: where clones are to be looked for by a list that is not there yet.
    """
    posts = dataset.posts
    files = {
        "repositories": dataset.repositories,
        "posts": None if posts is None else posts.path,
        "users": None if posts is None else posts.users,
        "links": None if posts is None else posts.links,
        "haystack_base": None if dataset.haystacks is None else dataset.haystacks.base,
        **{f"questions-{number}": path for number, path in enumerate(dataset.questions)},
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
    named = {name: str(path) for name, path in files.items() if path}
    return RawInputs(
        named,
        dataset.source.as_json(),
        source.hash,
        {path: published[path].sha256 for path in named.values() if path in published},
    )
