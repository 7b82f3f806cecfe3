"""The released list of methods: read, and compared with a corpus."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from ncsbench.corpus.checks.released_comparison import compare_with_released
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.methods.released_methods import read_released_methods
from ncsbench.errors import DataError
from tests.released_lists import write_released_methods
from tests.sample_corpus import build_sample_corpus


@pytest.fixture(scope="module")
def corpus(root: Path, tmp_path_factory: pytest.TempPathFactory) -> CorpusFolder:
    return CorpusFolder(build_sample_corpus(root, tmp_path_factory.mktemp("sample")))


def line(**changes: object) -> dict[str, object]:
    entry = {
        "id": 1, "filepath": "a/b/src/C.java", "method_name": "run", "start_line": 3,
        "end_line": 5, "url": "",
    }  # fmt: skip
    return entry | changes


def write_lines(path: Path, *entries: object) -> Path:
    texts = [entry if isinstance(entry, str) else json.dumps(entry) for entry in entries]
    path.write_text("".join(f"{text}\n" for text in texts))
    return path


def test_a_list_of_a_corpus_is_read_and_equals_the_corpus(
    corpus: CorpusFolder, tmp_path: Path
) -> None:
    released = read_released_methods(write_released_methods(corpus, tmp_path, part_methods=200))
    assert len(released.methods) == corpus.manifest()["methods"]
    assert not released.rejected.count
    rows = compare_with_released(corpus, released.methods)
    assert set(rows["found"]) == {"both"} and set(rows["reason"]) == {""}
    assert rows["methods"].sum() == len(released.methods)


def test_every_difference_has_a_reason(corpus: CorpusFolder, tmp_path: Path) -> None:
    (path,) = write_released_methods(corpus, tmp_path)
    with tarfile.open(path) as archive:
        content = archive.extractfile(archive.getmembers()[0])
        assert content is not None
        lines = [json.loads(one) for one in content]
    first = lines[0]
    owner, name = first["filepath"].split("/")[:2]
    in_file = [one for one in lines if one["filepath"] == first["filepath"]]
    last_repository = "/".join(lines[-1]["filepath"].split("/")[:2])
    kept = [one for one in lines[2:] if not one["filepath"].startswith(last_repository)]
    changed = [
        first | {"end_line": first["end_line"] + 1},  # 'other lines' on both sides
        first | {"method_name": "noSuchName", "start_line": 1, "end_line": 1},
        first | {"filepath": f"{owner}/{name}/No.java"},
        first | {"filepath": "no/such/No.java"},
        in_file[2],  # listed twice
    ]
    assert len(in_file) > 3
    released = read_released_methods([write_lines(tmp_path / "l.jsonl", *changed, *kept)])
    rows = compare_with_released(corpus, released.methods)
    found = rows.groupby(["found", "reason"])["methods"].sum().to_dict()
    lost = sum(one["filepath"].startswith(last_repository) for one in lines)
    left_out = ("only released", "the file has methods that are left out")
    absent = ("only released", "there is no such method")
    assert found.pop(left_out, 0) + found.pop(absent, 0) == 1
    assert found == {
        ("both", ""): len(kept),
        ("only here", "other lines"): 1,
        ("only here", "the list does not have the method"): 1,
        ("only here", "the list does not have the repository"): lost,
        ("only released", "other lines"): 1,
        ("only released", "there is no such file"): 1,
        ("only released", "the repository is not listed"): 1,
        ("only released", "the place is listed twice"): 1,
    }


def test_lines_that_are_no_methods_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    bad = [
        "no json", "[]", line(filepath="a/b"), line(start_line=6), line(start_line=0),
        line(id=-1), line(id=True), line(end_line=2**31), line(method_name=None),
        line(filepath="a/b/\ud800.java"), line(filepath="a/b/x\0.java"), "[" * 200_000,
    ]  # fmt: skip
    path = write_lines(tmp_path / "l.jsonl", *bad, "", " ", line())
    released = read_released_methods([path])
    assert released.methods.to_pylist() == [
        {"repository": "a/b", "path": "src/C.java", "start_line": 3, "end_line": 5,
         "method_name": "run", "id": 1}
    ]  # fmt: skip
    assert released.rejected.count == len(bad)
    assert released.rejected.first == f"{path}: line 1: not one JSON object of at most 64 KiB"
    with pytest.raises(
        DataError,
        match=r"no method in the released list \(.*line 1: not one JSON object of at most 64 KiB",
    ):
        read_released_methods([write_lines(tmp_path / "bad.jsonl", *bad)])


def test_hostile_archives_end_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "search_corpus_1.tar.gz"
    content = json.dumps(line()).encode()
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        outside = tarfile.TarInfo("../../outside.jsonl")
        outside.size = len(content)
        archive.addfile(outside, io.BytesIO(content))
    assert len(read_released_methods([path]).methods) == 1
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    whole = path.read_bytes()
    for damaged in (b"", b"\x1f\x8b", whole[: len(whole) // 2], gzip.compress(b"x" * 600)):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match=r"search_corpus_1\.tar\.gz: "):
            read_released_methods([path])
    with pytest.raises(DataError, match=r"gone\.jsonl: cannot be read"):
        read_released_methods([tmp_path / "gone.jsonl"])
