"""Archives of others end in an ArchiveError or a line of the ledger, never in a wrong byte."""

import io
import random
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from ncsbench.corpus.sources.packed_streams import ArchiveError, ArchiveLimits
from ncsbench.corpus.sources.source_protocol import MAXIMUM_BYTES
from ncsbench.corpus.sources.zip_archives import Archive, read_flat_bundle, read_zip
from tests.archives import COMMIT, DIRECTORY, FILES, make_bundle, make_zip

JAVA = {path: data for path, data in FILES.items() if path.endswith(".java")}


def lines(archive: Archive) -> dict[str, str]:
    return {file.path: file.reason for file in archive.listing.files}


def read_all(archive: Archive) -> dict[str, bytes]:
    files = (*archive.listing.files, *archive.listing.licences)
    return {file.path: archive.read(file.path) for file in files if not file.reason}


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


def patched(path: Path, change: Callable[[bytearray], None]) -> Path:
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)
    return path


def test_paths_and_kinds_of_a_zip(tmp_path: Path) -> None:
    members = [
        ("../up/A.java", b"1"),
        ("src/../../A.java", b"2"),
        ("/etc/A.java", b"3"),
        ("src\\B.java", b"class B { }"),
        ("C:\\D.java", b"class D { }"),
        ("Case.java", b"class Case { }"),
        ("case.java", b"class Lower { }"),
        ("Twice.java", b"class First { }"),
        ("Twice.java", b"class Second { }"),
        (entry("Link.java", stat.S_IFLNK | 0o777), b"/etc/passwd"),
        (entry("Device.java", stat.S_IFCHR | 0o600), b""),
        (entry("run.java", stat.S_IFREG | 0o755), b"class R { }"),
        ("Large.java", b" " * (MAXIMUM_BYTES + 1)),
    ]
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = make_zip(tmp_path / "a.zip", members)
    with read_zip(path, commit=COMMIT) as archive:
        listed = [(file.path, file.reason) for file in archive.listing.files]
        assert listed == [
            ("../up/A.java", "unsafe path"),
            ("/etc/A.java", "unsafe path"),
            ("C:\\D.java", ""),
            ("Case.java", ""),
            ("Device.java", "not a regular file"),
            ("Large.java", f"too large ({MAXIMUM_BYTES + 1} bytes, at most {MAXIMUM_BYTES})"),
            ("Link.java", "not a regular file"),
            ("Twice.java", ""),
            ("Twice.java", "another file has this path"),
            ("case.java", ""),
            ("run.java", ""),
            ("src/../../A.java", "unsafe path"),
            ("src\\B.java", ""),
        ]
        assert archive.read("Twice.java") == b"class First { }"
        assert archive.read("case.java") == b"class Lower { }"
        assert archive.read("src\\B.java") == b"class B { }"


@pytest.mark.parametrize(
    ("top", "comment", "listed", "found"),
    [
        (f"name-{COMMIT}/", COMMIT, COMMIT, "A.java"),
        (f"new-name-{COMMIT}/", COMMIT, COMMIT[:8], "A.java"),
        (f"name-{COMMIT[:7]}/", COMMIT, COMMIT, "A.java"),
        ("name-HEAD/", COMMIT, "HEAD", "A.java"),
        ("name-feature-x/", COMMIT, "feature/x", "A.java"),
        ("name-1.0/", COMMIT, "v1.0", "A.java"),
        ("", COMMIT, COMMIT, "A.java"),
        ("app/", COMMIT, COMMIT, "app/A.java"),
        ("app-2/", COMMIT, COMMIT, "app-2/A.java"),
    ],
)
def test_a_top_folder_that_names_the_commit_is_cut_off(
    tmp_path: Path, top: str, comment: str, listed: str, found: str
) -> None:
    path = make_zip(tmp_path / "a.zip", {"A.java": b""}, top=top, comment=comment)
    with read_zip(path, commit=listed) as archive:
        assert (lines(archive), archive.listing.commit) == ({found: ""}, COMMIT)


