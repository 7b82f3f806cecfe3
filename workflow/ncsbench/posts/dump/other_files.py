"""Files beside the posts of a dump: names of authors, and numbers of links to each question.

A row of the posts file names its author only where the account was deleted. A row of the links file
says that the post ``PostId`` links to the post ``RelatedPostId`` (``LinkTypeId`` 1) or is its
duplicate (3).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables, read_table, write_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.dump.dump_options import LinkSettings, PostSettings
from ncsbench.posts.dump.dump_passes import POSTS, part_folders
from ncsbench.posts.dump.post_schemas import LINK_SCHEMA, POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.dump.row_xml import parse_row
from ncsbench.posts.dump.rows import LINKS_MEMBER, USERS_MEMBER, RawRow, iterate_rows

USER_SCHEMA = pa.schema(
    [pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string(), nullable=False)]
)
"""A row for each user, by ascending id."""

_LINKED, _DUPLICATE = 1, 3
_LINK_KEYS = ("PostId", "RelatedPostId", "LinkTypeId")
_NUMBER = re.compile("[0-9]{1,18}")
_USER = re.compile("-?[0-9]{1,18}")  # the user "Community" is -1
_logger = logging.getLogger(__name__)


def write_users(settings: PostSettings, questions: Path, answers: Path, output: Path) -> None:
    """Read the names of the authors of posts from the users of a dump.

    Args:
        settings: the file of users, the number of parts.
        questions: folder of the first pass, a part in each folder.
        answers: folder of the second pass.
        output: file to write, ``USER_SCHEMA``.

    Raises:
        ConfigurationError: where the settings name no file of users.
    """
    if settings.users is None:
        raise ConfigurationError(f"the settings of {settings.path} name no file of users")
    asked, answered = (part_folders(made, settings.parts) for made in (questions, answers))
    write_table(output, read_users(settings.users, _find_authors(asked, answered)), USER_SCHEMA)


def _find_authors(questions: Iterable[Path], answers: Iterable[Path]) -> NDArray[np.int64]:
    """Find the ids of users who wrote posts that do not name them, ascending, each once."""
    found = [np.zeros(0, np.int64)]
    columns = ["owner_user_id", "owner_display_name"]
    for parts, schema in ((questions, POST_QUESTION_SCHEMA), (answers, POST_ANSWER_SCHEMA)):
        for part in parts:
            for table in iterate_tables(part / POSTS, schema, columns):
                nameless = table.filter(table["owner_display_name"].is_null())
                found.append(nameless["owner_user_id"].drop_null().to_numpy())
    return np.unique(np.concatenate(found))


def read_users(dump: Path, wanted: NDArray[np.int64]) -> pa.Table:
    """Read the names of some users, as a table of ``USER_SCHEMA``.

    A row that cannot be read gives a warning: its user is then known by number only.

    Args:
        dump: Users.xml of a dump, plain, as gzip or in a 7z archive.
        wanted: ids of the users, int64, ascending, each once.

    Raises:
        DataError: where the file cannot be unpacked, is not in UTF-8 or has no users.
    """
    names: dict[int, str] = {}
    broken, named = 0, False
    for user in _iterate_attributes(dump, USERS_MEMBER, ("Id",), _USER):
        if user is None:
            broken += 1
            continue
        named = named or "DisplayName" in user
        number, name = int(user["Id"]), user.get("DisplayName", "").strip()
        if name and _find_place(wanted, number) is not None:
            names.setdefault(number, name)
    if not named:
        raise DataError(f"{dump}: has no rows of users; it must be Users.xml, plain, gzip or 7z")
    _logger.info("%s: %d of %d authors, %d errors", dump, len(names), len(wanted), broken)
    rows = [{"id": number, "name": names[number]} for number in sorted(names)]
    return pa.Table.from_pylist(rows, USER_SCHEMA)


def name_authors(tables: Iterable[pa.Table], users: Path | None) -> Iterator[pa.Table]:
    """Fill in the names of authors in posts that lack them.

    Args:
        tables: posts of ``POST_QUESTION_SCHEMA`` or ``POST_ANSWER_SCHEMA``.
        users: table of ``USER_SCHEMA``; None leaves the posts as they are.
    """
    if users is None:
        yield from tables
        return
    known = read_table(users, USER_SCHEMA)
    names = known["name"].combine_chunks()
    for table in tables:
        found = names.take(pc.index_in(table["owner_user_id"].combine_chunks(), known["id"]))
        column = table.schema.get_field_index("owner_display_name")
        filled = pc.coalesce(table["owner_display_name"].combine_chunks(), found)
        yield table.set_column(column, table.schema.field(column), filled)


def write_links(settings: LinkSettings, questions: Path, output: Path) -> None:
    """Count the links and duplicates that point to each question of a dump.

    A row that cannot be read gives a warning, and its link does not count. Links of a post to
    itself do not count either, nor links of other kinds.

    Args:
        settings: the file of links.
        questions: table of ``POST_QUESTION_SCHEMA``; its ids are streamed.
        output: file to write, ``LINK_SCHEMA``.

    Raises:
        DataError: where the file cannot be unpacked, is not in UTF-8 or has no links.
    """
    dump = settings.path
    tables = iterate_tables(questions, POST_QUESTION_SCHEMA, ["id"])
    found = [np.zeros(0, np.int64), *(table["id"].to_numpy() for table in tables)]
    ids = np.unique(np.concatenate(found))
    counts = np.zeros((2, len(ids)), np.int64)
    broken = read = 0
    for link in _iterate_attributes(dump, LINKS_MEMBER, _LINK_KEYS, _NUMBER):
        if link is None:
            broken += 1
            continue
        read += 1
        source, target, kind = (int(link[key]) for key in _LINK_KEYS)
        place = _find_place(ids, target)
        if place is not None and source != target:
            counts[0, place] += kind in (_LINKED, _DUPLICATE)
            counts[1, place] += kind == _DUPLICATE
    if not read:
        raise DataError(
            f"{dump}: has no rows of links; it must be PostLinks.xml, plain, gzip or 7z"
        )
    linked = int(np.count_nonzero(counts[0]))
    _logger.info("%s: links to %d of %d questions, %d errors", dump, linked, len(ids), broken)
    write_table(output, pa.table([ids, *counts], schema=LINK_SCHEMA), LINK_SCHEMA)


def _iterate_attributes(
    dump: Path, member: str, names: Sequence[str], form: re.Pattern[str]
) -> Iterator[dict[str, str] | None]:
    """Yield attributes of each row; None if it is broken or one of ``names`` lacks the ``form``."""
    warned = False
    for row in iterate_rows(dump, member=member):
        found = parse_row(row.offset, row.text).attributes if isinstance(row, RawRow) else None
        if found is not None and all(form.fullmatch(found.get(name, "")) for name in names):
            yield found
            continue
        if not warned:
            _logger.warning("%s: cannot be read at byte %d", dump, row.offset)
            warned = True
        yield None


def _find_place(ids: NDArray[np.int64], wanted: int) -> int | None:
    """Find the position of an id among ascending ids; None where the id is absent."""
    place = int(np.searchsorted(ids, wanted))
    return place if place < len(ids) and ids[place] == wanted else None
