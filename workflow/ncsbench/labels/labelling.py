"""Labelling at a terminal: one result after the other, a grade for each, written at once."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.labels.label_file import GRADES, LANGUAGE, Label, read_labels, write_labels
from ncsbench.labels.pool import PooledResult, name_labels, order_pool, pool_results
from ncsbench.own_code.shown_methods import dedent_code
from ncsbench.questions.curation import Console
from ncsbench.questions.reader_prompt import open_console
from ncsbench.text.safe_text import cut_text, show_line

INSTRUCTIONS = """\
You see a question and a method. Say how well the method answers the question:

3  what was asked for: you would copy it, or call it, nearly as it is
2  close: it does the work, or its main part, and needs changes that are easy to see
1  related: it shows a part of the way, or the same work on something else
0  something else: it does not help with the question

Judge what the code does, not how well it is written. Read the question as its author would mean
it; where it has several readings, one that fits is enough. Code that only passes the work on
counts by what its name says is done. Do not look the method up in a search engine."""
_KEYS = """\
0 1 2 3  the grade; it is written at once
n  write a note first     b  back to the result before     s  skip it for now
f  show it without cutting     ?  these words     q  quit; so do Ctrl-C and Ctrl-D"""
_PROMPT = "0 to 3, n note, b back, s skip, f full, ? help, q quit: "
_LINES = 60
_WIDTH = 160
_UNCUT = 10**9
_MOST_NOTES = 1000
"""Characters of a note that are kept: a cell of a CSV file cannot be read at any length."""

Save = Callable[[Sequence[Label]], None]


def label_at_terminal(
    dataset: BuiltDataset,
    output: Path,
    *,
    rows: Sequence[str] | None,
    others: Sequence[Path],
    depth: int,
    seed: int,
) -> None:
    """Ask a person about the pooled results of a dataset that the file has no label of.

    Args:
        dataset: a built one.
        output: labels to go on with, or a new file.
        rows: names of the rows whose results are pooled; None for all.
        others: labels of other people: what they judged comes last.
        depth: how many results of each row are pooled.
        seed: of the order.

    Raises:
        DataError: for files that are none, and where something else changes the file meanwhile.
        ConfigurationError: for an unknown row.
    """
    labels = read_labels(output) if output.exists() else []
    counts = Counter(pair for path in others for pair in name_labels(dataset, read_labels(path)))
    done = set(name_labels(dataset, labels))
    pool = pool_results(dataset, depth, rows)
    left = [one for one in pool if (one.pair[0], one.id) not in done]
    console = open_console()
    console.write(f"{INSTRUCTIONS}\n\n{_KEYS}\n")
    made = label_results(
        order_pool(left, counts, seed),
        labels,
        console=console,
        show=lambda id_, lines: show_method(dataset.corpus, id_, lines),
        save=keep_safe(output),
    )
    judged = len(made) - len(labels)
    console.write(f"{output}: {judged:,} labels more, {len(left) - judged:,} results left.")


def label_results(
    results: Sequence[PooledResult],
    labels: Sequence[Label],
    *,
    console: Console,
    show: Callable[[int, int], list[str]],
    save: Save,
) -> list[Label]:
    """Ask about one result after the other until the last, or until the person leaves.

    Args:
        results: what to ask about, in order.
        labels: those made before; they stay, in front.
        console: where to ask.
        show: safe lines of a method, cut to a number of lines.
        save: called with all labels after each answer.

    Returns:
        All labels that were saved.
    """
    made: dict[tuple[str, str], Label] = {}
    saved = list(labels)
    position = 0
    try:
        while position < len(results):
            result = results[position]
            note = made[result.pair].notes if result.pair in made else ""
            (query,) = cut_text(show_line(result.query), lines=1, width=2 * _WIDTH)
            console.write(f"\n{position + 1:,} of {len(results):,}   {query}\n")
            for line in show(result.id, _LINES):
                console.write(f"    {line}")
            answer = ""
            while answer not in {*map(str, GRADES), "b", "s", "q"}:
                answer = console.ask_key(_PROMPT).strip().lower()
                if answer == "n":
                    note = show_line(console.ask_line("Note: "))[:_MOST_NOTES]
                elif answer == "f":
                    for line in show(result.id, _UNCUT):
                        console.write(f"    {line}")
                elif answer == "?":
                    console.write(f"{INSTRUCTIONS}\n\n{_KEYS}")
                elif answer not in {*map(str, GRADES), "b", "s", "q"}:
                    console.write("That is no key; ? shows them.")
            if answer == "q":
                break
            if answer in {"b", "s"}:
                position = max(0, position + (1 if answer == "s" else -1))
                continue
            made[result.pair] = Label(LANGUAGE, result.query, result.document, int(answer), note)
            save([*labels, *made.values()])
            saved = [*labels, *made.values()]
            position += 1
    except (EOFError, KeyboardInterrupt):
        console.write("")
    return saved


def show_method(corpus: CorpusFolder, id_: int, lines: int) -> list[str]:
    """Safe lines of a method: where it stands, its comment, its code; cut to ``lines``."""
    columns = ["filepath", "start_line", "class_name", "method_name", "comment", "code"]
    method = corpus.read_methods([id_], columns)[id_]
    head = f"{method['filepath']}:{method['start_line']}   {method['class_name']}"
    text = [*filter(None, [method["comment"]]), dedent_code(method["code"])]
    width = _WIDTH if lines < _UNCUT else _UNCUT
    return [
        *cut_text(show_line(f"{head}.{method['method_name']}"), lines=1, width=width),
        *cut_text("\n".join(text), lines=lines, width=width),
    ]


def keep_safe(output: Path) -> Save:
    """Write labels atomically; end where the file is not as it was after the last answer."""
    output = output.resolve()  # a link stays one
    known = output.read_bytes() if output.exists() else None

    def save(labels: Sequence[Label]) -> None:
        nonlocal known
        if (output.read_bytes() if output.exists() else None) != known:
            raise DataError(
                f"{output}: was changed by something else meanwhile; start again to go on with "
                "what it holds, and give the last grade once more"
            )
        mode = output.stat().st_mode if output.exists() else None
        write_labels(output, labels)
        if mode is not None:
            output.chmod(stat.S_IMODE(mode))
        known = output.read_bytes()

    return save
