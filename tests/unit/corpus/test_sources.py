"""Reading folders and git clones without running or following anything in them."""

import os
import subprocess
from pathlib import Path

import pytest

from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import MAXIMUM_BYTES, ListedFile, SourceError
from tests.building import read_repository


def git(*arguments: str, cwd: Path) -> str:
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.invalid",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.invalid",
    }
    done = subprocess.run(
        ["git", *arguments], cwd=cwd, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def commit_all(work: Path) -> str:
    """Commit what is there; the commit."""
    git("add", ".", cwd=work)
    git("commit", "-qm", "more", cwd=work)
    return git("rev-parse", "HEAD", cwd=work)


@pytest.fixture
def clone(tmp_path: Path) -> tuple[Path, str]:
    """A work tree with one commit, and the commit."""
    work = tmp_path / "clones" / "owner" / "name"
    (work / "src").mkdir(parents=True)
    git("init", "-q", cwd=work)
    (work / "src" / "B.java").write_text("class B { }")
    (work / "A b\n.java").write_text("class A { }")
    (work / "Link.java").symlink_to("/etc/passwd")
    (work / "Large.java").write_bytes(b" " * (MAXIMUM_BYTES + 1))
    (work / "notes.txt").write_text("no Java")
    return work, commit_all(work)


def template(work: Path) -> str:
    return str(work.parent.parent / "{owner}" / "{repo}")


EXPECTED = [
    ("A b\n.java", b"class A { }", ""),
    ("Large.java", None, f"too large ({MAXIMUM_BYTES + 1} bytes, at most {MAXIMUM_BYTES})"),
    ("Link.java", None, "not a regular file"),
    ("src/B.java", b"class B { }", ""),
]


@pytest.mark.parametrize("bare", [False, True])
def test_git_reads_the_commit_not_the_work_tree(clone: tuple[Path, str], bare: bool) -> None:
    work, commit = clone
    (work / "src" / "B.java").write_text("changed later")
    if bare:
        git("clone", "-q", "--bare", str(work), str(work) + ".bare", cwd=work)
        work = work.rename(work.parent / "moved").parent / "name.bare"
    repository = Repository("owner", work.name, commit)
    files = read_repository(open_source("git", template(work)), repository)
    assert [(file.path, file.data, file.reason) for file in files] == EXPECTED


def test_directory_reads_regular_files_only(clone: tuple[Path, str]) -> None:
    work, _ = clone
    for path in (str(work.parent.parent), template(work)):
        files = read_repository(open_source("directory", path), Repository("owner", "name", None))
        assert [(file.path, file.data, file.reason) for file in files] == EXPECTED


@pytest.mark.parametrize("kind", ["git", "directory"])
def test_files_of_another_language_are_told_by_the_ends_of_their_names(
    clone: tuple[Path, str], kind: str
) -> None:
    work, _ = clone
    (work / "tool.py").write_text("def f(): pass")
    (work / "license.py").write_text("TEXT = 1")
    (work / "LICENSE").write_text("MIT")
    repository = Repository("owner", "name", commit_all(work))
    source = open_source(kind, template(work), suffixes=(".py", ".pyi"))
    listing = source.list_files(repository)
    assert [file.path for file in listing.files] == ["license.py", "tool.py"]
    assert [file.path for file in listing.licences] == ["LICENSE"]
    (read,) = source.read_files(repository, listing.commit, ["tool.py"])
    assert read.data == b"def f(): pass"


def test_a_folder_that_cannot_be_read_is_recorded(
    clone: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, _ = clone
    scandir = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("src"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    source = open_source("directory", template(work))
    files = read_repository(source, Repository("owner", "name", None))
    assert [(file.path, file.reason) for file in files][-1] == (
        "src/",
        "cannot be read (Permission denied)",
    )


def test_repositories_that_cannot_be_read(clone: tuple[Path, str]) -> None:
    work, commit = clone
    source = open_source("git", template(work))
    cases = [
        (Repository("owner", "absent", commit), "clone not found"),
        (Repository("owner", "name", None), "the list names no commit"),
        (Repository("owner", "name", "f" * 40), "commit not in the clone"),
    ]
    for repository, reason in cases:
        with pytest.raises(SourceError, match=reason):
            list(read_repository(source, repository))
    (work.parent / "empty").mkdir()
    with pytest.raises(SourceError, match=r"^not a git repository$"):
        list(read_repository(source, Repository("owner", "empty", commit)))
    with pytest.raises(SourceError, match="folder not found"):
        open_source("directory", template(work)).list_files(Repository("o", "n", None))


def test_a_missing_object_is_a_reason_not_a_fetch(clone: tuple[Path, str]) -> None:
    work, commit = clone
    blob = git("rev-parse", f"{commit}:src/B.java", cwd=work)
    (work / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    source = open_source("git", template(work))
    files = read_repository(source, Repository("owner", "name", commit))
    assert [file.reason for file in files][-1] == "not in the clone"


def test_nothing_that_a_clone_configures_is_run(clone: tuple[Path, str], tmp_path: Path) -> None:
    work, commit = clone
    trap = tmp_path / "trap"
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "diff.external"):
        git("config", key, f"touch {trap}", cwd=work)
    source = open_source("git", template(work))
    assert list(read_repository(source, Repository("owner", "name", commit)))
    assert not trap.exists()


@pytest.mark.parametrize("kind", ["git", "directory"])
def test_licence_files_of_the_root_folder_are_listed_in_any_case(
    clone: tuple[Path, str], kind: str
) -> None:
    work, _ = clone
    for name in (
        "LICENSE",
        "licence.md",
        "Copying.LESSER",
        "UNLICENSE",
        "src/LICENSE",
        "MYLICENSE",
    ):
        (work / name).write_text(name)
    (work / "License.java").write_text("class License { }")
    (work / "LICENSE.txt").symlink_to("/etc/passwd")
    repository = Repository("owner", "name", commit_all(work))
    source = open_source(kind, template(work))
    listing = source.list_files(repository)
    assert listing.commit == repository.commit
    assert listing.licences == (
        ListedFile("Copying.LESSER", 14),
        ListedFile("LICENSE", 7),
        ListedFile("LICENSE.txt", 11, "not a regular file"),
        ListedFile("UNLICENSE", 9),
        ListedFile("licence.md", 10),
    )
    assert [file.path for file in listing.files if "icense" in file.path] == ["License.java"]
    found = source.read_files(repository, listing.commit, ["LICENSE", "src/B.java"])
    assert [file.data for file in found] == [b"LICENSE", b"class B { }"]


@pytest.mark.parametrize("kind", ["git", "directory"])
def test_files_are_read_by_the_names_that_a_listing_gives_and_no_others(
    clone: tuple[Path, str], kind: str
) -> None:
    work, commit = clone
    (work.parent / "secret.java").write_text("class S { }")
    source, repository = open_source(kind, template(work)), Repository("owner", "name", commit)
    paths = ["src/B.java", "../secret.java", "gone.java", "A b\n.java", "src/B.java"]
    found = list(source.read_files(repository, commit, paths))
    assert [file.path for file in found] == paths
    b, a = b"class B { }", b"class A { }"
    assert [file.data for file in found] == [b, None, None, a, b]
    assert all(file.reason for file in found if file.data is None)


@pytest.mark.parametrize("kind", ["git", "directory"])
def test_of_two_paths_that_are_the_same_as_text_one_counts(
    clone: tuple[Path, str], kind: str
) -> None:
    work, _ = clone
    for name, text in ((b"\xff.java", "class R { }"), (b"\\xff.java", "class T { }")):
        (work / os.fsdecode(name)).write_text(text)
    repository = Repository("owner", "name", commit_all(work))
    files = read_repository(open_source(kind, template(work)), repository)
    found = [(file.data, file.reason) for file in files if file.path == "\\xff.java"]
    assert found == [(b"class T { }", ""), (None, "another file has this path")]


def test_a_damaged_object_does_not_take_the_others_with_it(clone: tuple[Path, str]) -> None:
    work, _ = clone
    (work / "src" / "C.java").write_text("class C { }")
    commit = commit_all(work)
    blob = git("rev-parse", f"{commit}:src/B.java", cwd=work)
    damaged = work / ".git" / "objects" / blob[:2] / blob[2:]
    damaged.chmod(0o644)
    damaged.write_bytes(b"no object")
    source, repository = open_source("git", template(work)), Repository("owner", "name", commit)
    found = list(source.read_files(repository, commit, ["src/B.java", "src/C.java"]))
    assert [(file.data, file.reason) for file in found] == [
        (None, "not in the clone"),
        (b"class C { }", ""),
    ]
