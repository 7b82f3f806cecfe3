"""Names of the authors of posts, from the users file of a dump.

A row of the posts file names its author only where the account was deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ncsbench.artifacts.storage import iterate_tables, read_table, write_table
from ncsbench.errors import ConfigurationError, DataError
from ncsbench.posts.dump_options import PostSettings
from ncsbench.posts.dump_passes import POSTS, part_folders
from ncsbench.posts.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA
from ncsbench.posts.row_xml import parse_row
from ncsbench.posts.rows import RawRow, iterate_rows
from ncsbench.posts.streams import USERS_MEMBER

USER_SCHEMA = pa.schema(
    [pa.field("id", pa.int64(), nullable=False), pa.field("name", pa.string(), nullable=False)]
)
"""A user by ascending id, each once."""

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
    """Ids of the users who wrote posts and are not named there, ascending, each once."""
    found = [np.zeros(0, np.int64)]
    columns = ["owner_user_id", "owner_display_name"]
    for parts, schema in ((questions, POST_QUESTION_SCHEMA), (answers, POST_ANSWER_SCHEMA)):
        for part in parts:
            for table in iterate_tables(part / POSTS, schema, columns):
                nameless = table.filter(table["owner_display_name"].is_null())
                found.append(nameless["owner_user_id"].drop_null().to_numpy())
    return np.unique(np.concatenate(found))


def read_users(dump: Path, wanted: NDArray[np.int64]) -> pa.Table:
    """Names of some users, as a table of ``USER_SCHEMA``.

    A row that cannot be read is a warning: its user is then known by number only.

    Args:
        dump: Users.xml of a dump, plain, as gzip or in a 7z archive.
        wanted: ids, int64, ascending, each once.

    Raises:
        DataError: the file cannot be unpacked, is not in UTF-8 or has no users.
    """
    names: dict[int, str] = {}
    broken, named = 0, False
    for found in iterate_rows(dump, member=USERS_MEMBER):
        attributes = None
        if isinstance(found, RawRow):
            attributes, _ = parse_row(found.offset, found.text)
        if attributes is None or not _is_number(attributes.get("Id", "")):
            if not broken:
                _logger.warning("%s: cannot be read at byte %d", dump, found.offset)
            broken += 1
            continue
        named = named or "DisplayName" in attributes
        number, name = int(attributes["Id"]), attributes.get("DisplayName", "").strip()
        position = int(np.searchsorted(wanted, number))
        if name and position < len(wanted) and wanted[position] == number:
            names.setdefault(number, name)
    if not named:
        raise DataError(f"{dump}: has no rows of users; it must be Users.xml, plain, gzip or 7z")
    _logger.info("%s: %d of %d authors, %d errors", dump, len(names), len(wanted), broken)
    rows = [{"id": number, "name": names[number]} for number in sorted(names)]
    return pa.Table.from_pylist(rows, USER_SCHEMA)


def name_authors(tables: Iterable[pa.Table], users: Path | None) -> Iterator[pa.Table]:
    """Posts with the names of their authors filled in where they had none.

    Args:
        tables: posts of ``POST_QUESTION_SCHEMA`` or ``POST_ANSWER_SCHEMA``.
        users: table of ``USER_SCHEMA``; None leaves the posts as they are.
    """
    if users is None:
        yield from tables
        return
    known = read_table(users, USER_SCHEMA)
    ids = known["id"].to_numpy()
    names = known["name"].combine_chunks()
    for table in tables:
        owners = table["owner_user_id"].fill_null(0).to_numpy()
        positions = np.searchsorted(ids, owners)
        there = positions < len(ids)
        there[there] = ids[positions[there]] == owners[there]
        found = names.take(pa.array(np.where(there, positions, 0), mask=~there))
        column = table.schema.get_field_index("owner_display_name")
        filled = pc.coalesce(table["owner_display_name"].combine_chunks(), found)
        yield table.set_column(column, table.schema.field(column), filled)


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= 18
