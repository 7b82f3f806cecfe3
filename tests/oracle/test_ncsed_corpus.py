"""Our corpus of the development repositories against the released examples."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ncsbench.code.java.java_methods import parse_methods
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import read_repositories
from tests.building import read_repository


@pytest.fixture(scope="module")
def clones(root: Path) -> Path:
    folder = root / "clones"
    if not folder.is_dir():
        pytest.skip("needs clones/ (local clones of the NCSED repositories, docs/datasets.md)")
    return folder


@pytest.mark.shared
def test_all_published_examples_at_hand_are_in_the_corpus(shared: Path, clones: Path) -> None:
    with (shared / "data/ncsed/examples-dev.csv").open(newline="") as file:
        slots = [row for row in csv.DictReader(file) if row["in_repos_dev"] == "1"]
    wanted = {(row["repo"], row["path"]) for row in slots}
    source = open_source("git", str(clones / "{owner}" / "{repo}"))
    spans = set()
    for repository in read_repositories(shared / "data/ncsed/repos-dev.csv").repositories:
        if any(repo == repository.full_name for repo, _ in wanted):
            for file in read_repository(source, repository):
                if (repository.full_name, file.path) in wanted and file.data:
                    for method in parse_methods(file.data).methods:
                        key = (repository.full_name, file.path)
                        spans.add((*key, method.start_line, method.end_line))
    missing = [
        row
        for row in slots
        if (row["repo"], row["path"], int(row["start_line"]), int(row["end_line"])) not in spans
    ]
    assert len(slots) == 156
    assert missing == []