@pytest.mark.parametrize("listed", [COMMIT, COMMIT[:8], "HEAD"])
def test_a_member_outside_the_top_folder_changes_no_other_path(tmp_path: Path, listed: str) -> None:
    """No commit has a folder that is named after it: what lies beside is none of its files."""
    unsafe, outside = "unsafe path", "outside the top folder"
    for other, reason in (
        ("/etc/X.java", unsafe),
        ("../X.java", unsafe),
        ("..\\X.java", outside),
        ("C:\\X.java", outside),
        ("C:/X.java", outside),
        ("LICENSE", outside),
        ("README.md", ""),
    ):
        names = [(other, b"x"), (f"name-{COMMIT}/A.java", b"a")]
        with read_zip(make_zip(tmp_path / "a.zip", names, top=""), commit=listed) as archive:
            assert read_all(archive) == {"A.java": b"a"}
            left = {one.path: one.reason for one in archive.listing.licences} | lines(archive)
            assert left == {"A.java": ""} | ({other: reason} if reason else {})


def test_a_member_outside_the_top_folder_takes_no_place(tmp_path: Path) -> None:
    names = [("A.java", b"x"), (f"name-{COMMIT}/A.java", b"a"), ("B.java", b"x")]
    with read_zip(make_zip(tmp_path / "a.zip", names, top=""), commit=COMMIT) as archive:
        assert read_all(archive) == {"A.java": b"a"}
        assert [file.reason for file in archive.listing.files] == [
            "",
            "another file has this path",
            "outside the top folder",
        ]
    names = [(f"{folder}-{COMMIT}/A.java", b"a") for folder in "ab"]
    with read_zip(make_zip(tmp_path / "a.zip", names, top=""), commit=COMMIT) as archive:
        assert read_all(archive).keys() == {name for name, _ in names}


@pytest.mark.parametrize(
    ("top", "listed", "found"),
    [
        ("name-HEAD/", None, "A.java"),
        ("Name-main/", None, "A.java"),
        ("name-main/", "HEAD", "A.java"),
        ("names-main/", "HEAD", "names-main/A.java"),
        ("name/", "HEAD", "name/A.java"),
        ("name-main/", "release", "name-main/A.java"),
        ("name-main/", COMMIT, "name-main/A.java"),
    ],
)
def test_the_top_folder_of_head_has_the_name_of_some_branch(
    tmp_path: Path, top: str, listed: str | None, found: str
) -> None:
    path = make_zip(tmp_path / "a.zip", {"A.java": b""}, top=top)
    with read_zip(path, commit=listed, repository="name") as archive:
        assert lines(archive) == {found: ""}


def test_too_many_attributes_are_refused(tmp_path: Path) -> None:
    files = {f"{number}/.gitattributes": bytes(2**20) for number in range(9)}
    with (
        pytest.raises(ArchiveError, match=r"too many \.gitattributes"),
        read_zip(make_zip(tmp_path / "a.zip", files), commit=COMMIT),
    ):
        pass


def test_another_commit_is_refused_and_none_is_a_remark(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", comment=COMMIT[::-1])
    with (
        pytest.raises(ArchiveError, match="of another commit") as error,
        read_zip(path, commit=COMMIT),
    ):
        pass
    assert not error.value.retry
    for comment in ("", "made by hand"):
        with read_zip(make_zip(path, comment=comment), commit=COMMIT) as archive:
            assert archive.listing.remark == "the archive names no commit"
            assert (archive.listing.commit, read_all(archive).keys()) == (
                COMMIT,
                {"A.java", "LICENSE", "src/B.java"},
            )


def test_names_that_are_no_utf8_are_as_git_lists_them(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"AX.java": b"1", "ü.java": b"2", "LICENSE": b""})
    patched(path, lambda data: data.__setitem__(slice(None), data.replace(b"AX", b"A\xe9")))
    with read_zip(path, commit=COMMIT) as archive:
        assert read_all(archive) == {"A\\xe9.java": b"1", "ü.java": b"2", "LICENSE": b""}


