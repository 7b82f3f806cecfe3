"""Labelling at a terminal: one result or comment after the other, each grade written at once."""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ncsbench.corpus.layout import CorpusFolder
from ncsbench.errors import DataError
from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.label_files.label_file import LANGUAGE, Label, read_labels, write_labels
from ncsbench.label_files.scales import QUERY_LIKENESS, RELEVANCE, Scale
from ncsbench.labels.comment_sample import draw_comments, order_comments
from ncsbench.labels.matched_labels import match_labels
from ncsbench.labels.pool import order_pool, pool_results
from ncsbench.labels.reader_prompt import Console, open_console
from ncsbench.own_code.shown_methods import dedent_code
from ncsbench.text.safe_text import cut_text, show_line

_KEYS = """\
n  write a note, which is kept with a grade     b  back to the one before     s  skip it for now
f  show it without cutting     ?  these words     q  quit; so do Ctrl-C and Ctrl-D"""
_PROMPT = ", n note, b back, s skip, f full, ? help, q quit: "
_LINES = 60
_WIDTH = 160
_UNCUT = 10**9
_MOST_NOTES = 1000
"""Characters of a note that are kept: a cell of a CSV file cannot be read at any length."""

Save = Callable[[Sequence[Label]], None]


class Asked(Protocol):
    """What a person grades: a question with a method (``PooledResult``), or a ``DrawnComment``."""

    @property
    def query(self) -> str:
        """The question, or the comment."""

    @property
    def document(self) -> str:
        """The method's name in a labels file."""

    @property
    def pair(self) -> tuple[str, str]:
        """As ``Label.pair``."""


Item = TypeVar("Item", bound=Asked)


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
    console = open_console()
    labels = read_labels(output) if output.exists() else []
    counts: Counter[tuple[str, int]] = Counter()
    for path in others:
        counts.update(_match(dataset, path, read_labels(path), console))
    done = set(_match(dataset, output, labels, console))
    pool = pool_results(dataset, depth, rows)
    left = [one for one in pool if (one.pair[0], one.id) not in done]
    _label_left(
        order_pool(left, counts, seed),
        labels,
        output,
        console=console,
        show=lambda result, lines: show_method(dataset.corpus, result.id, lines),
        scale=RELEVANCE,
    )


def label_comments(
    corpus: CorpusFolder, output: Path, *, others: Sequence[Path], size: int, seed: int
) -> None:
    """Ask a person about the comments of a sample that the file has no label of.

    Args:
        corpus: whose documented methods are drawn from.
        output: labels to go on with, or a new file.
        others: labels of other people: what they judged comes last.
        size: how many comments are drawn.
        seed: of the sample and its order.

    Raises:
        DataError: for files that are none, and where something else changes the file meanwhile.
    """
    console = open_console()
    labels = read_labels(output, QUERY_LIKENESS) if output.exists() else []
    theirs = [label for path in others for label in read_labels(path, QUERY_LIKENESS)]
    drawn = draw_comments(corpus, size, seed)
    done = {label.pair[0] for label in labels}
    unknown = len(done - {one.pair[0] for one in drawn})
    if unknown:
        console.write(f"{output}: labels of other comments than those drawn: {unknown:,}")
    left = [one for one in drawn if one.pair[0] not in done]
    _label_left(
        order_comments(left, Counter(label.pair[0] for label in theirs)),
        labels,
        output,
        console=console,
        # The comment stands where a question does; only one that was cut there has more to show.
        show=lambda comment, lines: [show_line(comment.query)] if lines == _UNCUT else [],
        scale=QUERY_LIKENESS,
    )


def _label_left(
    left: Sequence[Item],
    labels: Sequence[Label],
    output: Path,
    *,
    console: Console,
    show: Callable[[Item, int], list[str]],
    scale: Scale,
) -> None:
    console.write(f"{describe_scale(scale)}\n")
    save = keep_safe(output, scale)
    made = label_results(left, labels, console=console, show=show, save=save, scale=scale)
    judged = len(made) - len(labels)
    what = "results" if scale.of_methods else "comments"
    console.write(f"{output}: new labels: {judged:,}; {what} left: {len(left) - judged:,}")


def label_results(
    results: Sequence[Item],
    labels: Sequence[Label],
    *,
    console: Console,
    show: Callable[[Item, int], list[str]],
    save: Save,
    scale: Scale,
) -> list[Label]:
    """Ask about one result after the other until the last, or until the person leaves.

    Args:
        results: what to ask about, in order.
        labels: those made before; they stay, in front.
        console: where to ask.
        show: safe lines of what stands below the question, cut to a number of lines.
        save: called with all labels after each answer.
        scale: of the grades.

    Returns:
        All labels that were saved.
    """
    made: dict[tuple[str, str], Label] = {}
    notes: dict[tuple[str, str], str] = {}  # written in this session
    saved = list(labels)
    position = 0
    try:
        while position < len(results):
            result = results[position]
            (query,) = cut_text(show_line(result.query), lines=1, width=2 * _WIDTH)
            console.write(f"\n{position + 1:,} of {len(results):,}   {query}\n")
            for line in show(result, _LINES):
                console.write(f"    {line}")
            answer = _ask_key(result, notes, console=console, show=show, scale=scale)
            if answer == "q":
                break
            if answer in {"b", "s"}:
                position = max(0, position + (1 if answer == "s" else -1))
                continue
            note = notes.get(result.pair, "")
            made[result.pair] = Label(LANGUAGE, result.query, result.document, int(answer), note)
            save([*labels, *made.values()])
            saved = [*labels, *made.values()]
            position += 1
    except (EOFError, KeyboardInterrupt):
        console.write("")
    for pair, note in notes.items():
        if note and (pair not in made or made[pair].notes != note):
            about = show_line(" ".join(pair))
            console.write(f"not kept, since no grade was given after it: note {note!r} on {about}")
    return saved


def _ask_key(
    result: Item,
    notes: dict[tuple[str, str], str],
    *,
    console: Console,
    show: Callable[[Item, int], list[str]],
    scale: Scale,
) -> str:
    """A grade, or ``b``, ``s`` or ``q``; a note is added to ``notes``."""
    ending = {*map(str, scale.grades), "b", "s", "q"}
    while True:
        answer = console.ask_key(f"{scale.grades[0]} to {scale.grades[-1]}{_PROMPT}")
        answer = answer.strip().lower()
        if answer in ending:
            return answer
        if answer == "n":
            notes[result.pair] = show_line(console.ask_line("Note: "))[:_MOST_NOTES]
        elif answer == "f":
            for line in show(result, _UNCUT):
                console.write(f"    {line}")
        elif answer == "?":
            console.write(describe_scale(scale))
        else:
            console.write("That is no key; ? shows them.")


def describe_scale(scale: Scale) -> str:
    """What a person reads first: the instructions of a scale, and the keys."""
    grades = " ".join(map(str, scale.grades))
    return f"{scale.instructions}\n\n{grades}  the grade; it is written at once\n{_KEYS}"


def _match(
    dataset: BuiltDataset, path: Path, labels: Sequence[Label], console: Console
) -> list[tuple[str, int]]:
    """Questions and method ids that labels are of, as ``order_pool`` counts them."""
    matched = match_labels(dataset, labels)
    for line in matched.describe_left_out():
        console.write(f"{path}: {line}")
    return matched.pairs


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


def keep_safe(output: Path, scale: Scale = RELEVANCE) -> Save:
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
        write_labels(output, labels, scale)
        if mode is not None:
            output.chmod(stat.S_IMODE(mode))
        known = output.read_bytes()

    return save
