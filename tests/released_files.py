"""Small files of the form in which CodeSearchNet was released, written for tests."""

from __future__ import annotations

from typing import Any

from ncsbench.function_corpus.function_schema import make_url

SHA = "c" * 40


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
