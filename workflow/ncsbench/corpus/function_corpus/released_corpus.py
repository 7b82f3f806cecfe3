"""Makes a corpus of released functions, like one of repositories."""

from __future__ import annotations

import shutil
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ncsbench.base.files.storage import (
    atomic_folder,
    iterate_tables,
    write_table,
    write_tables,
)
from ncsbench.corpus.function_corpus.annotations import Place
from ncsbench.corpus.function_corpus.corpus_options import CorpusOptions
from ncsbench.corpus.function_corpus.function_corpus import Origin, build_function_corpus
from ncsbench.corpus.function_corpus.function_schema import (
    EXTRACTED_SCHEMA,
    FUNCTION_LEDGER_SCHEMA,
)
from ncsbench.corpus.function_corpus.released_files import (
    BadLine,
    ReleasedFiles,
    ReleasedFunction,
)
from ncsbench.errors import DataError

_ROWS = 4096
_CHARACTERS = 2**25
_SORTED_AT_ONCE = 100_000
_ORDER = [(name, "ascending") for name in ("repo", "path", "start_line", "end_line")]


def import_released(
    files: ReleasedFiles,
    *,
    language: str,
    output: Path,
    options: CorpusOptions,
    annotated: Sequence[Place] = (),
    queries: Sequence[str] = (),
) -> None:
    """Make a corpus of released files, in place of one that is there.

    Its order is that of all corpora (repository, path, lines); about a hundred thousand functions
    are sorted at a time. The parts are those of the files. ``ledger.parquet`` has a line for each
    file, and one for each line of it that is of no use.

    Args:
        files: their lines.
        language: of the functions.
        output: folder of the corpus.
        options: copies and pairs; its parts count for nothing.
        annotated: places of functions that no training may see, nor copies of them.
        queries: functions whose documentation has all words of one are not trained on.

    Raises:
        DataError: where a file is damaged, or no line can be used.
    """
    with atomic_folder(output) as folder:
        scratch = folder / "scratch"
        scratch.mkdir()
        taken = _Taken()
        write_tables(scratch / "rows.parquet", taken.iterate(files), EXTRACTED_SCHEMA)
        bad = [one for one in taken.ledger if one["path"]]
        if not taken.functions:
            lines = ("{repository}, {path}: {reason}".format(**one) for one in bad)
            first = next(lines, "no file has a line")
            raise DataError(f"{output}: no line can be used; the first: {first}")
        left_out = Counter(one["reason"].split(" (")[0] for one in bad)
        build_function_corpus(
            _sort_rows(scratch, taken.functions),
            language=language,
            output=folder,
            origin=Origin(
                parts=taken.parts,
                ledger=[pa.Table.from_pylist(taken.ledger, FUNCTION_LEDGER_SCHEMA)],
                told={"lines_left_out": dict(sorted(left_out.items()))},
            ),
            options=options,
            annotated=annotated,
            queries=queries,
        )
        shutil.rmtree(scratch)


@dataclass
class _Taken:
    """The rows that are taken of released files, and the ledger of all lines.

    Attributes:
        functions: number of functions of each repository, by its name.
        parts: part of each repository, by its name.
        ledger: lines of ``FUNCTION_LEDGER_SCHEMA``.
    """

    functions: Counter[str] = field(default_factory=Counter)
    parts: dict[str, str] = field(default_factory=dict)
    ledger: list[dict[str, Any]] = field(default_factory=list)
    _known: dict[str, str] = field(default_factory=dict)

    def iterate(self, files: ReleasedFiles) -> Iterator[pa.Table]:
        """The rows of all files, while the rest is filled in."""
        for name, lines in files:
            about = {"repository": name, "functions": 0, "documented": 0, "dropped": 0}
            self.ledger.append(about | {"path": None, "status": "taken", "reason": None})
            here, rows, length = self.ledger[-1], [], 0
            for line in lines:
                reason = line.reason if isinstance(line, BadLine) else self._refuse(line)
                if isinstance(line, BadLine) or reason:
                    told = {"path": f"line {line.line}", "status": "skipped", "reason": reason}
                    self.ledger.append(about | told)
                    continue
                self.functions[line.row["repo"]] += 1
                here["functions"] += 1
                here["documented"] += bool(line.row["docstring_tokens"])
                rows.append(line.row)
                length += len(line.row["code"])
                if len(rows) >= _ROWS or length >= _CHARACTERS:
                    yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)
                    rows, length = [], 0
            if rows:
                yield pa.Table.from_pylist(rows, EXTRACTED_SCHEMA)

    def _refuse(self, line: ReleasedFunction) -> str:
        """Give the reason against a line that puts a repository into a second part."""
        repo = line.row["repo"]
        part = self._known.setdefault(repo.lower(), line.part)
        if part != line.part:
            return f"the repository is in another part ({repo}: {part})"
        self.parts[repo] = part
        return ""


def _sort_rows(scratch: Path, functions: Counter[str]) -> list[Path]:
    """Files of rows in corpus order; each has whole repositories."""
    firsts, size = [""], 0
    for repo in sorted(functions):
        if size + functions[repo] > _SORTED_AT_ONCE and size:
            firsts.append(repo)
            size = 0
        size += functions[repo]
    paths = [scratch / f"{number:04}.parquet" for number in range(len(firsts))]
    with ExitStack() as stack:
        writers = [stack.enter_context(pq.ParquetWriter(one, EXTRACTED_SCHEMA)) for one in paths]
        for table in iterate_tables(scratch / "rows.parquet", EXTRACTED_SCHEMA):
            repos = table["repo"].to_pylist()
            places = pa.array([bisect_right(firsts, repo) - 1 for repo in repos])
            for place in places.unique().to_pylist():
                writers[place].write_table(table.filter(pc.equal(places, place)))
    for path in paths:
        tables = list(iterate_tables(path, EXTRACTED_SCHEMA))
        ordered = pa.concat_tables(tables).sort_by(_ORDER)
        write_table(path, ordered, EXTRACTED_SCHEMA)
    return paths
