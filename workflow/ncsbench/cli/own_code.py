"""Commands for a user's own code: an index of a folder, and questions that search the index."""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ncsbench.base.text.progress_line import ProgressLine
from ncsbench.base.text.safe_text import show_count, show_line
from ncsbench.cli.options import quiet_library
from ncsbench.errors import ConfigurationError

if TYPE_CHECKING:
    from ncsbench.apps.own_code.asking import Asked, FoundMethod, Searched
    from ncsbench.apps.own_code.result_list import WantedList

_NO_RESULT = 3
_SHOWN = 5
_LEAVE = ("exit", "quit")

Index = Annotated[
    Path | None, typer.Option(help="Folder of an index; else that of the current folder.")
]
Dataset = Annotated[
    str | None, typer.Option(help="A dataset that the workflow built, by name, or its file.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@quiet_library()
def index(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="PATH", help="Folder or git checkout; else this one."),
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="Folder to keep the index in, in place of the cache.")
    ] = None,
    everything: Annotated[
        bool | None,
        typer.Option("--all/--not-ignored", help="Take files that git ignores, too, or not."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name of a model, or path of its file.")] = None,
    vectors: Annotated[
        str | None, typer.Option(help="Dataset whose word vectors and weights the model takes.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the indexes.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the index of PATH.")] = False,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="List files not read, or perhaps read wrongly.")
    ] = False,
) -> None:
    """Make a folder of code searchable, or update its index."""
    from ncsbench.apps.own_code.code_files import check_folder
    from ncsbench.apps.own_code.index_folder import format_list, place_index, remove_index

    if list_all:
        typer.echo("\n".join(format_list()))
        return
    if remove:
        typer.echo(f"removed {remove_index(Path(folder) if folder else None, index)}")
        return
    from ncsbench.apps.own_code.indexing import Wanted, index_folder
    from ncsbench.apps.own_code.pieces import describe_doubts
    from ncsbench.pipeline.files.model_files import place_model

    path = check_folder(Path(folder or "."))
    if ledger:
        about = place_index(path, index).read()
        for name, reason in sorted((about.left_out | about.doubts).items()):
            typer.echo(f"{show_line(name)}\t{show_line(reason)}")
        return
    wanted = Wanted(everything, model and place_model(model), vectors)
    with ProgressLine(sys.stderr) as progress:
        about, new = index_folder(path, place_index(path, index), wanted, progress)
    typer.echo(
        f"{show_count(about.methods, 'definition')} in {show_count(about.files, 'file')}; "
        f"{new:,} of {show_count(len(about.pieces), 'group')} of files worked on; "
        f"model {about.model}"
    )
    for line in _describe_left_out(about.left_out):
        typer.echo(line, err=True)
    if about.others:
        typer.echo(f"not read: {about.others}", err=True)
    if about.doubts:
        named = f" --index {show_line(str(index))}" if index else ""
        every = f"ncsbench index {show_line(about.folder)}{named} --ledger"
        typer.echo(f"{describe_doubts(about.doubts)}; all: {every}", err=True)


