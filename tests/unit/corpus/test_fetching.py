"""The fetching job against a hub on this machine."""

import logging
import re
import resource
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.sources.archive_store import stored_path
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.errors import ConfigurationError, DataError
from tests.archive_server import Answer, ArchiveServer, Request
from tests.fetch_case import NAMES, Case, case, no_environment, sizes
from tests.hub import ZIP, count_asked, make_files, name_commit

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["case", "no_environment", "sizes"]


def test_fetches_each_archive_once(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server, contact="someone@example.org")
        assert count_asked(server, ZIP) == dict.fromkeys(NAMES, 1)
        assert server.most_at_once[server.first] <= 4
        assert case.fetch(server) == manifest
        assert len(server.requests) == len(NAMES)
    assert manifest["counts"]["repositories"] == len(NAMES)
    java = {path: data for path, data in make_files(NAMES[3]).items() if path.endswith(".java")}
    assert case.read(NAMES[3]) == java
    assert "8 of 8 repositories, 8 of them new" in caplog.text
    assert "contact" not in caplog.text.partition("8 of 8")[0]


def _once(answer: Answer, case: Case, name: str) -> Any:
    return lambda request, before: answer if before == 0 else Answer(body=case.hub.zips[name])


def zip_with(folder: Path, name: str, member: str, data: bytes) -> bytes:
    """An archive of the right commit with one member of our choice."""
    path = folder / "special.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"repo-{name_commit(name)}/{member}", data)
        archive.comment = name_commit(name).encode()
    return path.read_bytes()


BAD = "bad/repo"
WHOLE = name_commit("bad/repo")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(404), "404 Not Found"),
        (Answer(451), "451 Unavailable For Legal Reasons"),
        (Answer(403), "403 Forbidden"),
        (Answer(429, headers={"Retry-After": "9"}), "429 Too Many Requests, 3 attempts"),
        (Answer(403, headers={"Retry-After": "9"}), "403 Forbidden, 3 attempts"),
        (Answer(body=b"x" * 99, length=999), "ended early, 3 attempts"),
        (
            Answer(body=b"x" * 99, length=999, reset=True),
            "(ended early|Connection reset .*), 3 .*",
        ),
        (Answer(body=b"x" * 20000), "larger than 10000 bytes"),
        (Answer(body=b"<html>Log in, please</html>"), "damaged archive .*"),
        (Answer(body=b""), "damaged archive .*"),
        (Answer(301, headers={"Location": "/bad/repo/archive/0.zip"}), "more than 10 redirects"),
        (Answer(302, headers={"Location": "file:///etc/passwd"}), "leads to an address .*"),
    ],
)
def test_what_cannot_be_had_is_a_line_of_the_ledger(
    answer: Answer, reason: str, tmp_path: Path, sizes: Path
) -> None:
    case = Case(tmp_path, sizes, NAMES[:2], special={BAD: lambda *_: answer})
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server, software_heritage="", maximum_bytes=10000)
        asked = len(server.requests)
        case.fetch(server)  # an earlier run's missing ones are not asked for again
        assert len(server.requests) == asked
    assert list(manifest["missing"]) == [BAD]
    assert re.fullmatch(reason, manifest["missing"][BAD])
    assert manifest["counts"]["repositories"] == 2


@pytest.mark.parametrize(
    ("member", "data", "commit"),
    [
        ("A.java", b"class A { }", "f" * 40),
        ("../../A.java", b"class A { }", WHOLE),
        ("/A.java", b"class A { }", WHOLE),
        ("A.java", b" " * 10**7, WHOLE),
    ],
)
def test_hostile_archives_write_nothing_outside(
    member: str, data: bytes, commit: str, tmp_path: Path, sizes: Path
) -> None:
    content = zip_with(tmp_path, BAD, member, data).replace(WHOLE.encode(), commit.encode())
    case = Case(tmp_path, sizes, NAMES[:2], special={BAD: lambda *_: Answer(body=content)})
    before = {path for path in tmp_path.rglob("*") if path.name != "store"}
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server)
    after = {path for path in tmp_path.rglob("*") if "store" not in path.parts[len(tmp_path.parts)]}
    assert after <= before
    if commit != WHOLE:
        assert manifest["missing"][BAD].startswith("the archive is of another commit")
    else:
        assert case.read(BAD) == {} or set(case.read(BAD).values()) == {None}


def test_what_passes_is_asked_for_again(tmp_path: Path, sizes: Path) -> None:
    case = Case(tmp_path, sizes)
    answers = [
        *(Answer(429, headers={"Retry-After": "30"}), Answer(403, headers={"Retry-After": "1"})),
        *(Answer(500), Answer(body=b"PK", length=99), Answer(body=b"PK", length=99, reset=True)),
        *(Answer(body=b"no zip"), Answer(301, headers={"Location": "/new/name/archive/0.zip"})),
    ]
    case.hub.special = {
        name: _once(answer, case, name) for name, answer in zip(NAMES, answers, strict=False)
    }
    renamed = NAMES[6]
    case.hub.special |= {"new/name": lambda *_: Answer(body=case.hub.zips[renamed])}
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server)
    assert manifest["missing"] == {}
    # A renamed repository keeps the name that it is listed with.
    assert sorted(manifest["repositories"]) == NAMES
    assert case.read(renamed).keys() == {"src/Repo6.java"}