def test_what_cannot_be_unpacked_is_a_line(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", JAVA, compression=zipfile.ZIP_LZMA)
    with read_zip(path, commit=COMMIT) as archive:
        assert set(lines(archive).values()) == {"compressed in a way that is not read (14)"}

    def encrypt(data: bytearray) -> None:
        for signature, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
            at = data.find(signature)
            while at >= 0:
                data[at + place] |= 1
                at = data.find(signature, at + 1)

    path = patched(make_zip(path, JAVA), encrypt)
    with read_zip(path, commit=COMMIT) as archive:
        assert set(lines(archive).values()) == {"encrypted in the archive"}


def test_limits_of_a_zip(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {f"{i}.java": bytes(1000) for i in range(10)})
    with read_zip(path, commit=COMMIT, limits=ArchiveLimits(java_bytes=10_000, entries=11)):
        pass
    for limits, reason in (
        (ArchiveLimits(java_bytes=9_999), "too much Java"),
        (ArchiveLimits(entries=10), "too many files"),
    ):
        with (
            pytest.raises(ArchiveError, match=reason) as error,
            read_zip(path, commit=COMMIT, limits=limits),
        ):
            pass
        assert not error.value.retry


def test_two_hundred_thousand_entries(tmp_path: Path) -> None:
    # As small as entries can be: zipfile would take longer to write them than they take to read.
    count, names, local, central = 200_000, [], bytearray(), bytearray()
    names = [b"%d.java" % number for number in range(count)]
    for name in names:
        fields = (20, 0, 0, 0, 33, 0, 0, 0, len(name), 0)
        central += struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, *fields, 0, 0, 0, 0, len(local)) + name
        local += struct.pack("<4s5H3L2H", b"PK\3\4", *fields) + name
    start = len(local)
    end_64 = struct.pack(
        "<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(central), start
    )
    end_64 += struct.pack("<4sLQL", b"PK\6\7", 0, start + len(central), 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, len(central), start, 0)
    path = tmp_path / "a.zip"
    path.write_bytes(local + central + end_64 + end)
    with read_zip(path, commit=COMMIT) as archive:
        assert len(archive.listing.files) == count
    with (
        pytest.raises(ArchiveError, match="too many files"),
        read_zip(path, commit=COMMIT, limits=ArchiveLimits(entries=count - 1)),
    ):
        pass


def test_entries_that_share_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("A.java", b"class A { }")
        archive.filelist.append(archive.filelist[0])
        archive.comment = COMMIT.encode()
    with pytest.raises(ArchiveError, match="overlap"), read_zip(path, commit=COMMIT):
        pass


def check_damage(
    data: bytes,
    whole: dict[str, bytes],
    read: Callable[[Path], AbstractContextManager[Archive]],
    path: Path,
) -> bool:
    """Whether damaged bytes were refused; whatever is read of them is as it was."""
    path.write_bytes(data)
    try:
        with read(path) as archive:
            for name, found in read_all(archive).items():
                assert found == whole[name]
    except ArchiveError:
        return True
    return False


