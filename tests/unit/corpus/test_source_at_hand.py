"""What is there of a source, and what is remembered of commits from one listing to the next."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from ncsbench.corpus.sources.inventory import iterate_shard
from ncsbench.corpus.sources.listing import list_source, open_source
from ncsbench.corpus.sources.repositories import Repository, RepositoryList
from ncsbench.corpus.sources.source_at_hand import MISSING, RESOLVED, SourceAtHand, read_resolved
from ncsbench.corpus.sources.source_protocol import SourceError, SourceOptions, find_fixed_folder
from ncsbench.errors import DataError
from tests.unit.corpus.test_sources import commit_all, git


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A work tree with one commit on the branch ``main``."""
    folder = tmp_path / "clones" / "o" / "r"
    folder.mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=folder)
    commit_file(folder, "A.java", "class A { void m() { } }")
    return folder


def commit_file(work: Path, name: str, text: str) -> str:
    (work / name).write_text(text)
    return commit_all(work)


def template(tmp_path: Path) -> str:
    return str(tmp_path / "clones" / "{owner}" / "{repo}")


def list_once(tmp_path: Path, *commits: str | None, threads: int = 1) -> list[str | None]:
    """The commits of the inventory, one for each repository that has files."""
    repositories = [
        Repository("o", "r" if number == 0 else f"s{number}", commit)
        for number, commit in enumerate(commits)
    ]
    source = SourceOptions(kind="git", path=template(tmp_path))
    listed, inventory = RepositoryList(repositories, []), tmp_path / "inventory.parquet"
    list_source(listed, source, memory=tmp_path, output=inventory, threads=threads)
    return [part.commit for part in iterate_shard(inventory, shard=0, shards=1)]


def hash_git(tmp_path: Path, commit: str | None) -> str | None:
    return at_hand(tmp_path, "git", commit).hash()


def at_hand(tmp_path: Path, kind: str, *commits: str | None) -> SourceAtHand:
    options = SourceOptions.parse({"kind": kind, "path": template(tmp_path)}, where="")
    names = [f"r{number or ''}" for number in range(len(commits))]
    listed = [Repository("o", *pair) for pair in zip(names, commits, strict=True)]
    return SourceAtHand(options, listed, tmp_path)


@pytest.mark.parametrize("name", ["HEAD", "main"])
def test_a_name_stands_for_the_same_commit_in_every_run(
    tmp_path: Path, work: Path, name: str
) -> None:
    first = git("rev-parse", "HEAD", cwd=work)
    assert list_once(tmp_path, name) == [first]
    assert (tmp_path / RESOLVED).read_text() == f"repository,listed,commit\no/r,{name},{first}\n"
    second = commit_file(work, "B.java", "class B { }")
    assert list_once(tmp_path, name) == [first]
    (tmp_path / RESOLVED).unlink()  # how it is resolved anew
    assert list_once(tmp_path, name) == [second]


def test_names_are_looked_for_among_branches_of_the_clone_its_origin_and_tags(
    tmp_path: Path, work: Path
) -> None:
    first = git("rev-parse", "HEAD", cwd=work)
    git("tag", "v1", cwd=work)
    git("update-ref", "refs/remotes/origin/theirs", "HEAD", cwd=work)
    commit_file(work, "B.java", "class B { }")
    git("branch", "abcdef1", cwd=work)
    source = open_source("git", template(tmp_path))
    for name in ("v1", "theirs", first[:10]):
        assert source.list_files(Repository("o", "r", name)).commit == first
    for name, said in (("none", "none not in the clone"), ("abcdef1", "commit not in the clone")):
        with pytest.raises(SourceError, match=said):
            source.list_files(Repository("o", "r", name))


def test_a_folder_has_no_branch(tmp_path: Path, work: Path) -> None:
    source = open_source("directory", template(tmp_path))
    assert source.list_files(Repository("o", "r", "abcdef1")).commit == "abcdef1"
    with pytest.raises(SourceError, match="a folder has no HEAD: list a commit or none"):
        source.list_files(Repository("o", "r", "HEAD"))


def test_a_spoilt_file_of_commits_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / RESOLVED).write_text("repository,listed,commit\no/r,main,--upload-pack=x\n")
    with pytest.raises(DataError, match=r"main of o/r stands for .*no whole commit id"):
        read_resolved(tmp_path)


