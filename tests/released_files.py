"""Small files of the form in which CodeSearchNet was released, written for tests."""

import gzip
import json
import pickle
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ncsbench.corpus.function_corpus.corpus_options import PARTS, CorpusOptions
from ncsbench.corpus.function_corpus.function_schema import make_url

SHA = "c" * 40
AS_RELEASED = CorpusOptions.parse(
    {"pairs": {"docstring_tokens": 1, "lines": 1, "name": ""}, "duplicates": {"kept": "all"}},
    where="released",
)
"""No function is removed, and every one with documentation is a pair."""
AS_DEFINED = CorpusOptions(duplicates=AS_RELEASED.duplicates)
"""No function is removed, and the pairs are those that pass the filters."""


def make_definition(language: str, number: int, **fields: Any) -> dict[str, Any]:
    """An entry of the definitions; every second has documentation."""
    repo, path = f"owner/name{number // 4}", f"src/File{number}.x"
    summary = f"Returns number {number}." if number % 2 == 0 else ""
    return {
        "nwo": repo,
        "sha": SHA,
        "path": path,
        "language": language,
        "identifier": f"File.number{number}",
        "parameters": "()",
        "argument_list": "",
        "return_statement": f"return {number};",
        "docstring": f"{summary}\n\n@return it" if summary else "",
        "docstring_summary": summary,
        "docstring_tokens": ["Returns", "number", str(number), "."] if summary else [],
        "function": f"int number{number}() {{\n    return {number};\n}}",
        "function_tokens": [
            "int",
            f"number{number}",
            "(",
            ")",
            "{",
            "return",
            str(number),
            ";",
            "}",
        ],
        "url": make_url(repo, SHA, path, 3, 5),
    } | fields


def make_pair(language: str, number: int, part: str, **fields: Any) -> dict[str, Any]:
    """A line of a jsonl file, for the definition of the same number."""
    item = make_definition(language, number)
    return {
        "repo": item["nwo"],
        "path": item["path"],
        "func_name": item["identifier"],
        "original_string": item["function"],
        "language": language,
        "code": item["function"],
        "code_tokens": item["function_tokens"],
        "docstring": item["docstring"],
        "docstring_tokens": item["docstring_tokens"],
        "sha": item["sha"],
        "url": item["url"],
        "partition": part,
    } | fields


def write_zip(path: Path, members: Mapping[str, bytes | Sequence[Mapping[str, Any]]]) -> Path:
    """A zip; lists become pickles or gzipped JSON lines, by their names."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), _pack(name, content))
    return path


def _pack(name: str, content: bytes | Sequence[Mapping[str, Any]]) -> bytes:
    if isinstance(content, bytes):
        return content
    return pickle.dumps(content, 3) if name.endswith(".pkl") else pack_lines(content)


def pack_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """A jsonl.gz file."""
    return gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in rows), mtime=0)


def write_released_zip(path: Path, language: str) -> Path:
    """Forty definitions, of which 17 are pairs: 12 in train, 1 in valid, 4 in test."""
    pairs = {part: f"{language}/final/jsonl/{part}/{language}_{part}_" for part in PARTS}
    train = [make_pair(language, number, "train") for number in range(0, 24, 2)]
    return write_zip(
        path,
        {
            f"{language}/final/": b"",
            f"{pairs['train']}10.jsonl.gz": train[8:],
            f"{pairs['train']}2.jsonl.gz": train[:8],
            f"{pairs['valid']}0.jsonl.gz": [make_pair(language, 24, "valid")],
            f"{pairs['test']}0.jsonl.gz": [
                make_pair(language, number, "test") for number in range(28, 36, 2)
            ],
            f"{language}_dedupe_definitions_v2.pkl": [
                make_definition(language, number) for number in range(40)
            ],
            f"{language}_licenses.pkl": pickle.dumps({"owner/name0": "MIT"}),
        },
    )
