"""Lists of methods as NCSED releases them, made of a corpus."""

from __future__ import annotations

import json
import tarfile
from itertools import count, islice
from pathlib import Path

from ncsbench.corpus.layout.layout import CorpusFolder

FIELDS = ["id", "filepath", "method_name", "start_line", "end_line", "url"]


def write_released_methods(
    corpus: CorpusFolder, folder: Path, *, part_methods: int = 2_500_000
) -> list[Path]:
    """Write the methods of a corpus in id order, at most ``part_methods`` in a file."""
    rows = (row for table in corpus.iterate_methods(FIELDS) for row in table.to_pylist())
    paths: list[Path] = []
    for number in count(1):
        part = [row | {"url": row["url"] or ""} for row in islice(rows, part_methods)]
        if not part:
            break
        lines = folder / f"search_corpus_{number}.jsonl"
        lines.write_text("".join(f"{json.dumps(entry)}\n" for entry in part))
        paths.append(lines.with_suffix(".tar.gz"))
        with tarfile.open(paths[-1], "w:gz") as archive:
            archive.add(lines, lines.name)
        lines.unlink()
    return paths