def test_the_inventory_does_not_depend_on_the_number_of_threads(tmp_path: Path, work: Path) -> None:
    for number in range(1, 9):
        git("clone", "-q", "--bare", str(work), str(work.parent / f"s{number}"), cwd=work)
    found = []
    for threads in (1, 4):
        list_once(tmp_path, *["HEAD"] * 12, threads=threads)
        found.append((tmp_path / "inventory.parquet").read_bytes())
    assert found[0] == found[1]


def test_a_clone_that_appears_later_counts(tmp_path: Path) -> None:
    before = hash_git(tmp_path, "a" * 40)
    (tmp_path / "clones" / "o" / "other").mkdir(parents=True)  # for another dataset
    assert hash_git(tmp_path, "a" * 40) == before
    (tmp_path / "clones" / "o" / "r").mkdir()
    assert hash_git(tmp_path, "a" * 40) != before


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("name", ["", "late"])
def test_a_commit_that_comes_later_counts_once(
    tmp_path: Path, work: Path, packed: bool, name: str
) -> None:
    other = tmp_path / "other"
    git("clone", "-q", str(work), str(other), cwd=work)
    git("checkout", "-qb", "late", cwd=other)
    commit = commit_file(other, "B.java", "class B { }")
    listed = name or commit
    before = hash_git(tmp_path, listed)
    assert list_once(tmp_path, listed) == []
    assert hash_git(tmp_path, listed) == before
    limit = f"fetch.unpackLimit={1 if packed else 100}"
    git("-c", limit, "fetch", "-q", str(other), "late:late", cwd=work)
    arrived = hash_git(tmp_path, listed)
    assert arrived != before
    assert list_once(tmp_path, listed) == [commit]
    assert hash_git(tmp_path, listed) == arrived
    assert list_once(tmp_path, listed) == [commit]
    assert hash_git(tmp_path, listed) == arrived
    told = f"o/r,{listed},{name or 'commit'} not in the clone"
    assert (tmp_path / MISSING).read_text() == f"repository,listed,first\n{told}\n"
    # As an earlier version wrote it.
    (tmp_path / MISSING).write_text(f"repository,listed,first,last,state\n{told},,\n")
    assert hash_git(tmp_path, listed) == arrived


def check_arrival(tmp_path: Path, listed: str, arrive: Callable[[], object]) -> None:
    """What arrives changes the hash once; what is listed anew does not."""
    list_once(tmp_path, listed)
    before = hash_git(tmp_path, listed)
    list_once(tmp_path, listed)
    assert hash_git(tmp_path, listed) == before
    arrive()
    arrived = hash_git(tmp_path, listed)
    assert arrived != before
    for _ in range(2):
        list_once(tmp_path, listed)
        assert hash_git(tmp_path, listed) == arrived


def test_an_empty_folder_that_becomes_a_clone_counts(tmp_path: Path, work: Path) -> None:
    commit = git("rev-parse", "HEAD", cwd=work)
    away = work.rename(tmp_path / "away")
    work.mkdir()
    before = hash_git(tmp_path, commit)
    assert list_once(tmp_path, commit) == []
    assert hash_git(tmp_path, commit) == before
    check_arrival(
        tmp_path, commit, lambda: git("clone", "-q", "--bare", str(away), str(work), cwd=away)
    )
    assert list_once(tmp_path, commit) == [commit]


@pytest.mark.parametrize("packed", [True, False])
def test_a_push_to_an_empty_clone_that_is_listed_as_head_counts(
    tmp_path: Path, work: Path, packed: bool
) -> None:
    away = work.rename(tmp_path / "away")
    git("init", "-q", "--bare", "-b", "feature/main", str(work), cwd=tmp_path)
    limit = f"receive.unpackLimit={1 if packed else 100}"
    receive = f"--receive-pack=git -c {limit} receive-pack"
    target = "main:refs/heads/feature/main"
    check_arrival(tmp_path, "HEAD", lambda: git("push", "-q", receive, str(work), target, cwd=away))
    assert list_once(tmp_path, "HEAD") == [git("rev-parse", "main", cwd=away)]


def test_the_reference_that_head_names_counts_without_objects(tmp_path: Path, work: Path) -> None:
    commit = git("rev-parse", "HEAD", cwd=work)
    git("symbolic-ref", "HEAD", "refs/heads/feature/late", cwd=work)
    check_arrival(
        tmp_path, "HEAD", lambda: git("update-ref", "refs/heads/feature/late", commit, cwd=work)
    )


