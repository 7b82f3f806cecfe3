"""Released zips and pickles as corpora."""

import gzip
import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest

from ncsbench.base.files.csv_tables import write_rows
from ncsbench.base.files.storage import read_json, read_table
from ncsbench.code.functions.registry import LANGUAGES
from ncsbench.corpus.function_corpus.corpus_options import PARTS, ReleasedCorpusSettings
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_LEDGER_SCHEMA, FUNCTION_SCHEMA
from ncsbench.corpus.function_corpus.released_corpus import import_released
from ncsbench.corpus.function_corpus.released_files import find_released, iterate_all, iterate_pairs
from ncsbench.errors import DataError
from ncsbench.evaluation.published.printed_figures import read_published_cells
from ncsbench.posts.published_inputs.checksums import check_published, get_published, lock_of
from ncsbench.posts.published_inputs.source_files import PublishedInput
from ncsbench.studies.codesearchnet.released_import import import_corpus
from tests.archive_server import Answer, ArchiveServer, Request
from tests.http_case import make_client
from tests.released_files import (
    AS_DEFINED,
    AS_RELEASED,
    make_definition,
    make_pair,
    pack_lines,
    write_released_zip,
    write_zip,
)

COUNTS = {"train": 12, "valid": 1, "test": 4}
TRAIN = "go/final/jsonl/train/go_train_0.jsonl.gz"


def rows_of(corpus: Path) -> list[dict[str, Any]]:
    return read_table(corpus / "functions.parquet", FUNCTION_SCHEMA).to_pylist()


def ledger_of(corpus: Path) -> list[dict[str, Any]]:
    return read_table(corpus / "ledger.parquet", FUNCTION_LEDGER_SCHEMA).to_pylist()


def import_pairs(path: Path, output: Path, published: dict[str, int] | None = None) -> Path:
    released = find_released(path)
    files = iterate_pairs(released, published)
    import_released(files, language=released.language, output=output, options=AS_RELEASED)
    return output


def import_all(path: Path, output: Path) -> Path:
    released = find_released(path)
    files = iterate_all(released)
    import_released(files, language=released.language, output=output, options=AS_DEFINED)
    return output


