"""Reading a corpus across its shards: rows of methods, and the numbers of repositories."""

from pathlib import Path

import pyarrow as pa
import pytest

from ncsbench.corpus.layout.layout import CorpusFolder, number_repositories
from ncsbench.errors import DataError
from tests.sample_corpus import build_sample_corpus


class FakeCorpus:
    def __init__(self, *tables: list[str]) -> None:
        self.tables = tables

    def iterate_methods(self, columns: list[str]):  # type: ignore[no-untyped-def]
        assert columns == ["repository"]
        yield from (pa.table({"repository": pa.array(names, pa.string())}) for names in self.tables)


def test_repositories_are_numbered_across_shards() -> None:
    corpus = FakeCorpus(["a", "a"], ["a", "b", "c"], [], ["c"])
    numbers, names = number_repositories(corpus)  # type: ignore[arg-type]
    assert numbers.tolist() == [0, 0, 0, 1, 2, 2] and names == ["a", "b", "c"]


def test_an_empty_corpus_has_no_repository() -> None:
    numbers, names = number_repositories(FakeCorpus())  # type: ignore[arg-type]
    assert numbers.tolist() == names == []


def test_few_rows_and_many_are_read_alike(root: Path, tmp_path: Path) -> None:
    corpus = CorpusFolder(build_sample_corpus(root, tmp_path))
    columns = ["repository", "path", "start_line", "code"]
    many = corpus.read_methods(range(925), columns)
    few = {
        id_: row
        for start in range(0, 925, 185)
        for id_, row in corpus.read_methods(range(start, start + 185), columns).items()
    }
    assert list(many) == list(range(925)) and few == many
    with pytest.raises(DataError, match="has no method 925"):
        corpus.read_methods([3, 925], columns)
