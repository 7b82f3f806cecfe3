"""Files that others published: from an address or a folder, checked at every run."""

import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from ncsbench.corpus.archives.download_options import DownloadOptions
from ncsbench.corpus.archives.http_client import HttpClient
from ncsbench.corpus.sources.packed_streams import ArchiveLimits
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.evaluation.measures.score_sheet import read_score_sheet
from ncsbench.pipeline.runs.input_files import check_known, load_published_inputs
from ncsbench.posts.published_inputs.checksums import (
    check_published,
    find_fault,
    get_published,
    lock_of,
)
from ncsbench.posts.published_inputs.source_files import PublishedInput, settings_of
from tests.archive_server import Answer, ArchiveServer, Request
from tests.refusals import one_line

TEXT = b"what others published\n"
SUM = hashlib.sha256(TEXT).hexdigest()
WRONG = "0" * 64


@pytest.fixture(params=["file", "http", "folder"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Where ``list.txt`` is got from: the keys ``url`` and ``folder`` of its settings."""
    folder = tmp_path / "of others ü"
    folder.mkdir()
    (folder / "list.txt").write_bytes(TEXT)
    if request.param == "file":
        yield {"url": (folder / "list.txt").as_uri()}
    elif request.param == "folder":
        yield {"url": "https://host.invalid/other name.txt", "folder": folder}
    else:

        def serve(request: Request, _: int) -> Answer:
            path = folder / request.path.removeprefix("/")
            return Answer(body=path.read_bytes()) if path.exists() else Answer(404)

        with ArchiveServer(serve) as server:
            yield {"url": server.url("/list.txt")}


def get(path: Path, place: dict[str, Any], **more: Any) -> PublishedInput:
    values = {"where": "config/sources/x.yaml", "maximum_mb": 1, **place, **more}
    settings = PublishedInput(**values)
    client = HttpClient(DownloadOptions(attempts=1, requests_per_minute=1e6))
    get_published(settings, path, client=client)
    return settings


def test_a_known_checksum_is_checked_and_no_other_is_written_down(
    tmp_path: Path, place: dict[str, Any]
) -> None:
    path = tmp_path / "sources/x/list.txt"
    settings = get(path, place, sha256=SUM)
    assert path.read_bytes() == TEXT and not lock_of(path).exists()
    check_published({str(path): settings})
    path.write_bytes(b"another list\n")
    message = f"list.txt: has the SHA-256 [0-9a-f]+, but config/sources/x.yaml says {SUM}; remove"
    with one_line(DataError, match=message):
        check_published({str(path): settings})


def test_another_file_than_configured_is_not_written(tmp_path: Path, place: dict[str, Any]) -> None:
    path = tmp_path / "sources/x/list.txt"
    with pytest.raises(DataError) as caught:
        get(path, place, sha256=WRONG)
    said = str(caught.value)
    assert "\n" not in said and "nothing was written" in said and "inputs.published" in said
    assert f"has the SHA-256 {SUM}, but config/sources/x.yaml says {WRONG}" in said
    assert list(path.parent.iterdir()) == []


def test_a_checksum_is_written_down_at_first_and_counts_from_then_on(
    tmp_path: Path, place: dict[str, Any]
) -> None:
    path = tmp_path / "sources/x/list.txt"
    settings = get(path, place)
    lock = lock_of(path)
    assert lock.read_text() == f"{SUM}  list.txt\n"
    path.unlink()  # as Snakemake does before a rule is repeated
    get(path, place)
    lock.write_text(f"{WRONG}  list.txt\n")
    message = f"but {lock} says {WRONG}; nothing was written; .*; if it was changed on purpose"
    with pytest.raises(DataError, match=message):
        get(path, place)
    assert path.read_bytes() == TEXT
    with pytest.raises(DataError, match=f"but {lock} says {WRONG}; remove {path}"):
        check_published({str(path): settings})
    lock.write_text("no sum")
    with pytest.raises(DataError, match="is no line of a SHA-256 and a name; remove it"):
        check_published({str(path): settings})
    lock.unlink()  # as after a kill between both
    check_published({str(path): settings})
    assert lock.read_text() == f"{SUM}  list.txt\n"


QUESTIONS = b'[{"stackoverflow_id": 1, "question": "q", "answer": "a"}]'
DATA = bytes(range(256)) * 40


def pack(data: bytes) -> bytes:
    """Without the time, since the workers of a run must name their tests alike."""
    return gzip.compress(data, mtime=0)


def tar_gz(*, size: int = len(DATA), data: bytes = DATA) -> bytes:
    """A tar.gz of one file, which says that it has ``size`` bytes."""
    member = tarfile.TarInfo("methods.jsonl")
    member.size = size
    return pack(member.tobuf() + data + bytes(-len(data) % 512 + 1024))


def zip_of(members: dict[str, bytes], *, force_zip64: bool = False) -> bytes:
    """A zip, without times; perhaps with the headers of members above 4 GB."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=force_zip64) as member:
                member.write(data)
    return target.getvalue()


METHODS = tar_gz()
ZIP = zip_of({"java_train_0.jsonl.gz": METHODS, "java_valid_0.jsonl.gz": DATA})


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("questions.json", b"<!DOCTYPE html><title>Log in to this network</title>", "questions"),
        ("questions.json", b"", "questions"),
        ("questions.json", QUESTIONS[: len(QUESTIONS) // 2], "questions"),
        ("questions.json", pack(QUESTIONS), "questions"),
        ("questions.json", b'{"message": "Not Found"}', "questions"),
        ("questions.json", b'[{"message": "Not Found"}]', "questions"),
        ("questions.json", b"[" * 100_000, "questions"),
        ("questions.json", b"[1" + b"0" * 10_000 + b"]", "questions"),
        ("methods.tar.gz", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "whole"),
        ("methods.tar.gz", METHODS[: len(METHODS) // 2], "whole"),
        ("methods.tar.gz", METHODS[:-1], "whole"),
        ("methods.tar.gz", METHODS[:-5] + b"\0" + METHODS[-4:], "whole"),
        ("methods.tar.gz", pack(METHODS), "whole"),
        ("methods.tar.gz", tar_gz(size=2**40), "whole"),
        ("methods.tar.gz", pack(bytes(10240)), "whole"),
        ("methods.jsonl.gz", b"", "whole"),
        ("methods.jsonl.gz", pack(pack(DATA)), "whole"),
        ("methods.jsonl.gz", pack(DATA)[:-1], "whole"),
        ("java.zip", b"", "whole"),
        ("java.zip", b"<!DOCTYPE html><title>Log in to this network</title>", "whole"),
        ("java.zip", ZIP[: len(ZIP) // 2], "whole"),
        ("java.zip", ZIP[:40] + b"\0" + ZIP[41:], "whole"),
        ("java.zip", zip_of({}), "whole"),
    ],
)
def test_what_is_not_what_it_is_named_is_not_trusted(
    tmp_path: Path, name: str, data: bytes, kind: str
) -> None:
    """Its checksum would count from then on."""
    (tmp_path / "there").write_bytes(data)
    path = tmp_path / "sources/x" / name
    place = {"url": (tmp_path / "there").as_uri()}
    with one_line(DataError, match=f"{name}: file:.*there is no {kind} .*; start again"):
        get(path, place)
    assert list(path.parent.iterdir()) == []
    path.write_bytes(data)  # as somebody put it there
    settings = PublishedInput(where="x.yaml", maximum_mb=1, **place)
    with pytest.raises(DataError, match=f"{name}: is no {kind} .*; remove it, and the next"):
        check_published({str(path): settings})
    assert not lock_of(path).exists()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("questions.json", b"\xef\xbb\xbf" + QUESTIONS),
        ("methods.tar.gz", METHODS),
        ("methods.jsonl.gz", pack(b"{}\n")),
        ("java.zip", ZIP),
        ("java.zip", zip_of({"large.pkl": DATA}, force_zip64=True)),
        ("list.txt", b"any text"),
    ],
)
def test_what_is_what_it_is_named_is_trusted(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / "there").write_bytes(data)
    path = tmp_path / name
    get(path, {"url": (tmp_path / "there").as_uri()})
    assert path.read_bytes() == data and lock_of(path).exists()


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "there"
    few = ArchiveLimits(unpacked_bytes=10**5)
    header = tarfile.TarInfo("x" * 10**6).tobuf(tarfile.GNU_FORMAT)
    for name, data, reason in (
        ("a.tar.gz", tar_gz(size=10**6, data=bytes(10**6)), "too large when unpacked"),
        ("a.tar.gz", pack(header), "too large when unpacked"),
        ("a.gz", pack(bytes(10**6)), "too large when unpacked"),
        ("a.tar.gz", pack(tarfile.TarInfo("x").tobuf() * 9), "too many files"),
    ):
        path.write_bytes(data)
        assert reason in find_fault(path, name, few.changed(entries=8))


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "there"
    path.write_bytes(zip_of({"a": bytes(6 * 10**4), "b": bytes(6 * 10**4)}))
    few = ArchiveLimits(unpacked_bytes=10**5)
    assert "too large when unpacked" in find_fault(path, "a.zip", few)
    assert "too many files" in find_fault(path, "a.zip", few.changed(entries=1))


MD5 = hashlib.md5(TEXT, usedforsecurity=False).hexdigest()


@pytest.fixture
def servers() -> Iterator[tuple[ArchiveServer, ArchiveServer]]:
    """One that has the file when it is asked for ``/good``, and one that has it always."""
    with (
        ArchiveServer(lambda request, _: FOUND if request.path == "/good" else GONE) as first,
        ArchiveServer(lambda _request, _: FOUND) as second,
    ):
        yield first, second


FOUND, GONE = Answer(body=TEXT), Answer(status=403)


def test_a_mirror_is_asked_where_the_first_address_has_no_such_file(
    tmp_path: Path, servers: tuple[ArchiveServer, ArchiveServer]
) -> None:
    first, second = servers
    path, known = tmp_path / "java.zip", {"md5": MD5, "bytes": len(TEXT)}
    place = {"url": first.url("/gone"), "mirrors": (second.url("/f"),)}
    settings = get(path, place, **known)
    assert path.read_bytes() == TEXT and lock_of(path).read_text() == f"{SUM}  java.zip\n"
    assert first.asked("/gone") == second.asked("/f") == 1
    get(path, {"url": first.url("/good"), "mirrors": (second.url("/f"),)})
    assert second.asked("/f") == 1  # the first had it
    path.write_bytes(b"another")
    with pytest.raises(DataError, match=f"but {lock_of(path)} says {SUM}; remove"):
        check_published({str(path): settings})


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"bytes": 7}, f"has {len(TEXT)} bytes, but config/sources/x.yaml says 7"),
        ({"md5": "0" * 32}, f"has the MD5 {MD5}, but config/sources/x.yaml says {'0' * 32}"),
        ({"sha256": WRONG}, f"has the SHA-256 {SUM}, but config/sources/x.yaml says {WRONG}"),
    ],
)
def test_every_address_with_another_file_is_named(
    tmp_path: Path, servers: tuple[ArchiveServer, ArchiveServer], known: dict[str, Any], said: str
) -> None:
    first, second = servers
    path = tmp_path / "x/list.txt"
    urls = [first.url("/good"), first.url("/gone"), second.url("/f")]
    with pytest.raises(DataError) as caught:
        get(path, {"url": urls[0], "mirrors": (urls[1], urls[2])}, **known)
    message = str(caught.value)
    assert "\n" not in message and message.count(said) == 2 and "nothing was written" in message
    assert f"{urls[1]}: " in message and not list(path.parent.iterdir())
    if "sha256" not in known:
        path.write_bytes(TEXT)  # as somebody put it there
        settings = PublishedInput(where="config/sources/x.yaml", url="-", maximum_mb=1, **known)
        with pytest.raises(DataError, match=said):
            check_published({str(path): settings})
        assert not lock_of(path).exists()


