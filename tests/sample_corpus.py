"""The corpus of the embedded sample, built without Snakemake."""

from pathlib import Path

from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import read_repositories
from tests.building import build_from


def build_sample_corpus(root: Path, folder: Path, *, left_out: int = 0) -> Path:
    """Build the corpus, without its first repositories, in ``folder/corpus``; return that path."""
    listed = read_repositories(root / "resources/sample/repositories.csv")
    source = open_source(kind="directory", path=str(root / "resources/sample/repositories"))
    return build_from(folder, listed.repositories[left_out:], source).path
