"""Showing found methods: on a terminal, as plain lines and as JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ncsbench.apps.own_code.asking import FoundMethod, OtherMethod
from ncsbench.apps.own_code.code_files import find_on_disk
from ncsbench.apps.own_code.result_list import show_name
from ncsbench.base.text.safe_text import cut_text, show_line, show_visibly
from ncsbench.code.definitions.languages import find_language_of
from ncsbench.rankers.lexical.code_bm25 import find_forms

NAMED = 3
"""Further methods of a file that a list names."""
_WIDTH = 160
_CLOSING = re.compile(r"\s*(?:[)}\]]|end\b)")
CHANGED, GONE = "changed since it was indexed", "no longer there"


def describe_method(method: FoundMethod, folder: Path | None) -> dict[str, Any]:
    """Return a method ready for JSON: its values, and ``file``, its path on the disk."""
    file = None if folder is None else str(find_on_disk(folder, method.path))
    return {**asdict(method), "file": file}


def format_plain(place: str, method: Mapping[str, Any]) -> str:
    """Return one line for a method: ``place``, score and name, with tabs between them.

    Args:
        place: ``file:line``.
        method: with score, class_name and method_name.
    """
    name = show_name(method)
    return "\t".join(map(show_line, (place, f"{method['score']:.4f}", name)))


def format_grep(place: str, method: Mapping[str, Any]) -> str:
    """Return ``file:line: name``, which editors read; arguments are those of ``format_plain``."""
    return show_line(f"{place}: {show_name(method)}")


def show_place(method: FoundMethod, folder: Path | None) -> str:
    """Return ``file:line`` of a method."""
    path = method.path if folder is None else show_path(method.path, folder)
    return f"{path}:{method.start_line}"


def show_path(path: str, folder: Path) -> str:
    """Return a file's path: relative, if the working directory is in the folder, else in full."""
    here = Path(os.path.realpath("."))
    inside = here == folder or folder in here.parents
    return os.path.relpath(folder / path, here) if inside else str(folder / path)


def print_methods(
    methods: Sequence[FoundMethod],
    folder: Path | None,
    *,
    lines: int,
    explain: bool,
    stream: IO[str],
) -> None:
    """Print methods with the beginning of their code, and mark words of the question on a terminal.

    Without colour where ``NO_COLOR`` is set, and where the stream is no terminal.

    Args:
        methods: best first.
        folder: that was indexed; None for a dataset.
        lines: of code of each method.
        explain: True where each score is explained.
        stream: where to print.
    """
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for method in methods:
        place = show_line(show_place(method, folder))
        name = show_line(show_name(vars(method)))
        remarks = "".join(f"  ({remark})" for remark in _remark(method))
        console.print(
            Text.assemble(
                f"{method.rank:3}  ",
                (place, "bold cyan"),
                f"  {name}  ",
                (f"{method.score:.3f}{remarks}", "dim"),
            )
        )
        code = dedent_code(method.code)
        shown = cut_text(code, lines=lines, width=_WIDTH)
        note = shown.pop() if code.count("\n") >= lines else ""
        text = Text("\n".join(shown))
        if console.color_system is not None:
            language = find_language_of(method.path)
            lexer = "java" if language is None else language.title.lower()
            text = Syntax("", lexer, theme="ansi_dark", background_color="default").highlight(
                "\n".join(shown)
            )
            text.rstrip()
            for start, end in find_forms(text.plain, method.matched):
                text.stylize("bold underline", start, end)
        for line in text.split("\n") if shown else ():
            console.print(Text("     ").append_text(line))
        if note and lines:
            console.print(Text(f"     {note}", "dim"))
        if explain:
            console.print(Text(f"     why: {_explain(method)}", "dim"))
        if method.others:
            console.print(Text(f"     in this file: {_list_others(method.others)}", "dim"))
        console.print()


def _explain(method: FoundMethod) -> str:
    words = [f"{word} {score:.1f}" for word, score in method.matched.items()]
    return show_line("; ".join([" + ".join(words), *method.rules])) if words else "by the model"


def _list_others(others: Sequence[OtherMethod]) -> str:
    named = ", ".join(f":{one.start_line} {show_name(vars(one))}" for one in others[:NAMED])
    more = f", and {len(others) - NAMED} more (--by method)" if len(others) > NAMED else ""
    return show_line(named) + more


def _remark(method: FoundMethod) -> Iterator[str]:
    if method.copies:
        yield f"and {len(method.copies)} {'copies' if method.copies[1:] else 'copy'}"
    if method.gone:
        yield GONE
    elif not method.current:
        yield CHANGED


def dedent_code(code: str) -> str:
    """Return safe code without the indentation of its first line, which begins behind it.

    It is that of the last line where this closes the code, and else a step less than the least.
    """
    first, *others = show_visibly(code).split("\n")
    if not others:
        return first
    depths = [len(line) - len(line.lstrip()) for line in others if line.strip()] or [0]
    closed = _CLOSING.match(others[-1]) is not None
    depth = depths[-1] if closed else max(0, min(depths) - (2 if min(depths) % 4 else 4))
    cut = [line[depth:] if not line[:depth].strip() else line.lstrip() for line in others]
    return "\n".join([first, *cut])