@quiet_library()
def search(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="Description in words of what the code should do."),
    ] = None,
    index: Index = None,
    dataset: Dataset = None,
    k: Annotated[int, typer.Option("-k", "--top", help="Results to show.", min=1)] = 5,
    model: Annotated[str | None, typer.Option(help="The model that the index must have.")] = None,
    lines: Annotated[int, typer.Option(help="Lines of code to print of each method.", min=0)] = 8,
    as_json: AsJson = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line each: file:line, score, name.")
    ] = False,
    grep: Annotated[
        bool, typer.Option("--grep", help="One line each, as editors read it: file:line: name.")
    ] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Answer questions until exit, one from each line.")
    ] = False,
    by: Annotated[
        Literal["file", "method"] | None,
        typer.Option(help="A result is a file or a method; else a file, of a dataset a method."),
    ] = None,
    path: Annotated[
        list[str] | None, typer.Option(help="Only files below it, or like it (*.go); repeatable.")
    ] = None,
    not_path: Annotated[
        list[str] | None, typer.Option(help="No files below it, or like it; repeatable.")
    ] = None,
    lang: Annotated[
        list[str] | None, typer.Option(help="Only files of this language; repeatable.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why each result is there.")
    ] = False,
    tests: Annotated[
        bool | None,
        typer.Option(help="Only tests, examples and generated code; or none of them."),
    ] = None,
) -> None:
    """Find methods and types by what they do.

    The exit status is 3 where nothing is found.
    """
    from ncsbench.apps.own_code.asking import Asked, open_dataset, open_own
    from ncsbench.apps.own_code.index_folder import find_index
    from ncsbench.apps.own_code.refreshing import refresh
    from ncsbench.apps.own_code.result_list import Only, WantedList, read_language, read_pattern

    question = " ".join(words or ())
    if not interactive and not question.strip():
        raise ConfigurationError('ask something: ncsbench search "close a stream"')
    _refuse_both(index, dataset, as_json, plain or grep)

    data = None if dataset is None else open_dataset(dataset, model)
    opened = open_own(find_index(index), model) if data is None else data
    asked: Asked | None = None

    def answer() -> bool:
        nonlocal opened, asked
        with ProgressLine(sys.stderr) as progress:
            progress("loading", 0, 0)
            behind = refresh(opened.index, progress) if opened.index else ""
            now = open_own(opened.index, model) if opened.index else opened
            if asked is None or now != opened:  # it was made anew, and former files are removed
                opened, asked = now, Asked(now)
        found = _answer(text, asked, opened, wanted, lines, form)
        changed = not all(method.current for method in found)
        if opened.index is not None and (behind or changed):
            typer.echo(behind or opened.index.describe_behind(), err=True)
        return bool(found)

    languages = tuple(map(read_language, lang or ()))
    only = Only(
        tuple(read_pattern(one, opened.folder) for one in path or ()),
        tuple(read_pattern(one, opened.folder) for one in not_path or ()),
        languages,
        tests,
    )
    wanted = WantedList(
        k=k, by=by or ("method" if dataset else "file"), only=None if only == Only() else only
    )
    form = (
        ("line" if interactive else "json")
        if as_json
        else ("plain" if plain else "grep" if grep else "why" if explain else "code")
    )
    if interactive and _at_terminal():
        typer.echo("a question a line; exit, quit or Ctrl-D leaves", err=True)
    ask = question if question.strip() else _read_question()
    found = True
    while ask is not None:
        if text := ask.strip():
            found = answer() if opened.index is None else opened.index.keep_trying(answer)
        ask = _read_question() if interactive else None
    if not found and not interactive:
        raise typer.Exit(_NO_RESULT)


