from pathlib import Path

import pytest

from ncsbench.corpus.sources.repositories import Repository, is_name, read_repositories
from ncsbench.errors import ConfigurationError
from tests.refusals import one_line

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_is_sorted_and_bad_lines_are_set_aside(tmp_path: Path) -> None:
    path = write(
        tmp_path / "list.csv",
        "stars,repo,commit\n"
        f"9,b/two,{COMMIT}\n1,a/one,\n1,a/one,{COMMIT}\n1,../up,{COMMIT}\n"
        f"1,c/..,{COMMIT}\n1,$(touch x)/y,{COMMIT}\n1,d/x,--upload-pack=x\n1,noslash,\n",
    )
    listed = read_repositories(path)
    assert listed.repositories == [Repository("a", "one", None), Repository("b", "two", COMMIT)]
    assert [reason for _, reason in listed.rejected] == [
        "listed twice, the first line counts",
        "is not owner/name",
        "is not owner/name",
        "is not owner/name",
        "the commit is neither a hexadecimal id of 7 to 64 digits nor HEAD or a branch",
        "is not owner/name",
    ]


def test_archive_links_as_published(tmp_path: Path) -> None:
    link = f"https://github.com/00-00/ably-chat/archive/{COMMIT}.zip"
    listed = read_repositories(write(tmp_path / "list.txt", f"{link}\nhttps://else.where/x.zip\n"))
    assert listed.repositories == [Repository("00-00", "ably-chat", COMMIT)]
    assert listed.rejected == [("https://else.where/x.zip", "is not owner/name")]


@pytest.mark.parametrize(
    "first",
    [
        "# my list",
        "garbage, of any kind",
        "http://github.com/a/b/archive/x.zip",
        '"',
        "x" * 200_000,
    ],
)
def test_a_malformed_first_line_voids_no_list_of_links(tmp_path: Path, first: str) -> None:
    lines = [first, *(f"https://github.com/a/{name}/archive/{COMMIT}.zip" for name in "bc")]
    listed = read_repositories(write(tmp_path / "list.txt", "\n".join(lines)))
    assert [one.full_name for one in listed.repositories] == ["a/b", "a/c"]
    assert listed.rejected == [(first[:200], "is not owner/name")]


def test_a_link_in_a_csv_file_is_one_line_left_out(tmp_path: Path) -> None:
    link = f"https://github.com/a/b/archive/{COMMIT}.zip"
    listed = read_repositories(write(tmp_path / "list.csv", f'"repo",commit\nc/d,\n{link}\n'))
    assert listed.repositories == [Repository("c", "d", None)]
    assert listed.rejected == [(f"{link},", "is not owner/name")]


def test_branches_by_their_whole_name_are_branches(tmp_path: Path) -> None:
    """GitHub links them so, and names the folder in the archive without ``refs/heads/``."""
    link = "https://github.com/a/b/archive/refs/heads/feature/x.zip"
    linked = read_repositories(write(tmp_path / "list.txt", link))
    text = "repo,commit\na/b,refs/heads/feature/x\nc/d,refs/tags/v1.0\n"
    listed = read_repositories(write(tmp_path / "list.csv", text))
    assert [one.commit for one in listed.repositories] == ["feature/x", "v1.0"]
    assert (linked.repositories, linked.rejected) == (listed.repositories[:1], [])


def test_a_name_in_other_case_is_the_same_repository(tmp_path: Path) -> None:
    """GitHub gives the same archive for both, so every method of it would be there twice."""
    path = write(tmp_path / "list.csv", "repo,commit\nb/two,\nOwner/One,\nowner/ONE,\n")
    listed = read_repositories(path)
    assert listed.repositories == [Repository("Owner", "One", None), Repository("b", "two", None)]
    assert listed.rejected == [("owner/ONE,", "listed twice, the first line counts")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,commit\na/b,\n", "has no column 'repo'; the first line names name, commit"),
        ("repo,commit\n", "names no usable repository"),
        ("", "has no column 'commit'"),
        ("x" * 200_000, "line 1: field larger than field limit"),
        ("https://else.where/x.zip\n", "names no usable repository"),
    ],
)
def test_unusable_lists_end_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with one_line(ConfigurationError, match=message):
        read_repositories(write(tmp_path / "list.csv", text))


def test_missing_and_binary_lists(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_repositories(tmp_path / "none.csv")
    (tmp_path / "list.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_repositories(tmp_path / "list.csv")


NAMES = ["HEAD", "main", "feature/x-1", "v1.0", "release_2", "ab", "C++"]
NO_NAMES = [
    *("abc", "0" * 65, "-x", "--upload-pack=x", "a..b", "a/", "/a", "a//b", ".a", "a/.b", "a.lock"),
    *("a.lock/b", "a.", "a b", "a~1", "a^{tree}", "a:b", "a?", "a*", "a[b", "a\\b", "@", "a@{1}"),
    *("$(touch x)", "é", "a\x7f", "x" * 201),
]


def test_a_list_may_name_head_or_a_branch_as_git_allows_it(tmp_path: Path) -> None:
    names = [*NAMES, *NO_NAMES, "ABCDEF1"]
    lines = "".join(f"o/r{number:02},{name}\n" for number, name in enumerate(names))
    listed = read_repositories(write(tmp_path / "list.csv", f"repo,commit\n{lines}"))
    assert [one.commit for one in listed.repositories] == [*NAMES[:5], *NAMES[6:], "abcdef1"]
    assert [is_name(one) for one in listed.repositories] == [*[True] * 6, False]
    assert len(listed.rejected) == len(NO_NAMES) + 1  # "ab" is hexadecimal and too short