def fault_of(path: Path, output: Path, **more: Any) -> str:
    with pytest.raises(DataError) as caught:
        import_pairs(path, output, **more)
    assert "\n" not in str(caught.value) and not output.exists()
    return str(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_of_a_zip_have_an_order_and_their_numbers(tmp_path: Path, language: str) -> None:
    path = write_released_zip(tmp_path / "any.zip", language)
    released = find_released(path)
    assert released.language == language and released.definitions.startswith(f"{language}_dedupe")
    assert [name.rpartition("/")[2] for _, name in released.pairs] == [
        f"{language}_{rest}.jsonl.gz" for rest in ("train_2", "train_10", "valid_0", "test_0")
    ]
    corpus = import_pairs(path, tmp_path / "corpus", COUNTS)
    assert read_json(corpus / "manifest.json")["pairs"] == COUNTS
    rows = rows_of(corpus)
    assert all(row["is_pair"] for row in rows) and len(rows) == 17
    assert {row["repo"]: row["part"] for row in rows}["owner/name7"] == "test"
    assert [row["path"] for row in ledger_of(corpus)] == [None] * 4


def test_other_numbers_of_lines_than_published_leave_what_was_there(tmp_path: Path) -> None:
    path = write_released_zip(tmp_path / "go.zip", "go")
    wrong = COUNTS | {"test": 14_291}
    assert "go.zip: has 4 lines in the part test, but 14,291 were" in fault_of(
        path, tmp_path / "corpus", published=wrong
    )
    corpus = import_pairs(path, tmp_path / "corpus")
    before = (corpus / "functions.parquet").read_bytes()
    with pytest.raises(DataError, match="14,291 were published; get it again"):
        import_pairs(path, corpus, wrong)
    assert (corpus / "functions.parquet").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["corpus", "go.zip"]


def test_published_numbers_of_lines_are_known_for_all_languages(root: Path) -> None:
    cells = read_published_cells(root / "config/published/codesearchnet_tables.csv")
    titles = [language.title for language in LANGUAGES.values()]
    counts = [int(cells["released pairs", title, part]) for title in titles for part in PARTS]
    assert sum(counts) == 2_070_536


def test_definitions_have_functions_without_documentation_too_dev_155(tmp_path: Path) -> None:
    """In the parts of the jsonl files where these know the repository, as pairs by the filters."""
    path = write_released_zip(tmp_path / "go.zip", "go")
    corpus = import_all(path, tmp_path / "corpus")
    rows = rows_of(corpus)
    assert len(rows) == 40 and sum(row["is_pair"] for row in rows) == 20
    assert {row["docstring"] != "" for row in rows if not row["is_pair"]} == {False}
    parts = {row["repo"]: row["part"] for row in rows}
    known = {row["repo"]: row["part"] for row in rows_of(import_pairs(path, tmp_path / "pairs"))}
    assert known.items() <= parts.items() and set(parts) - set(known) == {"owner/name9"}
    documented = next(row for row in rows if row["docstring"])
    assert documented["summary"] == documented["docstring"].partition("\n")[0]
    short = [make_definition("go", 2, docstring_tokens=["Returns", "it"])]
    few = tmp_path / "go_dedupe_definitions_v2.pkl"
    few.write_bytes(pickle.dumps([*short, make_definition("go", 3)]))
    assert [row["is_pair"] for row in rows_of(import_all(few, tmp_path / "few"))] == [False, False]


def test_a_pickle_alone_has_drawn_parts_and_the_same_functions_dev_155(tmp_path: Path) -> None:
    items = [make_definition("ruby", number) for number in range(40)]
    path = tmp_path / "ruby_dedupe_definitions_v2.pkl"
    path.write_bytes(pickle.dumps(items, 4))
    rows = rows_of(import_all(path, tmp_path / "one"))
    packed = write_zip(tmp_path / "ruby.zip", {path.name: items})
    assert rows == rows_of(import_all(packed, tmp_path / "two"))
    parts = {(row["repo"], row["part"]) for row in rows}
    assert len(parts) == len({repo for repo, _ in parts}) == 10


def test_names_of_a_repository_in_other_letters_are_in_its_part_dev_155(tmp_path: Path) -> None:
    items = [make_definition("go", 1, nwo=name) for name in ("Owner/NAME0", "owner/name0")]
    members = {TRAIN.replace("train", "test"): [make_pair("go", 0, "test")]}
    path = write_zip(tmp_path / "go.zip", {**members, "go_dedupe_definitions_v2.pkl": items})
    assert {row["part"] for row in rows_of(import_all(path, tmp_path / "corpus"))} == {"test"}


def test_entries_of_no_use_are_in_the_ledger(tmp_path: Path) -> None:
    items = [
        make_definition("go", 0),
        "no dictionary",
        make_definition("java", 1),
        make_definition("go", 2, url="https://github.com/owner/name/blob/main/File.x"),
        make_definition("go", 3, function_tokens=None),
        make_definition("go", 4, function="a\0b"),
        {},
        make_definition("go", 5, nwo="../../etc"),
    ]
    path = tmp_path / "go_dedupe_definitions_v2.pkl"
    path.write_bytes(pickle.dumps(items))
    corpus = import_all(path, tmp_path / "corpus")
    assert len(rows_of(corpus)) == 1
    told = {row["path"]: row["reason"] for row in ledger_of(corpus)}
    assert told == {
        None: None,
        "line 2": "is no definition",
        "line 3": "is of another language (java)",
        "line 4": "url has no lines ('https://github.com/owner/name/blob/main/File.x')",
        "line 5": "code_tokens is no list of texts",
        "line 6": "original_string has a NUL",
        "line 7": "repo is no text",
        "line 8": "repo is not owner/name ('../../etc')",
    }


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({}, "languages found: none"),
        ({"readme.txt": b"x"}, "languages found: none"),
        ({"java/train/go_train_0.jsonl.gz": [], "r/test/ruby_test_0.jsonl.gz": []}, "go, ruby"),
        ({TRAIN.replace("go_train", "go_test"): []}, "languages found: none"),
        ({TRAIN: b"no gzip"}, f"{TRAIN}, line 1: the file is damaged, not readable from here on"),
        ({TRAIN: pack_lines([])}, "no line can be used"),
        ({TRAIN: pack_lines([{"repo": "o/n"}])}, ", line 1: has no field"),
    ],
)
def test_zips_that_are_no_release_are_one_line(
    tmp_path: Path, members: dict[str, Any], said: str
) -> None:
    path = write_zip(tmp_path / "x.zip", members)
    assert said in fault_of(path, tmp_path / "corpus")


