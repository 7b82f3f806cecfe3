"""A corpus folder with nothing but the texts of methods."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.corpus.layout.corpus_schemas import METHOD_SCHEMA
from ncsbench.corpus.layout.layout import CorpusFolder

_EMPTY = {pa.string(): "", pa.int32(): 1, pa.int64(): 0}


def make_methods(folder: Path, texts: Sequence[tuple[str, str | None]]) -> CorpusFolder:
    """Methods with ``code`` and ``comment``; ids are positions, the corpus is ``synthetic``."""
    rows = [
        {field.name: _EMPTY[field.type] for field in METHOD_SCHEMA}
        | {"id": number, "code": code, "comment": comment}
        for number, (code, comment) in enumerate(texts)
    ]
    (folder / "methods").mkdir(parents=True)
    table = pa.Table.from_pylist(rows, schema=METHOD_SCHEMA)
    write_table(folder / "methods" / "0000.parquet", table, METHOD_SCHEMA)
    about = {"shards": [{"first_id": 0, "methods": len(rows)}], "methods": len(rows)}
    write_json(folder / "manifest.json", {**about, "corpus_hash": "synthetic"})
    return CorpusFolder(folder)
