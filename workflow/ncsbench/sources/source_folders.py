"""Where a repository is looked for on this machine: paths with ``{owner}`` and ``{repo}``."""

from __future__ import annotations

from pathlib import Path

from ncsbench.sources.repositories import Repository


def find_fixed_folder(template: str) -> Path:
    """What a path template names whoever owns a repository: the folders before a placeholder.

    ``sources/of-{owner}/{repo}`` gives ``sources``; a path without a placeholder is given whole.
    """
    start, brace, _ = template.partition("{")
    return Path(start + "x").parent if brace else Path(template)


def find_folder(path: str, repository: Repository) -> Path:
    """Where a repository is looked for: ``<path>/<owner>/<repo>``, or a template filled in."""
    template = path if "{" in path else f"{path}/{{owner}}/{{repo}}"
    return Path(template.replace("{owner}", repository.owner).replace("{repo}", repository.name))