def test_a_damaged_zip_is_one_line_with_its_name(tmp_path: Path) -> None:
    path = write_released_zip(tmp_path / "go.zip", "go")
    data = path.read_bytes()
    for damaged, said in (
        (data[:-30], "damaged archive"),
        (b"<!DOCTYPE html>", "damaged archive"),
        (b"", "damaged archive"),
    ):
        path.write_bytes(damaged)
        assert f"{path}: {said}" in fault_of(path, tmp_path / "corpus")
    path.unlink()
    assert f"{path}: cannot be read (No such file" in fault_of(path, tmp_path / "corpus")
    lines = bytearray(gzip.compress(b"x" * 10**5))
    write_zip(path, {TRAIN: bytes(lines)})
    whole = path.read_bytes()
    path.write_bytes(whole.replace(bytes(lines[30:60]), bytes(30), 1))
    assert "damaged" in fault_of(path, tmp_path / "corpus")


def test_a_zip_of_a_mirror_is_got_checked_and_imported(tmp_path: Path) -> None:
    """From the address to the corpus, as the commands do it."""
    data = write_released_zip(tmp_path / "made.zip", "go").read_bytes()
    path = tmp_path / "sources" / "go.zip"

    def answer(request: Request, _: int) -> Answer:
        found = {"/first/go.zip": data[:-1], "/second/go.zip": data}
        return Answer(body=found[request.path])

    with ArchiveServer(answer) as server:
        settings = PublishedInput(
            where="config/sources/x.yaml",
            url=server.url("/first/go.zip"),
            mirrors=(server.url("/second/go.zip"),),
            md5=hashlib.md5(data, usedforsecurity=False).hexdigest(),
            bytes=len(data),
            maximum_mb=1,
        )
        get_published(settings, path, client=make_client(attempts=1))
    assert path.read_bytes() == data
    assert lock_of(path).read_text() == f"{hashlib.sha256(data).hexdigest()}  go.zip\n"
    check_published({str(path): settings})
    assert len(rows_of(import_pairs(path, tmp_path / "corpus", COUNTS))) == 17


def test_the_stage_has_the_options_of_its_run_and_the_printed_numbers_of_lines(
    root: Path, tmp_path: Path
) -> None:
    path, output = write_released_zip(tmp_path / "go.zip", "go"), tmp_path / "corpus"
    challenge = root / "resources" / "csn_sample"
    given: dict[str, Any] = {
        "annotations": challenge / "annotationStore.csv",
        "queries": challenge / "queries.csv",
        "corpus": AS_DEFINED,
    }
    settings = ReleasedCorpusSettings(language="go", **given)
    published = tmp_path / "published.csv"
    columns = ("table", "row", "column", "value", "source", "note")

    def print_numbers(counts: dict[str, int]) -> None:
        fixed = {"table": "released pairs", "row": "Go", "source": "ours", "note": ""}
        cells = ({"column": part, "value": str(count)} for part, count in counts.items())
        write_rows(published, columns, [fixed | cell for cell in cells])

    print_numbers(COUNTS | {"test": 5})
    with pytest.raises(DataError, match="has 4 lines in the part test, but 5 were published"):
        import_corpus(settings, path, output, published)
    with pytest.raises(DataError, match=r"go\.zip: is of go, not of java"):
        import_corpus(ReleasedCorpusSettings(language="java", **given), path, output, published)
    assert not output.exists()
    print_numbers(COUNTS)
    import_corpus(settings, path, output, published)
    assert len(rows_of(output)) == 40
    pairs = sum(read_json(output / "manifest.json")["pairs"].values())
    import_corpus(settings.model_copy(update={"corpus": AS_RELEASED}), path, output)
    assert sum(read_json(output / "manifest.json")["pairs"].values()) >= pairs
