"""The zips in which CodeSearchNet was released, one a language, as files of functions.

``java.zip`` has documented functions, ``java/final/jsonl/<part>/java_<part>_<number>.jsonl.gz``,
and all of them, ``java_dedupe_definitions_v2.pkl``. No member is extracted to a path.
"""

from __future__ import annotations

import gzip
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ncsbench.errors import DataError
from ncsbench.function_corpus.corpus_options import PARTS, CorpusOptions, PartShares
from ncsbench.function_corpus.function_corpus import Parts
from ncsbench.function_corpus.released_corpus import AS_RELEASED, ReleasedFiles
from ncsbench.function_corpus.released_definitions import MEMORY_MB, iterate_definitions
from ncsbench.function_corpus.released_jsonl import (
    BadLine,
    ReleasedFunction,
    read_fields,
    read_released_jsonl,
)
from ncsbench.functions.registry import LANGUAGES
from ncsbench.sources.archive_members import ArchiveError
from ncsbench.sources.packed_streams import open_member, open_zip

AS_DEFINED = CorpusOptions(duplicates=AS_RELEASED.duplicates)
"""Of definitions nothing is removed either; those are pairs that pass the filters (DEV-155)."""
_JSONL = re.compile(
    rf"(?:.*/)?({'|'.join(PARTS)})/({'|'.join(LANGUAGES)})_\1_([0-9]{{1,9}})\.jsonl\.gz"
)
_PICKLE = re.compile(rf"(?:.*/)?({'|'.join(LANGUAGES)})_dedupe_definitions_v2\.pkl")
_SHARES = PartShares()

Lines = Iterator[ReleasedFunction | BadLine]


@dataclass(frozen=True)
class ReleasedZip:
    """What a released file has of a language.

    Attributes:
        path: the zip, or the pickle of definitions alone.
        language: its name.
        pairs: parts and names of the jsonl files, by part and number.
        definitions: the name of the pickle; empty where there is none.
    """

    path: Path
    language: str
    pairs: tuple[tuple[str, str], ...] = ()
    definitions: str = ""


def find_released(path: Path) -> ReleasedZip:
    """Look into a released zip, or at the name of a pickle of definitions.

    Raises:
        DataError: where it is damaged, or is none of one language.
    """
    if found := _PICKLE.fullmatch(path.name):
        return ReleasedZip(path, found[1], definitions=path.name)
    with named_damage(path), ExitStack() as stack:
        names = [info.filename for info in open_zip(stack, path).infolist()]
    jsonl = sorted(
        (PARTS.index(found[1]), int(found[3]), found[2], name)
        for name in names
        if (found := _JSONL.fullmatch(name))
    )
    pickles = [(found[1], name) for name in names if (found := _PICKLE.fullmatch(name))]
    languages = {one[2] for one in jsonl} | {language for language, _ in pickles}
    if len(languages) != 1 or len(pickles) > 1:
        raise DataError(
            f"{path}: is no released zip of one language, with members such as "
            "java/final/jsonl/train/java_train_0.jsonl.gz or java_dedupe_definitions_v2.pkl "
            f"(languages found: {', '.join(sorted(languages)) or 'none'})"
        )
    pairs = tuple((PARTS[part], name) for part, _, _, name in jsonl)
    return ReleasedZip(path, languages.pop(), pairs, pickles[0][1] if pickles else "")


def iterate_pairs(
    released: ReleasedZip, published: Mapping[str, int] | None = None
) -> ReleasedFiles:
    """The jsonl files of a released zip, one open at a time.

    Args:
        released: where they are.
        published: how many lines the files of a part have in all; where it is not given, any.

    Raises:
        DataError: where there are none, the zip is damaged or, behind the last line of all, a part
            has another number of lines.
    """
    if not released.pairs:
        raise DataError(f"{released.path}: has no jsonl.gz files; --functions all takes the pickle")
    counts: Counter[str] = Counter()
    for part, name in released.pairs:
        yield name, _count(iterate_lines(released, name), part, counts)
    for part, wanted in (published or {}).items():
        if counts[part] != wanted:
            raise DataError(
                f"{released.path}: has {counts[part]:,} lines in the part {part}, but {wanted:,} "
                "were published; get it again"
            )


def iterate_all(released: ReleasedZip, *, memory_mb: int = MEMORY_MB) -> ReleasedFiles:
    """The definitions of a released zip or pickle, documented or not.

    A repository is in the part in which the jsonl files have it, if they do, else in the one that
    is drawn for it (DEV-155).

    Args:
        released: where they are.
        memory_mb: of the process that reads them, in megabytes.

    Raises:
        DataError: where there are none, or zip or pickle cannot be read.
    """
    if not released.definitions:
        raise DataError(f"{released.path}: has no pickle of definitions")
    known: dict[str, str] = {}
    for _, name in released.pairs:
        for line in iterate_lines(released, name):
            if isinstance(line, ReleasedFunction):
                known.setdefault(line.row["repo"].lower(), line.part)
    member = released.definitions if released.definitions != released.path.name else ""
    entries = iterate_definitions(released.path, member, memory_mb=memory_mb)
    yield released.definitions, _read_entries(entries, released.language, known)


def iterate_lines(released: ReleasedZip, name: str) -> Lines:
    """The lines of a jsonl file of a zip; ``DataError`` where it or the zip is damaged."""
    with named_damage(released.path), ExitStack() as stack:
        archive = open_zip(stack, released.path)
        member = next(info for info in archive.infolist() if info.filename == name)
        packed = stack.enter_context(open_member(archive, member))
        unpacked = io.BufferedReader(gzip.GzipFile(fileobj=packed))
        yield from read_released_jsonl(unpacked, released.language, name=f"{released.path}: {name}")


@contextmanager
def named_damage(path: Path) -> Iterator[None]:
    """Say which zip is damaged, or cannot be read."""
    try:
        yield
    except ArchiveError as error:
        raise DataError(f"{path}: {error}") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def _count(lines: Iterable[ReleasedFunction | BadLine], part: str, counts: Counter[str]) -> Lines:
    for line in lines:
        counts[part] += 1
        yield line


def _read_entries(
    entries: Iterable[Mapping[str, object] | str], language: str, known: Mapping[str, str]
) -> Lines:
    drawn = Parts(_SHARES, {})
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, str):
            yield BadLine(number, entry)
            continue
        repo = str(entry["repo"])
        part = known.get(repo.lower()) or drawn.find(repo)
        read = read_fields(
            number, {**entry, "partition": part, "original_string": entry["code"]}, language
        )
        summary = entry["docstring_summary"]
        if isinstance(read, ReleasedFunction) and isinstance(summary, str):
            read.row["summary"] = summary
        yield read