@quiet_library()
def similar(
    place: Annotated[
        str, typer.Argument(metavar="FILE:LINE", help="A method, a FILE, or - for standard input.")
    ],
    index: Index = None,
    dataset: Dataset = None,
    top: Annotated[int, typer.Option("--top", "-k", help="Methods to list.", min=1)] = 10,
    as_json: AsJson = False,
    variant: Annotated[
        Literal["paper", "code"],
        typer.Option(help="Source of the values of the options below: Aroma's paper or its code."),
    ] = "paper",
    candidates: Annotated[int | None, typer.Option(help="Methods that are pruned (eta1).")] = None,
    score: Annotated[
        Literal["jaccard", "containment"] | None, typer.Option(help="Score of a pruned method.")
    ] = None,
    alike: Annotated[
        float | None,
        typer.Option("--similar", help="Score above which methods are clustered (tau1)."),
    ] = None,
    clustered: Annotated[
        int | None, typer.Option(help="Methods that are clustered (eta2).")
    ] = None,
    gain: Annotated[
        float | None,
        typer.Option(help="Least size of members' common code, over that of pruned parts (tau2)."),
    ] = None,
    likeness: Annotated[
        float | None, typer.Option(help="Likeness of the members' pruned parts (tau3).")
    ] = None,
    snippets: Annotated[int | None, typer.Option(help="Most recommendations (K).", min=0)] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="One line each: file:line, score, name.")
    ] = False,
) -> None:
    """Find methods like a method or a piece of code.

    Groups of such methods are shown with the code that they share.
    """
    from ncsbench.apps.own_code.index_folder import find_index
    from ncsbench.apps.own_code.refreshing import count_changes
    from ncsbench.apps.own_code.similar import find_similar, format_similar, read_snippet
    from ncsbench.evaluation.structural_search.shown_results import choose_options

    _refuse_both(index, dataset, as_json, plain)
    options = choose_options(
        variant,
        options={
            "candidates": candidates, "score": score, "similar": alike, "clustered": clustered,
            "snippets": snippets,
        },
        clusters={"gain": gain, "likeness": likeness},
    )  # fmt: skip
    own = None if dataset is not None else find_index(index)
    data = None if dataset is None else Path("data", dataset)
    with ProgressLine(sys.stderr) as progress:
        find = partial(find_similar, read_snippet(place), own, data, top, options, progress)
        found = find() if own is None else own.keep_trying(find)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
    elif found["methods"]:
        typer.echo("\n".join(format_similar(found, plain=plain, recommend=snippets != 0)))
    current = own is None or all(method["current"] for method in found["methods"])
    if own is not None and not (current and count_changes(own)[1] == 0):
        typer.echo(own.describe_behind(), err=True)
    if not found["methods"]:
        size = show_count(found["query"]["distinct_features"], "feature")
        typer.echo(
            f"nothing found like {show_line(place)}: no other method shares enough of its {size}; "
            "a longer piece of code has more",
            err=True,
        )
        raise typer.Exit(_NO_RESULT)


def _refuse_both(index: Path | None, dataset: str | None, as_json: bool, plain: bool) -> None:
    for names, both in (
        ("--index and --dataset", index is not None and dataset is not None),
        ("--json and --plain", as_json and plain),
    ):
        if both:
            raise ConfigurationError(f"{names}: choose one of them")


def _answer(
    question: str, asked: "Asked", opened: "Searched", wanted: "WantedList", lines: int, form: str
) -> "list[FoundMethod]":
    """Print the methods for a question, and return them."""
    from ncsbench.apps.own_code.shown_methods import (
        describe_method,
        format_grep,
        format_plain,
        print_methods,
        show_place,
    )

    found = asked.find(question, wanted)
    if found and asked.is_unnamed(question):
        typer.echo(f"no definition is named {question}", err=True)
    if form in ("json", "line"):
        described = [describe_method(method, opened.folder) for method in found]
        about = {"question": question, "model": opened.model, "methods": described}
        typer.echo(json.dumps(about, indent=2 if form == "json" else None))
    elif form in ("plain", "grep"):
        show = format_plain if form == "plain" else format_grep
        for method in (one for one in found if form == "plain" or not one.gone):
            typer.echo(show(show_place(method, opened.folder), vars(method)))
    else:
        why = form == "why"
        print_methods(found, opened.folder, lines=lines, explain=why, stream=sys.stdout)
    if not found:
        among = "" if wanted.only is None else " among the files that the options choose"
        typer.echo(f"nothing found for {show_line(question)[:200]!r}{among}", err=True)
    if unknown := asked.find_unknown(question):
        typer.echo(f"nowhere in the index: {show_line(', '.join(unknown))}", err=True)
    return found


def _describe_left_out(left_out: dict[str, str]) -> Iterator[str]:
    """Yield lines on the first files that were not read, and on the number of further ones."""
    for path, reason in list(left_out.items())[:_SHOWN]:
        yield f"left out: {show_line(path)} ({show_line(reason)})"
    if len(left_out) > _SHOWN:
        yield f"left out: {len(left_out) - _SHOWN:,} more"


def _read_question() -> str | None:
    if _at_terminal():
        typer.echo("? ", nl=False, err=True)
    line = sys.stdin.readline()
    return None if not line or line.strip() in _LEAVE else line


def _at_terminal() -> bool:
    return sys.stdin.isatty()
