"""The process that reads a pickle of definitions, apart from the one that uses them.

It has no more memory than it is told, and writes each definition as a line of JSON with the names
of the fields of the released pairs. The last line says how many there were, or why it stopped.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from ncsbench.function_corpus.plain_pickle import PickleError, count_fetches, iterate_items
from ncsbench.sources.archive_members import ArchiveError
from ncsbench.sources.zip_members import open_member, open_zip

FIELDS = {
    **{name: name for name in ("language", "sha", "path", "url", "docstring", "docstring_tokens")},
    "docstring_summary": "docstring_summary",
    "nwo": "repo",
    "identifier": "func_name",
    "function": "code",
    "function_tokens": "code_tokens",
}
"""Fields of a definition that are read, each with the name of the field of a pair."""
LONGEST = 10**7
"""Characters of the texts of a definition; one with more is not passed on."""
END, FAULT, BROKEN = "end", "fault", "broken"
"""Keys of lines that are no definition."""
_MEGABYTE = 10**6


def main() -> None:
    """Read the file, the member of it (or nothing) and the megabytes of the command line."""
    path, member, megabytes = sys.argv[1:]
    most = int(megabytes) * _MEGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        count = _write_definitions(Path(path), member)
        last: dict[str, Any] = {END: count}
    except (PickleError, ArchiveError) as error:
        last = {FAULT: str(error)}
    except OSError as error:
        last = {FAULT: f"cannot be read ({error.strerror})"}
    except MemoryError:
        last = {FAULT: f"needs more than {megabytes} MB of memory to be read; give it more"}
    _write(last)


def describe_definition(item: Any) -> dict[str, Any]:
    """A definition with the fields of a pair, or why it is none; never more than is long.

    What is neither text nor list of texts is None, so that nothing is nested.
    """
    if type(item) is not dict:
        return {BROKEN: "is no definition"}
    fields = {name: _flatten(item.get(key)) for key, name in FIELDS.items()}
    length = sum(
        len(value) if isinstance(value, str) else sum(map(len, value))
        for value in fields.values()
        if value is not None
    )
    if length > LONGEST:
        return {BROKEN: f"has {length} characters, at most {LONGEST} are read"}
    return fields


def _flatten(value: Any) -> str | list[str] | None:
    if type(value) is str:
        return value
    if type(value) in {list, tuple} and all(type(one) is str for one in value):
        return list(value)
    return None


def _write_definitions(path: Path, member: str) -> int:
    with _open(path, member) as file:
        fetches = count_fetches(file)
    count = 0
    with _open(path, member) as file:
        for item in iterate_items(file, fetches):
            _write(describe_definition(item))
            count += 1
    return count


def _write(line: dict[str, Any]) -> None:
    # Half a pair of surrogates, which a pickle may have, is no text in UTF-8.
    text = json.dumps(line, ensure_ascii=False).encode(errors="surrogatepass")
    sys.stdout.buffer.write(text.decode(errors="replace").encode() + b"\n")


@contextmanager
def _open(path: Path, member: str) -> Iterator[BinaryIO]:
    with ExitStack() as stack:
        if member:
            archive = open_zip(stack, path)
            info = next(one for one in archive.infolist() if one.filename == member)
            yield stack.enter_context(open_member(archive, info))
        else:
            yield stack.enter_context(path.open("rb"))


if __name__ == "__main__":
    main()