def test_missing_ones_are_asked_for_again_when_told(tmp_path: Path, sizes: Path) -> None:
    late = "late/repo"
    case = Case(tmp_path, sizes, [*NAMES, late])
    whole = case.hub.zips.pop(late)
    with ArchiveServer(case.hub) as server:
        first = case.fetch(server)
        assert list(first["missing"]) == [late]
        case.hub.zips[late] = whole
        assert case.fetch(server) == first
        second = case.fetch(server, retry_missing=True)
        assert second["missing"] == {}
        assert count_asked(server, ZIP) == {**dict.fromkeys(NAMES, 1), late: 2}
    merged = case.hash_store()
    shutil.rmtree(tmp_path / "store")
    with ArchiveServer(case.hub) as server:
        case.fetch(server)
    assert case.hash_store() == merged


def test_half_asked_ones_go_to_software_heritage_alone(tmp_path: Path, sizes: Path) -> None:
    gone = "gone/a"
    case = Case(tmp_path, sizes, NAMES[:2], special={gone: lambda *_: Answer(404)}, heritage=[gone])
    hub = case.hub

    def broken(request: Request, before: int) -> Answer:
        if request.path.startswith("/api/"):
            return Answer(401)  # ends the job, as a kill would
        return hub(request, before)

    with ArchiveServer(broken) as server, pytest.raises(ConfigurationError, match="SWH_TOKEN"):
        case.fetch(server)
    with ArchiveServer(hub) as server:
        assert gone in case.fetch(server)["repositories"]
        assert count_asked(server, ZIP).get(gone, 0) == 0


def test_a_network_that_is_down_marks_nothing_as_missing(tmp_path: Path, sizes: Path) -> None:
    names = [f"owner/repo{number}" for number in range(40)]
    case = Case(tmp_path, sizes, names)
    with ArchiveServer(lambda *_: Answer(503)) as server:
        with pytest.raises(DataError, match="20 repositories in a row could not be fetched"):
            case.fetch(server)
    with ArchiveServer(case.hub) as server:
        assert len(case.fetch(server)["repositories"]) == 40


def test_a_network_that_goes_down_midway_marks_nothing_as_missing(
    tmp_path: Path, sizes: Path
) -> None:
    names = [f"owner/repo{number}" for number in range(40)]
    case = Case(tmp_path, sizes, names)
    hub = case.hub

    def script(request: Request, before: int) -> Answer:
        return hub(request, before) if len(server.requests) < 10 else Answer(503)

    with ArchiveServer(script) as server:
        with pytest.raises(DataError, match="repositories in a row"):
            case.fetch(server)
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server)
        assert len(manifest["repositories"]) == 40
        assert max(count_asked(server, ZIP).values()) == 1


def test_an_address_that_is_wrong_is_said(tmp_path: Path, sizes: Path) -> None:
    case = Case(tmp_path, sizes, [f"owner/repo{number}" for number in range(150)])
    with ArchiveServer(lambda *_: Answer(404)) as server:
        with pytest.raises(DataError, match=r"url_template is wrong, correct it.*--retry missing"):
            case.fetch(server, software_heritage="")
        assert len(case.find_missing()) == 100
        with pytest.raises(DataError, match="no repository could be fetched"):
            case.fetch(server, software_heritage="")  # whoever says that it is right goes on
    with ArchiveServer(case.hub) as server:
        assert len(case.fetch(server, retry_missing=True)["repositories"]) == 150
    case = Case(tmp_path / "few", sizes, NAMES)
    with ArchiveServer(lambda *_: Answer(404)) as server:
        with pytest.raises(DataError, match=r"no repository could be fetched .owner/repo0: 404"):
            case.fetch(server, software_heritage="")


def test_a_token_that_is_refused_ends_the_job(case: Case) -> None:
    with ArchiveServer(lambda *_: Answer(401)) as server:
        with pytest.raises(ConfigurationError, match=r"is a token of .*GITHUB_TOKEN"):
            case.fetch(server)


def test_too_little_disk_is_said_before_a_request(case: Case) -> None:
    with ArchiveServer(case.hub) as server:
        with pytest.raises(DataError, match=r"GiB of the disk are free, .* are needed"):
            case.fetch(server, least_free_bytes=10**18)
        assert server.requests == []


