"""Attributes of paths as git finds them, and archives of commits that have them."""

import os
import subprocess
from pathlib import Path

import pytest

from ncsbench.corpus.sources.archive_attributes import LEFT_OUT, find_values, read_attributes
from ncsbench.corpus.sources.listing import open_source
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.zip_archives import read_zip
from tests.building import read_repository
from tests.unit.corpus.test_sources import git

PATTERNS = [
    "*",
    "*.java",
    "A.java",
    "/A.java",
    "src/*.java",
    "src/**",
    "**/B.java",
    "src/**/B.java",
    "src/",
    "src",
    "s?c/A.java",
    "[A-C].java",
    "[!A].java",
    "[^A].java",
    "\\*.java",
    "a\\b.java",
    '"a b.java"',
    '"q\\"q.java"',
    "a[[:space:]]b.java",
    "!A.java",
    "**",
    "a**a.java",
    "deep/*/A.java",
    "/",
    "//A.java",
    "",
    "*a*a*a*a*a*a*a*a*b",
]
PATHS = [
    "A.java",
    "B.java",
    "D.java",
    "src/A.java",
    "src/B.java",
    "src/x/B.java",
    "src/x/y/B.java",
    "*.java",
    "ab.java",
    "a b.java",
    'q"q.java',
    "axxa.java",
    "deep/x/A.java",
    "deep/x/y/A.java",
    "other/src/A.java",
    "a" * 200,
]


def test_patterns_match_as_those_of_git(tmp_path: Path) -> None:
    git("init", "-q", cwd=tmp_path)
    lines = [f"{pattern} a{number}" for number, pattern in enumerate(PATTERNS)]
    text = "\n".join([*lines, "[attr]mine one -two three=x", "*.java mine !one", "B.java -text"])
    files = {".gitattributes": text.encode(), "src/.gitattributes": b"/B.java two\nx/* z\n* !a0\n"}
    (tmp_path / "src").mkdir()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    attributes = read_attributes(files)
    told = subprocess.run(
        ["git", "check-attr", "-z", "--stdin", "--all"],
        input="\0".join(PATHS),
        cwd=tmp_path,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    expected: dict[str, dict[str, str]] = {path: {} for path in PATHS}
    for path, name, value in zip(told[::3], told[1::3], told[2::3], strict=False):
        expected[path][name] = value
    words = {True: "set", False: "unset"}
    for path in PATHS:
        found = {
            name: value if isinstance(value, str) else words[value]
            for name, value in find_values(path, attributes).items()
            if value is not None
        }
        assert found == expected[path], path


@pytest.fixture
def commit(tmp_path: Path) -> tuple[Repository, Path]:
    """A commit with all that git archive changes, and its archive."""
    work = tmp_path / "clones" / "owner" / "name"
    (work / "tests").mkdir(parents=True)
    (work / "crlf").mkdir()
    git("init", "-q", cwd=work)
    git("config", "core.autocrlf", "false", cwd=work)
    attributes = (
        "tests export-ignore\nGone.java export-ignore\nREADME.md export-ignore\n"
        "/.travis.yml export-ignore\n*.gradle export-ignore\nThere.java export-ignore\n"
        "/There.java -export-ignore\nSubst.java export-subst\nId.java ident\n"
        "Both.java ident eol=crlf\nWide.java working-tree-encoding=UTF-16LE\n"
        "crlf/*.java text eol=crlf\ncrlf/Auto.java text=auto eol=crlf\ncrlf/Not.java -text\n"
    )
    files = {
        ".gitattributes": attributes.encode(),
        "tests/T.java": b"class T { }\n",
        "Gone.java": b"class Gone { }\n",
        "There.java": b"class There { }\n",
        "Subst.java": b'class S { String v = "$Format:%H$"; }\n',
        "Id.java": b"class I { } // $Id$\n",
        "Both.java": b"// $Id$\nclass B { }\n",
        "Wide.java": "class Ü { }\n".encode("utf-16-le"),
        "Plain.java": b"class P { }\r\n// mixed\n",
        "crlf/Text.java": b"class T {\n}\n",
        "crlf/Auto.java": b"class A {\n}\n",
        "crlf/Binary.java": b"class B {\0\n}\n",
        "crlf/Not.java": b"class N {\r\n}\n",
        "crlf/None.java": b"class N { }",
    }
    for name, data in files.items():
        (work / name).write_bytes(data)
    git("add", "-f", ".", cwd=work)
    git("commit", "-qm", "first", cwd=work)
    name = git("rev-parse", "HEAD", cwd=work)
    path = tmp_path / "a.zip"
    git("archive", "--format=zip", f"--prefix=name-{name}/", "-o", str(path), name, cwd=work)
    return Repository("owner", "name", name), path


def test_an_archive_has_the_bytes_of_the_commit_or_says_what_may_differ_dev_108(
    commit: tuple[Repository, Path], tmp_path: Path
) -> None:
    repository, path = commit
    clones = open_source("git", str(tmp_path / "clones"))
    whole = {file.path: file.data for file in read_repository(clones, repository)}
    with read_zip(path, commit=repository.commit) as archive:
        found = {
            one.path: archive.read(one.path) for one in archive.listing.files if not one.reason
        }
        told = {one.path: one.reason for one in archive.listing.files if one.reason}
        remark = archive.listing.remark
    # What is not there is named by its pattern; what names no Java file is not.
    assert told == {"Gone.java": LEFT_OUT, "tests": LEFT_OUT}
    assert whole.keys() - found.keys() == {"Gone.java", "tests/T.java"}
    differ = {name for name, data in found.items() if data != whole[name]}
    assert differ == {"Subst.java", "Wide.java"}
    assert remark == (
        "the archive may differ from the commit (eol=crlf of 4 files, "
        "eol=crlf with text=auto of 1 files, export-subst of 1 files, ident of 2 files, "
        "working-tree-encoding of 1 files)"
    )


def test_attributes_of_hostile_archives_cost_no_hours(tmp_path: Path) -> None:
    from tests.archives import COMMIT, make_zip

    lines = b"".join(b"*%d.java eol=crlf\n" % number for number in range(2000))
    files = {f"{number}.java": b"" for number in range(6000)} | {".gitattributes": lines}
    with read_zip(make_zip(tmp_path / "a.zip", files), commit=COMMIT) as archive:
        assert "more lines of .gitattributes than are read" in archive.listing.remark
