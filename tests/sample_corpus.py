"""The corpus of the embedded sample, built without Snakemake."""

from __future__ import annotations

from pathlib import Path

from ncsbench.corpus.assembly import build_corpus
from ncsbench.corpus.extraction import extract_methods
from ncsbench.corpus.layout import CorpusFolder
from ncsbench.corpus.repositories import read_repositories
from ncsbench.corpus.sources import open_source


def build_sample_corpus(root: Path, folder: Path, *, left_out: int = 0) -> Path:
    """Build the corpus, without its first repositories, in ``folder/corpus``; return that path."""
    listed = read_repositories(root / "resources/sample/repositories.csv")
    source = open_source(kind="directory", path=str(root / "resources/sample/repositories"))
    methods, ledger = folder / "extracted.parquet", folder / "ledger.parquet"
    extract_methods(listed.repositories[left_out:], source, methods=methods, ledger=ledger)
    build_corpus(
        extracted=[methods],
        ledgers=[ledger],
        rejected=listed.rejected,
        corpus=CorpusFolder(folder / "corpus"),
    )
    return folder / "corpus"
