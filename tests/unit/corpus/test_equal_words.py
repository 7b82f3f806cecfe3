"""Methods with equal words: which are, what the corpus keeps of them, and what finds the others."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import ncsbench
from ncsbench.base.files.csv_tables import read_rows
from ncsbench.base.files.storage import read_table, write_json
from ncsbench.code.java.java_terms import ItemKind
from ncsbench.corpus.layout.corpus_schemas import ITEM_SCHEMA, PLACE_SCHEMA
from ncsbench.corpus.layout.corpus_settings import Duplicates, WordOptions
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LEDGER_SCHEMA
from ncsbench.corpus.methods.duplicate_methods import find_first_methods
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository, read_repositories
from ncsbench.errors import ConfigurationError
from ncsbench.evaluation.haystacks.members import find_examples
from ncsbench.studies.ncsed.dataset_tables import write_dataset_tables
from ncsbench.studies.ncsed.table_settings import TableSettings
from tests.building import build_from

SAMPLE = "resources/sample"


def items(*methods: list[tuple[ItemKind, str]]) -> pa.Table:
    columns = [[[int(kind) for kind, _ in one], [text for _, text in one]] for one in methods]
    schema = pa.schema([ITEM_SCHEMA.field(name) for name in ("kinds", "texts")])
    return pa.table(list(zip(*columns, strict=True)), schema=schema)


def build(
    folder: Path, repositories: Path, names: list[str], duplicates: Duplicates, shards: int = 1
) -> CorpusFolder:
    """The corpus of the repositories ``names`` below a folder."""
    listed = [Repository(*name.split("/"), None) for name in names]
    source = open_source("directory", str(repositories))
    return build_from(folder, listed, source, shards=shards, duplicates=duplicates)


def write(folder: Path, files: dict[str, str]) -> list[str]:
    """Write Java files as ``owner/name/File.java`` and return their repositories."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return sorted({name.rsplit("/", 1)[0] for name in files})


def rows(corpus: CorpusFolder) -> list[tuple[int, str, int]]:
    table = pa.concat_tables(corpus.iterate_methods(["id", "filepath", "start_line"]))
    return [tuple(row.values()) for row in table.to_pylist()]


def left_out(corpus: CorpusFolder) -> list[tuple[object, ...]]:
    table = read_table(corpus.duplicates_path, PLACE_SCHEMA)
    return [tuple(row.values()) for row in table.to_pylist()]


def test_equal_are_the_same_words_in_the_same_order_dev_89() -> None:
    name, type_, call = ItemKind.METHOD_NAME, ItemKind.CLASS_NAME, ItemKind.INVOCATION
    tables = [
        items(
            [(type_, "Host"), (name, "readFile"), (call, "close")],
            [(type_, "Host"), (name, "read_file"), (call, "Close")],  # the same when split
            [(type_, "Other"), (name, "readFile"), (call, "close")],  # the class name counts
        ),
        items(
            [(type_, "Host"), (name, "readFile"), (call, "close"), (call, "close")],
            [(type_, "Host"), (call, "close"), (name, "readFile")],
            [(type_, "Host"), (name, "read"), (call, "fileclose")],
            [],
        ),
        items(
            # What gives no word by default makes no difference.
            [(type_, "Host"), (name, "readFile"), (ItemKind.CREATION, "Gear"), (call, "close")],
            [(type_, "Other"), (name, "readFile"), (call, "close")],
            [(name, "$")],
        ),
    ]
    assert find_first_methods(tables).tolist() == [0, 0, 2, 3, 4, 5, 6, 0, 2, 6]
    assert find_first_methods([]).tolist() == []


FILES = {
    "a/one/A.java": "class A {\n void go() { f(); }\n void stop() { g(); }\n}",
    "b/two/A.java": "class A {\n\n int go() { return f(); }\n void rest() { }\n}",
    "c/three/A.java": "class A { void go() { int x = 1; f(); } }",
    "d/four/B.java": "class B { void go() { f(); } }\nclass A { void rest() { /* */ } }",
}


def test_the_lowest_id_stands_for_its_copies_dev_89(tmp_path: Path) -> None:
    names = write(tmp_path / "java", FILES)
    corpus = build(tmp_path, tmp_path / "java", names, "equal_words", shards=3)
    assert rows(corpus) == [
        (0, "a/one/A.java", 2),
        (1, "a/one/A.java", 3),
        (2, "b/two/A.java", 4),
        (3, "d/four/B.java", 1),
    ]
    assert left_out(corpus) == [
        (0, "b/two", "A.java", 3, 3),
        (0, "c/three", "A.java", 1, 1),
        (2, "d/four", "B.java", 2, 2),
    ]
    manifest = corpus.manifest()
    assert (manifest["duplicates"], manifest["methods"], manifest["left_out"]["duplicates"]) == (
        *("equal_words", 4, 3),
    )
    # One shard has nothing left.
    assert [tuple(shard.values()) for shard in manifest["shards"]] == [(0, 3), (3, 0), (3, 1)]
    ledger = read_table(corpus.ledger_path, LEDGER_SCHEMA)
    of_files = ledger.filter(ledger["path"].is_valid())
    assert sum(of_files["methods"].to_pylist()) == 7  # what was extracted
    assert [row["start_line"] for row in corpus.read_methods([2, 3], ["start_line"]).values()] == [
        *(4, 1),
    ]
    documents = build_documents(corpus, WordOptions())
    assert len(documents) == len({documents.words[id_].tobytes() for id_ in range(4)}) == 4


