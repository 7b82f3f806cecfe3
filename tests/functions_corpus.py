"""Small corpora of functions, written as ``function_corpus`` writes them."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ncsbench.base.files.storage import write_json, write_table
from ncsbench.corpus.function_corpus.function_schema import FUNCTION_SCHEMA


def write_functions(
    folder: Path, language: str, functions: Sequence[tuple[str, str, str]], *, part: str = "test"
) -> Path:
    """A corpus of functions that are all pairs: name, documentation, code."""
    rows = [
        {
            "function_id": row,
            "repo": f"owner/{language}",
            "sha": "c" * 40,
            "path": "src/file",
            "start_line": 10 * row + 1,
            "end_line": 10 * row + 5,
            "identifier": name,
            "docstring": docstring,
            "summary": docstring,
            "docstring_tokens": docstring.split(),
            "code": code,
            "code_tokens": code.split(),
            "part": part,
            "is_pair": True,
        }
        for row, (name, docstring, code) in enumerate(functions)
    ]
    write_table(
        folder / language / "functions.parquet",
        pa.Table.from_pylist(rows, FUNCTION_SCHEMA),
        FUNCTION_SCHEMA,
    )
    manifest = {"language": language, "corpus_hash": f"hash of {language}"}
    write_json(folder / language / "manifest.json", manifest)
    return folder / language


def write_challenge(folder: Path, *annotations: str) -> dict[str, Path]:
    """Annotations of Go, each given as query, address and grade, and their queries, as files."""
    lines = {
        "annotations": ["Language,Query,GitHubUrl,Relevance", *map("Go,{}".format, annotations)],
        "queries": dict.fromkeys(["query", *(one.split(",")[0] for one in annotations)]),
    }
    for name, some in lines.items():
        (folder / f"{name}.csv").write_text("\n".join([*some, ""]), encoding="utf-8")
    return {name: folder / f"{name}.csv" for name in lines}