def test_a_partial_clone_that_gets_its_files_counts(tmp_path: Path, work: Path) -> None:
    away = work.rename(tmp_path / "away")
    commit = git("rev-parse", "HEAD", cwd=away)
    git("config", "uploadpack.allowFilter", "true", cwd=away)
    without = "--filter=blob:none"
    git("clone", "-q", "--bare", without, f"file://{away}", str(work), cwd=away)
    with pytest.raises(SourceError, match=r"^files not in the clone$"):
        open_source("git", template(tmp_path)).list_files(Repository("o", "r", commit))
    blob = git("rev-parse", f"{commit}:A.java", cwd=away)
    check_arrival(tmp_path, commit, lambda: git("cat-file", "-p", blob, cwd=work))
    assert list_once(tmp_path, commit) == [commit]


def test_files_that_come_one_by_one_count_each(tmp_path: Path, work: Path) -> None:
    commit = commit_file(work, "B.java", "class B { }")
    kept = {}
    for name in ("A.java", "B.java"):
        blob = git("rev-parse", f"{commit}:{name}", cwd=work)
        path = work / ".git" / "objects" / blob[:2] / blob[2:]
        kept[path] = path.read_bytes()
        path.unlink()
    before = hash_git(tmp_path, commit)
    assert list_once(tmp_path, commit) == [commit]
    assert hash_git(tmp_path, commit) == before
    for path, data in kept.items():
        check_arrival(tmp_path, commit, partial(path.write_bytes, data))


def test_what_a_clone_lacks_is_said_without_a_path_of_this_machine(
    tmp_path: Path, work: Path
) -> None:
    commit = git("rev-parse", "HEAD", cwd=work)
    source, repository = open_source("git", template(tmp_path)), Repository("o", "r", commit)
    (work / ".git" / "config").write_text("[core\n")
    with pytest.raises(SourceError, match=r"^git cannot read the clone$"):
        source.list_files(repository)
    (work / ".git").rename(tmp_path / "away")
    with pytest.raises(SourceError, match=r"^not a git repository$"):
        source.list_files(repository)


def test_without_a_usable_repository_there_is_one_line(tmp_path: Path, work: Path) -> None:
    assert at_hand(tmp_path, "git", "a" * 40, None).explain_none() == ""
    assert at_hand(tmp_path, "directory", None).explain_none() == ""
    assert at_hand(tmp_path, "archive", "a" * 40).explain_none() == ""
    needs = "names no usable repository: source.kind git needs a commit"
    assert at_hand(tmp_path, "git", None, None).explain_none() == needs
    assert "no branch" in at_hand(tmp_path, "directory", "HEAD").explain_none()
    work.rename(tmp_path / "away")
    for kind in ("git", "directory"):
        said = at_hand(tmp_path, kind, "a" * 40, "b" * 40).explain_none()
        assert said.startswith("none of its 2 repositories is there; the first is looked for in ")
        assert "o/r: put it there, or change 'source.path'" in said


def test_the_content_of_folders_counts_also_behind_a_prefix(tmp_path: Path) -> None:
    (tmp_path / "of-o").mkdir()
    options = SourceOptions.parse(
        {"kind": "directory", "path": f"{tmp_path}/of-{{owner}}/{{repo}}"}, where=""
    )
    source = SourceAtHand(options, [Repository("o", "r", None)], tmp_path)
    before = source.hash()
    (tmp_path / "of-o" / "A.java").write_text("class A {}")
    assert source.hash() != before


@pytest.mark.parametrize("link", ["o/r", "o"])
def test_the_content_of_a_repository_that_is_a_link_counts(tmp_path: Path, link: str) -> None:
    behind, name = tmp_path / "else", (tmp_path / "clones" / link)
    (behind / "r").mkdir(parents=True)
    (behind / "r" / "A.java").write_text("class A {}")
    name.parent.mkdir(parents=True)
    source = at_hand(tmp_path, "directory", None)
    hashes = [source.hash()]
    name.symlink_to(behind / "r" if link == "o/r" else behind)
    hashes.append(source.hash())
    (behind / "r" / "A.java").write_text("class B {}")
    hashes.append(source.hash())
    (behind / "r" / "inside").symlink_to(tmp_path)
    assert source.hash() == hashes[-1]
    assert len(set(hashes)) == 3


@pytest.mark.parametrize(
    ("template", "folder"),
    [
        ("foo/pre{owner}/{repo}", "foo"),
        ("foo/{owner}/{repo}", "foo"),
        ("{owner}/{repo}", "."),
        ("/pre{owner}-{repo}", "/"),
        ("foo/bar", "foo/bar"),
    ],
)
def test_the_folder_of_sources_ends_before_the_part_with_a_placeholder(
    template: str, folder: str
) -> None:
    assert find_fixed_folder(template) == Path(folder)
