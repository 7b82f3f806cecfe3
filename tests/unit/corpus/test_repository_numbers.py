"""The repositories of a corpus, numbered across its shards."""

import pyarrow as pa

from ncsbench.corpus.layout.layout import number_repositories


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
