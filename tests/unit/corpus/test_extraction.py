"""Repositories to corpus: hostile files, the ledger, ids, and the documents made from them."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ncsbench.base.files.csv_tables import read_rows
from ncsbench.corpus.layout.corpus_record import COLUMNS, write_repository_ledger
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.corpus_settings import WordOptions
from ncsbench.corpus.layout.documents import load_documents, save_documents
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger import summarise, warn_of_lost
from ncsbench.corpus.layout.ledger_schema import CR_LINES, LEDGER_SCHEMA
from ncsbench.corpus.methods.extraction import extract_methods
from ncsbench.corpus.methods.word_extraction import build_documents
from ncsbench.corpus.sources.inventory import iterate_shard
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.errors import DataError
from tests.building import build_from

METHOD = "class C {\n  /** Doc. */\n  void m() { call(); }\n}\n"
FILES: dict[str, bytes] = {
    "bom.java": b"\xef\xbb\xbf" + METHOD.encode(),
    "latin.java": 'class C { void m() { f("é"); } }'.encode("latin-1"),
    "cr.java": METHOD.replace("\n", "\r").encode(),
    "nul.java": b"class C { void m() { f(); \0 } }",
    "long.java": b"class C { void m() { f(); } /*" + b"x" * 4_000_000 + b"*/ }",
    "huge.java": b"class C { void m() { f(); } /*" + b"x" * 10_000_000 + b"*/ }",
    "nested.java": ("class C { void m() {" + "{" * 5000 + "}" * 5000 + "} }").encode(),
    "utf16.java": METHOD.encode("utf-16"),
    "empty.java": b"",
    "broken.java": b"class C { void m( { ",
}


def build(
    folder: Path, files: dict[str, bytes], *, shards: int = 1, absent: tuple[str, ...] = ()
) -> CorpusFolder:
    """A corpus of one repository ``o/r`` with ``files``, and repositories that are not there."""
    for name, data in files.items():
        path = folder / "repositories" / "o" / "r" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    repositories = [Repository("o", name, None) for name in ("r", *absent)]
    path = str(folder / "repositories")
    return build_from(
        folder,
        repositories,
        open_source("directory", path),
        shards=shards,
        rejected=[("nonsense", "is not owner/name")],
        source_path=path,
    )


def test_the_ledger_of_repositories_sums_that_of_files(tmp_path: Path) -> None:
    corpus = build(tmp_path, FILES, absent=("a", "z"), shards=3)
    write_repository_ledger(tmp_path, corpus)
    rows = [list(row.values()) for row in read_rows(tmp_path / "ledger.csv", COLUMNS)]
    zeros = ["0"] * 5
    assert rows == [
        ["nonsense", "", "skipped", "is not owner/name", *zeros],
        ["o/a", "", "skipped", "folder not found", *zeros],
        ["o/r", "", "taken", "", "9", "1", str(corpus.manifest()["methods"]), "0", "0"],
        ["o/z", "", "skipped", "folder not found", *zeros],
    ]


def test_what_gave_no_method_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    none = tmp_path / "repositories" / "o" / "none"
    none.mkdir(parents=True)
    (none / "None.java").write_text("interface None { }")
    corpus = build(tmp_path, FILES, absent=("a", "none", "z"))
    warn_of_lost(corpus.inventory_path, corpus.ledger_path)
    told = [record.getMessage() for record in caplog.records if record.name == "corpus"]
    all_ = f"; {corpus.ledger_path} has them all"
    assert told == [
        f"1 line of the list left out: nonsense (is not owner/name){all_}",
        "2 of 4 listed repositories could not be read: o/a (folder not found), o/z (folder not "
        f"found){all_}",
        f"1 of 4 listed repositories gave no method: o/none{all_}",
        f"in 1 of 10 files methods may be lost: o/r/broken.java (syntax errors){all_}",
    ]


def test_hostile_files_are_taken_or_recorded(tmp_path: Path) -> None:
    corpus = build(tmp_path, FILES, absent=("a", "z"), shards=3)
    ledger = {
        (line["repository"], line["path"]): (line["status"], line["reason"], line["methods"])
        for line in pq.read_table(corpus.ledger_path).to_pylist()
    }
    assert ledger["nonsense", None] == ("skipped", "is not owner/name", 0)
    assert ledger["o/a", None] == ledger["o/z", None] == ("skipped", "folder not found", 0)
    of_file = {path: value for (repository, path), value in ledger.items() if path}
    assert of_file["bom.java"] == ("taken", None, 1)
    assert of_file["cr.java"] == ("taken", CR_LINES, 1)
    assert of_file["latin.java"] == ("taken", "read as Latin-1", 1)
    assert of_file["utf16.java"] == ("taken", "read as UTF-16", 1)
    assert of_file["nul.java"] == ("taken", "NUL bytes read as blanks", 1)
    assert of_file["long.java"] == of_file["nested.java"] == ("taken", None, 1)
    assert of_file["huge.java"][0] == "skipped"
    assert of_file["empty.java"] == ("taken", None, 0)
    assert of_file["broken.java"][:2] == ("taken", "syntax errors")
    assert len(of_file) == len(FILES)


def test_the_ledger_says_where_types_were_read_as_blanks_dev_183(tmp_path: Path) -> None:
    deep = METHOD.replace("call();", "a<" * 40 + "b;")
    corpus = build(tmp_path, {"deep.java": deep.encode(), "plain.java": METHOD.encode()})
    lines = pq.read_table(corpus.ledger_path, columns=["path", "reason"]).to_pylist()
    assert [line["reason"] for line in lines if line["path"]] == ["deep types read as blanks", None]
    assert corpus.manifest()["remarks"] == {"deep types read as blanks": 1}
    code = pq.read_table(corpus.shard_paths("methods")[0])["code"].to_pylist()[0]
    assert code in deep


def test_ids_are_dense_and_follow_repository_path_and_position(tmp_path: Path) -> None:
    files = {
        "b/X.java": b"class X { void two() { } void one() { } }",
        "a/Y.java": METHOD.encode(),
    }
    corpus = build(tmp_path, files)
    table = corpus.shard_paths("methods")[0]
    rows = pq.read_table(table).to_pylist()
    assert pq.read_schema(table).equals(METHOD_SCHEMA)
    assert [(row["id"], row["filepath"], row["method_name"]) for row in rows] == [
        (0, "o/r/a/Y.java", "m"),
        (1, "o/r/b/X.java", "two"),
        (2, "o/r/b/X.java", "one"),
    ]
    assert rows[0]["url"] is None
    assert rows[0]["comment"] == "/** Doc. */"
    assert (rows[0]["lines"], rows[0]["tokens"]) == (1, 10)


def test_a_commit_gives_a_link_with_commit_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "o" / "r" / "a b#.java"
    path.parent.mkdir(parents=True)
    path.write_text(METHOD)
    source = open_source("directory", str(tmp_path))
    corpus = build_from(tmp_path, [Repository("o", "r", "abcdef1")], source)
    (url,) = pq.read_table(corpus.shard_paths("methods")[0])["url"].to_pylist()
    assert url == "https://github.com/o/r/blob/abcdef1/a%20b%23.java#L3-L3"


def test_an_empty_corpus_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"corpus is empty.*folder not found: 2") as error:
        build(tmp_path, {"e.java": b""}, absent=("gone", "lost"))
    looked_for = tmp_path / "repositories/o/gone"
    assert str(error.value).endswith(
        f"; there is no {looked_for}: put it there, or change 'source.path' in the dataset file"
    )
    assert not (tmp_path / "corpus").exists()


def test_the_summary_counts_every_line_of_the_ledger() -> None:
    """Also where repositories and files are left out for one reason."""
    none = {"methods": 0, "nested": 0, "field_initialisers": 0}
    one = {**none, "reason": None, "status": "taken", "methods": 1}
    fields = {**none, "reason": "cannot be read (why)", "status": "skipped"}
    lines = [
        {"repository": "o/a", "path": None, **fields},
        {"repository": "o/r", "path": None, **one},
        {"repository": "o/r", "path": "A.java", **fields},
        {"repository": "o/r", "path": "B.java", **one},
    ]
    ledger = pa.Table.from_pylist(lines, LEDGER_SCHEMA)
    pieces = [ledger.slice(0, 1), ledger.slice(1)]
    assert summarise(pieces) == summarise([ledger])
    assert summarise([ledger])["skipped"] == {"cannot be read": 2}


def test_the_corpus_does_not_depend_on_the_shards(tmp_path: Path) -> None:
    """Also where a repository lies in several shards, and where shards are empty."""
    found = []
    for shards in (1, 3, 40):
        corpus = build(tmp_path / str(shards), FILES, absent=("a", "z"), shards=shards)
        documents = build_documents(corpus, WordOptions())
        rows = pa.concat_tables(corpus.iterate_methods(METHOD_SCHEMA.names)).to_pylist()
        manifest = corpus.manifest()
        sizes = [shard["methods"] for shard in manifest.pop("shards")]
        assert len(sizes) == shards and sum(size > 0 for size in sizes) == min(shards, 2)
        files = corpus.ledger_path.read_bytes(), corpus.duplicates_path.read_bytes()
        found.append((manifest, documents.words.tokens.tolist(), rows, files))
    assert found[0] == found[1] == found[2]


def test_a_repository_that_is_gone_after_it_was_listed_ends_the_run(tmp_path: Path) -> None:
    corpus = build(tmp_path, {"A.java": METHOD.encode()})
    source = open_source("directory", str(tmp_path / "nowhere"))
    parts = iterate_shard(corpus.inventory_path, shard=0, shards=1)
    with pytest.raises(DataError, match=r"o/r: was listed and cannot be read now \(folder"):
        extract_methods(parts, source, methods=tmp_path / "m", ledger=tmp_path / "l")
    assert not (tmp_path / "m").exists()


def test_words_know_the_corpus_that_they_were_taken_from(tmp_path: Path) -> None:
    corpora = [
        build(tmp_path / name, {"H.java": b"class H { void %s() {} }" % name.encode()})
        for name in "ab"
    ]
    documents = build_documents(corpora[0], WordOptions())
    assert documents.methods is corpora[0]
    save_documents(documents, tmp_path / "words")
    assert load_documents(tmp_path / "words").methods is None
    assert load_documents(tmp_path / "words", corpora[0]).methods is corpora[0]
    with pytest.raises(DataError, match=r"corpus\.json: belongs to .*b/corpus/manifest"):
        load_documents(tmp_path / "words", corpora[1])


def test_comments_are_cleaned_or_as_they_are_written_dev_87(tmp_path: Path) -> None:
    """Only Javadoc is cleaned, wherever it stands, and nothing but a comment is Javadoc."""
    source = b"""class Host {
        /** Adds {@link Gear}s &amp; <b>knobs</b>. @ all
         * @param noOfGears how many */
        /* @param first */
        void m() { f("/** @see text"); /** @return it */ // {@link Line}
        } }"""
    corpus = build(tmp_path, {"H.java": source})
    found = {}
    for comments in ("cleaned", "raw"):
        words = build_documents(corpus, WordOptions.parse({"comments": comments}, where="")).words
        found[comments] = " ".join(words.vocabulary[token] for token in words[0])
    assert found["cleaned"] == (
        "adds gears knobs all how many param first host m f see text it link line"
    )
    assert found["raw"] == (
        "adds link gear s amp b knobs b all param no of gears how many param first host m f "
        "see text return it link line"
    )
    assert WordOptions().comments == "cleaned"


def test_documents_survive_a_round_trip_and_follow_the_options(tmp_path: Path) -> None:
    source = b"class Host { void m() { new Gear().turn(R.id.knob, MAX_TURNS); } }"
    corpus = build(tmp_path, {"H.java": source})

    def words(options: WordOptions) -> list[str]:
        documents = build_documents(corpus, options)
        save_documents(documents, tmp_path / "words")
        loaded = load_documents(tmp_path / "words")
        assert np.array_equal(loaded.words.tokens, documents.words.tokens)
        assert loaded.corpus_hash == documents.corpus_hash
        return [loaded.words.vocabulary[token] for token in loaded.words[0]]

    assert words(WordOptions()) == ["host", "m", "turn", "max", "turns"]
    everything = WordOptions(class_name=False, constructor_calls=True, resource_identifiers=True)
    assert words(everything) == ["m", "gear", "turn", "r", "id", "knob", "max", "turns"]
    identifiers = load_documents(tmp_path / "words").identifiers
    assert [identifiers.vocabulary[token] for token in identifiers[0]] == ["m", "turn", "max_turns"]