def test_the_released_zips_of_codesearchnet_have_a_size_and_two_places(root: Path) -> None:
    inputs = load_published_inputs(root)
    zips = {Path(name).stem: one for name, one in inputs.items() if "_released" in name}
    assert sorted(zips) == ["go", "java", "javascript", "php", "python", "ruby"]
    java = zips["java"]
    assert (java.md5, java.bytes) == ("fea180077275d8f98f42a3386f492837", 1_060_569_153)
    for name, one in zips.items():
        assert one.md5 and one.bytes and one.bytes <= one.maximum_mb * 10**6
        assert [url.rpartition("/")[2] for url in (one.url, *one.mirrors)] == [f"{name}.zip"] * 2


def test_what_is_absent_or_too_large_says_where_to_mend_it(
    tmp_path: Path, place: dict[str, Any]
) -> None:
    path = tmp_path / "sources/x/more.txt"
    name = place.get("folder", Path()) / "more.txt"
    gone = place | {"url": place["url"].replace("list.txt", "more.txt")}
    remedy = "correct the folder" if "folder" in place else "correct the address in config/sources/"
    with one_line(DataError, match=f"more.txt: .*; start again, or {remedy}"):
        get(path, gone)
    large = tmp_path / "of others ü" / "more.txt"
    large.write_bytes(b"x" * 1_000_001)
    with pytest.raises(DataError, match="larger than 1000000 bytes"):
        get(path, gone)
    assert name and not path.exists()


