"""Names of authors from the users of a dump."""

import logging
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from ncsbench.errors import DataError
from ncsbench.posts.dump.dump_options import PostSettings
from ncsbench.posts.dump.merged_dumps import read_dump
from ncsbench.posts.dump.other_files import read_users
from tests.posts_dumps import HEAD, TAIL, answer, question

USERS = b"""<?xml version="1.0" encoding="utf-8"?>
<users>
  <row Id="-1" DisplayName="Community" />
  <row Id="7" Reputation="1" DisplayName="Zo&#235; &lt;b&gt;" AboutMe="&lt;p&gt;x&lt;/p&gt;" />
  <row Id="8" DisplayName="  " />
  <row Id="9" DisplayName="Never asked" />
  <row Id="10" DisplayName="&bomb;" />
  <row Id="eleven" DisplayName="x" />
  <row Id="7" DisplayName="Impostor" />
  <row Id="12" DisplayName="cut
</users>
"""
DUMP = (
    HEAD
    + question(1, OwnerUserId=7)
    + question(2, OwnerUserId=8)
    + question(3, OwnerUserId=None, OwnerDisplayName="Gone")
    + answer(4, 1, OwnerUserId=-1)
    + answer(5, 1, OwnerUserId=7, OwnerDisplayName="Stated")
    + answer(6, 1, OwnerUserId=10)
    + answer(7, 1, OwnerUserId=None)
    + TAIL
)


def names(folder: Path, name: str) -> list[str | None]:
    table = pq.read_table(folder / f"{name}.parquet")
    found: list[str | None] = table["owner_display_name"].to_pylist()
    return found


def test_authors_get_their_names_and_troubles_are_warnings(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    posts, users = tmp_path / "Posts.xml", tmp_path / "Users.xml"
    posts.write_bytes(DUMP)
    users.write_bytes(USERS)
    with caplog.at_level(logging.INFO):
        read_dump(PostSettings(path=posts, tags=("android",), users=users), tmp_path / "named")
    assert names(tmp_path / "named", "questions") == ["Zoë <b>", None, "Gone"]
    assert names(tmp_path / "named", "answers") == ["Community", "Stated", None, None]
    offset = USERS.index(b'<row Id="10"')
    assert f"cannot be read at byte {offset}" in caplog.text
    assert "2 of 4 authors, 3 errors" in caplog.text


@pytest.mark.parametrize("text", [b"", b"\x89PNG\r\n\x1a\n", DUMP])
def test_users_without_any_user_end_in_one_line(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "Users.xml").write_bytes(text)
    with pytest.raises(DataError, match=r"Users\.xml: has no rows of users"):
        read_users(tmp_path / "Users.xml", np.array([7]))


def test_without_users_the_posts_stay_as_they_are(tmp_path: Path) -> None:
    posts = tmp_path / "Posts.xml"
    posts.write_bytes(DUMP)
    read_dump(PostSettings(path=posts, tags=("android",)), tmp_path / "bare")
    assert names(tmp_path / "bare", "questions") == [None, None, "Gone"]
    assert names(tmp_path / "bare", "answers") == [None, "Stated", None, None]