def test_too_little_disk_ends_a_job_that_runs(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    usages = iter([10**15, 10**15, 10**15, *[0] * 100])
    free = type("Usage", (), {"free": property(lambda self: next(usages))})
    monkeypatch.setattr("ncsbench.corpus.archives.one_archive.shutil.disk_usage", lambda _: free())
    with ArchiveServer(case.hub) as server:
        with pytest.raises(DataError, match=r"0\.0 GiB of the disk are free"):
            case.fetch(server, least_free_bytes=5, connections=1)
        monkeypatch.undo()
        case.fetch(server)
        assert count_asked(server, ZIP) == dict.fromkeys(NAMES, 1)


def test_one_job_at_a_time(case: Case) -> None:
    from ncsbench.base.files.run_lock import RunIsBusyError, lock_folder

    with ArchiveServer(case.hub) as server:
        settings = case.settings(server)
        settings.store.mkdir(parents=True)
        link = settings.store.with_name("link")
        link.symlink_to(settings.store)
        with lock_folder(settings.model_copy(update={"store": link}).work_folder):
            with pytest.raises(RunIsBusyError, match=r"store\.fetching: is fetched into"):
                case.fetch(server)


def test_archives_of_a_folder(case: Case, tmp_path: Path) -> None:
    for name, content in case.hub.zips.items():
        path = tmp_path / "mirror" / f"{name}-{name_commit(name)}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    template = f"{(tmp_path / 'mirror').as_uri()}/{{owner}}/{{repo}}-{{commit}}.zip"
    with ArchiveServer(case.hub) as server:
        case.fetch(server, url_template=template)
        assert server.requests == []
        of_folder = case.hash_store()
        shutil.rmtree(tmp_path / "store")
        case.fetch(server)
    assert case.hash_store() == of_folder


def test_a_head_is_what_the_archive_says_it_is(case: Case) -> None:
    text = case.list.read_text(encoding="utf-8")
    listed = text.replace(name_commit(NAMES[0]), "HEAD").replace(name_commit(NAMES[1]), "")
    case.list.write_text(listed, encoding="utf-8")
    for name, branch in zip(NAMES[:2], ("main", "HEAD"), strict=True):
        top = f"{name.partition('/')[2]}-{branch}/"
        case.hub.zips[name] = case.hub.zip_of(name, top=top)
    with ArchiveServer(case.hub) as server:
        held = case.fetch(server)["repositories"]
        for name in NAMES[:2]:
            assert all(path.startswith("src/") for path in case.read(name))
        assert server.asked(f"/{NAMES[0]}/archive/HEAD.zip") == 1
        assert server.asked(f"/{NAMES[1]}/archive/HEAD.zip") == 1
        case.fetch(server)
        assert len(server.requests) == len(NAMES)
    assert [held[name]["commit"] for name in NAMES] == [name_commit(name) for name in NAMES]
    assert held[NAMES[0]]["listed"] == "HEAD"


def test_a_head_stays_the_commit_it_was_where_its_file_is_lost(case: Case) -> None:
    name, text = NAMES[0], case.list.read_text(encoding="utf-8")
    case.list.write_text(text.replace(name_commit(name), "HEAD"), encoding="utf-8")
    with ArchiveServer(case.hub) as server:
        case.fetch(server)
        before = case.hash_store()
        owner, _, repository = name.partition("/")
        stored_path(case.folder / "store", Repository(owner, repository, "HEAD")).unlink()
        case.fetch(server)
        assert server.asked(f"/{name}/archive/HEAD.zip") == 1
        assert server.asked(f"/{name}/archive/{name_commit(name)}.zip") == 1
    assert case.hash_store() == before


@pytest.mark.parametrize(
    ("key", "address"),
    [
        ("url_template", "https://host/{owner}.zip"),
        ("url_template", "https://host/{owner}/{repo}/{x}"),
        ("url_template", "ftp://host/{owner}/{repo}"),
        ("url_template", "https:///{owner}/{repo}"),
        ("url_template", "https://host:port/{owner}/{repo}"),
        ("url_template", "https://me:very-secret@host/{owner}/{repo}"),
        ("url_template", "file://me:very-secret@host/{owner}/{repo}"),
        ("software_heritage", "archive.softwareheritage.org"),
        ("software_heritage", "ftp://archive.softwareheritage.org"),
        ("software_heritage", "file:///archive"),
        ("software_heritage", "https://"),
        ("software_heritage", "https://me:very-secret@host"),
        ("software_heritage", "me:very-secret@host"),
    ],
)
def test_addresses_that_are_none(case: Case, key: str, address: str) -> None:
    with ArchiveServer(case.hub) as server:
        with pytest.raises(ConfigurationError, match=f"download.{key}: ") as caught:
            case.settings(server, **{key: address})
    assert "very-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "option", [{"timeout_seconds": 1e12}, {"requests_per_minute": 1e-320}, {"attempts": 0}]
)
def test_numbers_that_no_system_can_wait_for(case: Case, option: dict[str, float]) -> None:
    with ArchiveServer(case.hub) as server, pytest.raises(ConfigurationError, match=r"download\."):
        case.settings(server, **option)


def test_an_archive_that_cannot_be_written_is_said(case: Case) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    large = Answer(body=b"x" * 10**6)
    with ArchiveServer(lambda *_: large) as server:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10**5, hard))
        try:
            with pytest.raises(DataError, match=r"store\.fetching: .*File too large.*; make room"):
                case.fetch(server)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