def test_the_committed_source_has_the_sums_of_the_files_at_hand(root: Path, shared: Path) -> None:
    inputs = load_published_inputs(root, shared / "data/ncsed")
    for name in ("repositories.txt", "score_sheet.csv"):
        data = (shared / "data/ncsed" / name).read_bytes()
        assert inputs[f"data/sources/ncsed/{name}"].sha256 == hashlib.sha256(data).hexdigest()
    assert inputs["data/sources/ncsed/questions.json"].sha256 is None


def test_our_copy_of_the_score_sheet_is_the_published_one(root: Path) -> None:
    path = root / "config/published/score_sheet.csv"
    published = load_published_inputs(root)["data/sources/ncsed/score_sheet.csv"].sha256
    assert hashlib.sha256(path.read_bytes()).hexdigest() == published
    assert read_score_sheet(path)


SOURCE = {"url": "https://host.invalid/", "files": [{"name": "a.txt", "path": "a.txt"}]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"url": "https://host.invalid"}, "url: 'https://host.invalid' does not match"),
        ({"url": "ftp://host.invalid/"}, "url: "),
        ({"mirrors": ["https://host.invalid/x"]}, "mirrors.0: "),
        ({"files": [{"name": "a", "path": "a", "md5": "x"}]}, "files.0.md5: 'x' does not"),
        ({"files": []}, "files: "),
        ({"files": [{"name": "../a", "path": "a"}]}, "files.0.name: '../a' does not match"),
        ({"files": [{"name": "settings", "path": "a"}]}, "the name 'settings' is taken"),
        ({"files": SOURCE["files"] * 2}, "the name 'a.txt' is taken"),
        ({"files": [{"name": "a", "path": "a", "sha256": "x"}]}, "files.0.sha256: 'x' does not"),
        ({"file": 1}, "unknown key 'file'; did you mean 'files'?"),
    ],
)
def test_a_wrong_source_is_one_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    folder = tmp_path / "config/sources"
    folder.mkdir(parents=True)
    (folder / "x.yaml").write_text(yaml.safe_dump(SOURCE | change))
    with one_line(ConfigurationError, message, match=r"config/sources/x\.yaml: "):
        load_published_inputs(tmp_path)


def test_a_path_that_no_source_has_is_one_line(root: Path) -> None:
    inputs = load_published_inputs(root)
    check_known("elsewhere/list.csv", "d.yaml", inputs)
    check_known("data/sources/ncsed/questions.json", "d.yaml", inputs)
    message = "d.yaml: data/sources/ncsed/question.json is no file of a source .* did you mean"
    with pytest.raises(ConfigurationError, match=message):
        check_known("data/sources/ncsed/question.json", "d.yaml", inputs)


def test_settings_lie_beside_the_inputs() -> None:
    """Not with those of a dataset: with each dataset the rule would have other inputs."""
    assert settings_of("data/sources/x/a.txt") == "sources/x/settings/a.txt.json"
