"""The base of haystacks, held against the list of repositories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ncsbench.configuration.nearest_name import nearest
from ncsbench.errors import ConfigurationError
from ncsbench.sources.repositories import Repository, read_repositories


def check_base(base: Path, repositories: Sequence[Repository], dataset_file: Path) -> None:
    """The base of haystacks is a part of the repositories, and not all of them."""
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