class Stream(io.RawIOBase):
    """A file that cannot go back: sizes and checksums follow a member, as git writes large ones."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.data += data
        return len(data)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_no_damage_of_a_zip_yields_other_bytes(
    tmp_path: Path, compression: int, streamed: bool
) -> None:
    files = FILES | {"Long.java": b"class Long { }\n" * 50, ".gitattributes": b"* text=auto\n"}
    stream = Stream()
    make_zip(stream if streamed else tmp_path / "a.zip", files, compression=compression)
    whole = bytes(stream.data) if streamed else (tmp_path / "a.zip").read_bytes()
    rng = random.Random(1)  # noqa: S311
    refused = []

    def read(path: Path) -> AbstractContextManager[Archive]:
        return read_zip(path, commit=COMMIT)

    for end in sorted(rng.sample(range(len(whole)), 100)):
        assert check_damage(whole[:end], files, read, tmp_path / "b.zip"), end
    for place in rng.sample(range(len(whole)), 400):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        refused.append(check_damage(damaged, files, read, tmp_path / "b.zip"))
    assert sum(refused) > len(refused) / 2


def test_no_damage_of_a_bundle_yields_other_bytes(tmp_path: Path) -> None:
    whole = make_bundle(tmp_path / "a.tgz").read_bytes()
    rng = random.Random(2)  # noqa: S311

    def read(path: Path) -> AbstractContextManager[Archive]:
        return read_flat_bundle(path)

    for end in rng.sample(range(len(whole)), 100):
        assert check_damage(whole[:end], FILES, read, tmp_path / "b.tgz"), end
    for _ in range(400):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        check_damage(damaged, FILES, read, tmp_path / "b.tgz")


def bundle_of(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz", format=tarfile.GNU_FORMAT) as bundle:
        for member, data in members:
            member.name = (
                member.name if member.name[0] == "/" else f"swh:1:dir:{DIRECTORY}/{member.name}"
            )
            member.size = len(data)
            bundle.addfile(member, io.BytesIO(data))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def test_paths_and_kinds_of_a_bundle(tmp_path: Path) -> None:
    held = b"This content has not been retrieved in the Software Heritage archive due to its size."
    members = [
        (member("../A.java"), b"1"),
        (member("Twice.java"), b"first"),
        (member("Twice.java"), b"second"),
        (member("Link.java", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (member("Hard.java", tarfile.LNKTYPE, "/etc/passwd"), b""),
        (member("Device.java", tarfile.CHRTYPE), b""),
        (member("folder.java", tarfile.DIRTYPE), b""),
        (member("Large.java"), b" " * (MAXIMUM_BYTES + 1)),
        (member("Gone.java"), held),
        (member("A\udce9.java"), b"a"),
        (member("x" * 300 + "/Long.java"), b"long"),
    ]
    with read_flat_bundle(bundle_of(tmp_path / "a.tgz", members), commit=COMMIT) as archive:
        assert [(file.path, file.reason) for file in archive.listing.files] == [
            ("../A.java", "unsafe path"),
            ("A\\xe9.java", ""),
            ("Device.java", "not a regular file"),
            ("Gone.java", "not held by Software Heritage"),
            ("Hard.java", "not a regular file"),
            ("Large.java", f"too large ({MAXIMUM_BYTES + 1} bytes, at most {MAXIMUM_BYTES})"),
            ("Link.java", "not a regular file"),
            ("Twice.java", ""),
            ("Twice.java", "another file has this path"),
            ("x" * 300 + "/Long.java", ""),
        ]
        assert archive.read("Twice.java") == b"first"
        assert archive.read("x" * 300 + "/Long.java") == b"long"
    assert not list(tmp_path.glob("*.java")) and len(list(tmp_path.iterdir())) == 1


def test_another_directory_and_members_beside_it(tmp_path: Path) -> None:
    path = make_bundle(tmp_path / "a.tgz")
    for bundle, asked in (
        (path, DIRECTORY[::-1]),
        (bundle_of(tmp_path / "b.tgz", [(member("/etc/A.java"), b"")]), None),
    ):
        with (
            pytest.raises(ArchiveError, match="another directory"),
            read_flat_bundle(bundle, directory=asked),
        ):
            pass


def test_limits_of_a_bundle(tmp_path: Path) -> None:
    path = make_bundle(tmp_path / "a.tgz", {"big": bytes(10**6), "A.java": bytes(1000)})
    for limits, reason in (
        (ArchiveLimits(unpacked_bytes=10**6), "too large when unpacked"),
        (ArchiveLimits(java_bytes=999), "too much Java"),
        (ArchiveLimits(entries=2), "too many files"),
    ):
        with pytest.raises(ArchiveError, match=reason), read_flat_bundle(path, limits=limits):
            pass


def test_headers_of_a_bundle_have_a_limit(tmp_path: Path) -> None:
    long = member("x" * (3 * 2**20))
    with (
        pytest.raises(ArchiveError, match="longer than it says"),
        read_flat_bundle(bundle_of(tmp_path / "a.tgz", [(long, b"")])),
    ):
        pass