def test_a_shard_may_hold_nothing_but_copies(tmp_path: Path) -> None:
    names = write(tmp_path / "java", {name: FILES[name] for name in list(FILES)[:3]})
    corpus = build(tmp_path, tmp_path / "java", names, "equal_words", shards=3)
    assert [shard["methods"] for shard in corpus.manifest()["shards"]] == [2, 1, 0]
    assert len(build_documents(corpus, WordOptions())) == 3
    assert corpus.read_lines().tolist() == [1, 1, 1]


def test_kept_is_the_corpus_as_it_always_was(tmp_path: Path) -> None:
    names = write(tmp_path / "java", FILES)
    corpus = build(tmp_path, tmp_path / "java", names, "kept")
    assert [id_ for id_, *_ in rows(corpus)] == list(range(7))
    assert left_out(corpus) == []
    manifest = corpus.manifest()
    assert (manifest["duplicates"], manifest["methods"]) == ("kept", 7)
    assert set(manifest["left_out"].values()) == {0}
    # A copy that an earlier run left out is not looked for.
    corpus.duplicates_path.unlink()
    assert sum(map(len, corpus.iterate_places())) == 7


def test_the_sample_without_copies_does_not_depend_on_the_shards(
    root: Path, tmp_path: Path
) -> None:
    """Of the sample, beside a fork of one of its repositories; near copies stay."""
    listed = read_repositories(root / SAMPLE / "repositories.csv").repositories
    shutil.copytree(root / SAMPLE / "repositories", tmp_path / "java")
    fork = "zfork/brushpad"
    shutil.copytree(tmp_path / "java/northpixel/brushpad", tmp_path / "java" / fork)
    names = [*(repository.full_name for repository in listed), fork]
    kept = build(tmp_path / "kept", tmp_path / "java", names, "kept")
    found = []
    for shards in (1, 5):
        folder = tmp_path / str(shards)
        corpus = build(folder, tmp_path / "java", names, "equal_words", shards=shards)
        table = pa.concat_tables(corpus.iterate_methods(["id", "filepath", "method_name"]))
        found.append((table.to_pydict(), corpus.duplicates_path.read_bytes()))
        assert corpus.manifest()["corpus_hash"] != kept.manifest()["corpus_hash"]
    assert found[0] == found[1]
    columns = found[0][0]
    assert columns["id"] == list(range(len(columns["id"])))
    assert not any(path.startswith(fork) for path in columns["filepath"])
    copies = left_out(corpus)
    of_fork = [row for row in copies if row[1] == fork]
    original = [path for path in columns["filepath"] if path.startswith("northpixel/brushpad/")]
    assert len(of_fork) == len(original) > 50
    assert [row[0] for row in of_fork] == [
        id_
        for id_, path in zip(columns["id"], columns["filepath"], strict=True)
        if path.startswith("northpixel/brushpad/")
    ]
    assert len(columns["id"]) + len(copies) == kept.manifest()["methods"]
    # The marked copies have other names, other class names or other comments.
    there = set(zip(columns["filepath"], columns["method_name"], strict=True))
    header = [f"{what}_{side}" for side in "ab" for what in ("filepath", "method")]
    for row in read_rows(root / SAMPLE / "copies.csv", header):
        assert {(row["filepath_a"], row["method_a"]), (row["filepath_b"], row["method_b"])} <= there


def test_examples_are_found_as_the_method_that_stands_for_them_dev_89(tmp_path: Path) -> None:
    names = write(tmp_path / "java", FILES)
    corpus = build(tmp_path, tmp_path / "java", names, "equal_words")
    link = "https://github.com/{}/blob/0f0f/A.java#L{}"
    links = {
        1: [link.format("c/three", "1"), link.format("a/one", "2-L2"), link.format("a/one", "9")],
        2: [link.format("b/two", "4"), link.format("b/two", "3")],
    }
    found = find_examples(links, corpus.iterate_places()).to_pylist()
    assert [(row["query_id"], row["rank"], row["id"]) for row in found] == [
        *((1, 1, 0), (1, 2, 0), (2, 1, 2), (2, 2, 0)),
    ]


def test_a_corpus_that_was_built_otherwise_ends_in_one_line(tmp_path: Path) -> None:
    names = write(tmp_path / "java", FILES)
    corpus = build(tmp_path, tmp_path / "java", names, "equal_words")
    corpus.check_duplicates("equal_words")
    message = (
        "manifest.json: the corpus was built with 'duplicates: equal_words', but the dataset says "
        "'kept'; build it again or change the dataset file"
    )
    with pytest.raises(ConfigurationError, match=message):
        ncsbench.load_corpus(corpus.path, duplicates="kept")
    assert len(ncsbench.load_corpus(corpus.path, duplicates="equal_words")) == 4
    settings = TableSettings(
        dataset="d", models=(), comparisons=(), ablations=(), other_judges=(), baseline="b"
    )
    names = ("questions", "answers", "judgements", "published", "score_sheet", "results", "output")
    absent = dict.fromkeys(names, tmp_path / "none")
    with pytest.raises(ConfigurationError, match=message):
        write_dataset_tables(settings, corpus=corpus, **absent)


def test_corpora_from_before_kept_all(tmp_path: Path) -> None:
    write_json(tmp_path / "manifest.json", {"shards": []})
    CorpusFolder(tmp_path).check_duplicates("kept")
    with pytest.raises(ConfigurationError, match="'duplicates: kept', but"):
        CorpusFolder(tmp_path).check_duplicates("equal_words")


def test_equal_hashes_go_to_the_lowest_position_whatever_their_order() -> None:
    generator = np.random.default_rng(5)
    numbers = generator.integers(0, 300, 2000)
    table = items(*([(ItemKind.METHOD_NAME, f"m{number}")] for number in numbers))
    expected = [numbers.tolist().index(number) for number in numbers]
    parts = [table.slice(start, 7) for start in range(0, len(table), 7)]
    assert find_first_methods(parts).tolist() == expected
