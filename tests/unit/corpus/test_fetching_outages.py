"""What the fetching job takes for an outage, and what for failures of single repositories."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ncsbench.errors import DataError
from tests.archive_server import Answer, ArchiveServer, Request
from tests.fetch_case import Case, no_environment, sizes
from tests.hub import ZIP, count_asked, name_commit

pytestmark = pytest.mark.usefixtures("no_environment")
__all__ = ["no_environment", "sizes"]

FIRST, LAST = "a/first", "z/last"
BAD = [f"bad/repo{number:02}" for number in range(25)]
FAILURES = {
    "damaged": Answer(body=b"<html>Log in, please</html>"),
    "cut off": Answer(body=b"PK", length=99),
    "broken": Answer(500),
}


def make_case(folder: Path, sizes: Path, names: list[str], answer: Answer, **hub: Any) -> Case:
    """A list of good repositories and of those that are answered in one way for ever."""
    return Case(folder, sizes, names, special=dict.fromkeys(BAD, lambda *_: answer), **hub)


@pytest.mark.parametrize("failure", FAILURES)
def test_failures_that_last_are_those_of_the_repositories(
    failure: str, tmp_path: Path, sizes: Path
) -> None:
    case = make_case(tmp_path, sizes, [FIRST], FAILURES[failure])
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server, software_heritage="", attempts=1)
        assert list(manifest["missing"]) == BAD
        # What came before is asked once more for twenty failures, and for those at the end.
        assert 2 <= count_asked(server, ZIP)[FIRST] <= 4


def test_those_that_are_gone_do_not_hide_those_that_fail(tmp_path: Path, sizes: Path) -> None:
    case = make_case(tmp_path, sizes, [FIRST], Answer(500))
    case.hub.special = {
        name: (lambda *_: Answer(404)) if number % 2 else script
        for number, (name, script) in enumerate(case.hub.special.items())
    }
    with ArchiveServer(case.hub) as server:
        assert list(case.fetch(server, software_heritage="", attempts=1)["missing"]) == BAD
    case = Case(tmp_path / "none", sizes, [], special=case.hub.special)
    with ArchiveServer(case.hub) as server:
        with pytest.raises(DataError, match="no repository could be fetched"):
            case.fetch(server, software_heritage="", attempts=1)
    assert list(case.find_missing()) == BAD


def test_damaged_files_of_a_folder_are_damaged_for_certain(tmp_path: Path, sizes: Path) -> None:
    case = make_case(tmp_path, sizes, [FIRST], Answer())
    for name in (FIRST, *BAD):
        path = tmp_path / "mirror" / f"{name}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.hub.zips[FIRST] if name == FIRST else case.hub.zips[FIRST][:-40])
    template = f"{(tmp_path / 'mirror').as_uri()}/{{owner}}/{{repo}}.zip"
    with ArchiveServer(case.hub) as server:
        manifest = case.fetch(server, url_template=template, software_heritage="")
    assert list(manifest["missing"]) == BAD


def test_a_list_of_which_all_is_gone_comes_from_software_heritage(
    tmp_path: Path, sizes: Path
) -> None:
    case = make_case(tmp_path, sizes, [], Answer(404), heritage=BAD)
    with ArchiveServer(case.hub) as server:
        assert list(case.fetch(server)["repositories"]) == BAD


def test_what_returned_is_fetched_behind_failures_that_last(tmp_path: Path, sizes: Path) -> None:
    case = make_case(tmp_path, sizes, [FIRST, LAST], Answer(500))
    zip_of_last = case.hub.zips.pop(LAST)
    # One connection: the first is answered before the failures, however slow the machine is.
    options = {"software_heritage": "", "attempts": 1, "connections": 1}
    with ArchiveServer(case.hub) as server:
        assert LAST in case.fetch(server, **options)["missing"]
        case.hub.zips[LAST] = zip_of_last
        assert LAST in case.fetch(server, retry_missing=True, **options)["repositories"]


def test_failures_that_last_do_not_keep_the_next_run_from_the_others(
    tmp_path: Path, sizes: Path
) -> None:
    case = make_case(tmp_path, sizes, [LAST], Answer(500))
    options = {"software_heritage": "", "attempts": 1, "connections": 1}
    with ArchiveServer(case.hub) as server:
        with pytest.raises(DataError, match="20 repositories in a row"):
            case.fetch(server, **options)
        reasons = set(case.find_missing().values())
        assert reasons == {"500 Internal Server Error, 1 attempts, to be asked for again"}
        manifest = case.fetch(server, **options)
    assert list(manifest["repositories"]) == [LAST]
    assert set(manifest["missing"].values()) == {"500 Internal Server Error, 1 attempts"}


def from_the_tenth(answer: Answer) -> Callable[[Case, ArchiveServer], Any]:
    def script_of(case: Case, server: ArchiveServer) -> Any:
        hub = case.hub
        return lambda request, before: hub(request, before) if len(server.requests) < 10 else answer

    return script_of


@pytest.mark.parametrize("count", [12, 60])
@pytest.mark.parametrize("failure", FAILURES)
def test_an_outage_marks_nothing_as_missing_for_good(
    failure: str, count: int, tmp_path: Path, sizes: Path
) -> None:
    """Neither in the midst of a list nor at its end, nor where a page comes in place of all."""
    case = Case(tmp_path, sizes, [f"owner/repo{number:02}" for number in range(count)])
    with ArchiveServer(lambda *_: Answer()) as server:
        server.script = from_the_tenth(FAILURES[failure])(case, server)
        with pytest.raises(DataError, match="repositories in a row could not be fetched"):
            case.fetch(server, attempts=1)
    with ArchiveServer(case.hub) as server:
        assert case.fetch(server)["missing"] == {}


def test_a_host_that_says_what_is_gone_does_not_hide_that_the_next_is_down(
    tmp_path: Path, sizes: Path
) -> None:
    gone = [f"gone/repo{number:02}" for number in range(20)]
    good = [f"good/repo{number:02}" for number in range(60)]
    case = Case(tmp_path, sizes, good, special=dict.fromkeys(gone, lambda *_: Answer(404)))
    hub = case.hub
    # Of every four one is gone.
    names = [name for i in range(20) for name in (gone[i], *good[3 * i : 3 * i + 3])]
    lines = [f"{i:02}{name},{name_commit(name)}" for i, name in enumerate(names)]
    case.list.write_text("repo,commit\n" + "\n".join(lines) + "\n", encoding="utf-8")

    def script(request: Request, before: int) -> Answer:
        path = f"/{request.path[3:]}"  # without the number
        if request.host == server.second:
            return hub(request, before) if len(server.requests) < 20 else Answer(503)
        name = path.removeprefix("/").partition("/archive/")[0]
        if name in gone:
            return Answer(404)
        return Answer(302, headers={"Location": f"http://{server.second}{path}"})

    with ArchiveServer(script) as server:
        with pytest.raises(DataError, match="repositories in a row could not be fetched"):
            case.fetch(server, software_heritage="", attempts=1)
    for_good = [name for name, why in case.find_missing().items() if not why.endswith("again")]
    assert all("gone/" in name for name in for_good)
