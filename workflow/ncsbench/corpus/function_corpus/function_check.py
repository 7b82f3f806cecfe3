"""Compares the extracted functions with the annotated ones, by file and lines, with causes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ncsbench.base.files.csv_tables import Row, name_cells
from ncsbench.base.text.file_decoding import decode_source
from ncsbench.code.functions.function_parser import find_spans, parse_functions
from ncsbench.code.functions.registry import GAVE_UP, Rules, find_language
from ncsbench.corpus.function_corpus.annotations import Place
from ncsbench.corpus.function_corpus.function_schema import make_url
from ncsbench.corpus.layout.ledger_schema import SYNTAX_ERRORS
from ncsbench.corpus.sources.repositories import Repository
from ncsbench.corpus.sources.source_protocol import Source, SourceError, SourceFile, check_size

COLUMNS = ("language", "url", "found", "cause", "detail")
FOUND = "found"


@dataclass(frozen=True)
class CheckedFunction:
    """An annotated function whose file is present.

    Attributes:
        place: the place of the function.
        cause: why no function has exactly these lines; empty where one has.
        detail: what the cause leaves open, such as the lines of the nearest function.
    """

    place: Place
    cause: str = ""
    detail: str = ""


@dataclass(frozen=True)
class FunctionCheck:
    """The annotated functions of a language, in the order of repositories and paths.

    Attributes:
        language: its name.
        checked: the functions whose files are present.
        absent: the number of the other functions, by reason.
    """

    language: str
    checked: Sequence[CheckedFunction]
    absent: Mapping[str, int]

    def rows(self) -> list[Row]:
        """One row with ``COLUMNS`` for each function whose file is present."""
        checked = (
            (make_url(*one.place), "no" if one.cause else "yes", one.cause, one.detail)
            for one in self.checked
        )
        return name_cells(COLUMNS, ((self.language, *cells) for cells in checked))

    def describe(self) -> str:
        """The share that was found, and the causes of the rest, in a line."""
        causes = Counter(one.cause or FOUND for one in self.checked)
        found, total = causes.pop(FOUND, 0), len(self.checked)
        share = f" ({100 * found / total:.1f} %)" if total else ""
        told = "".join(f"; {cause}: {count}" for cause, count in sorted(causes.items()))
        absent = ", ".join(f"{count} ({reason})" for reason, count in sorted(self.absent.items()))
        rest = f"; not at hand: {absent}" if absent else ""
        return f"{self.language}: {found} of {total} found{share}{told}{rest}"


def check_functions(
    language: str, places: Iterable[Place], source: Source, *, rules: Rules = "as_meant"
) -> FunctionCheck:
    """Parse the files of annotated functions and look for functions with exactly their lines.

    Nothing is filtered: neither copies nor short functions are left out.

    Args:
        language: its name.
        places: of the annotated functions.
        source: the source of the files, read at the commits of the places.
        rules: treatment of errors of the released code.
    """
    by_commit: dict[tuple[str, str], dict[str, list[Place]]] = defaultdict(dict)
    for place in sorted(places):
        by_commit[place.repo, place.sha].setdefault(place.path, []).append(place)
    checked: list[CheckedFunction] = []
    absent: Counter[str] = Counter()
    for (repo, sha), files in by_commit.items():
        owner, _, name = repo.partition("/")
        try:
            for file in source.read_files(Repository(owner, name, sha), sha, list(files)):
                if file.data is None:
                    absent[file.reason] += len(files[file.path])
                else:
                    checked += _check_file(language, file, files[file.path], rules)
        except (SourceError, OSError) as error:
            reason = str(error) if isinstance(error, SourceError) else f"{error.strerror}"
            absent[reason] += sum(map(len, files.values()))
    return FunctionCheck(language, checked, absent)


def _check_file(
    language: str, file: SourceFile, places: Sequence[Place], rules: Rules
) -> list[CheckedFunction]:
    data = file.data or b""
    skipped = find_language(language).refuse_path(file.path) or check_size(len(data))
    if skipped:
        cause, _, detail = skipped.partition(" (")
        return [CheckedFunction(place, cause, detail.rstrip(")")) for place in places]
    text = decode_source(data)[0].encode("utf-8", "replace")
    parsed = parse_functions(text, language, rules=rules)
    found = {(one.start_line, one.end_line) for one in parsed.functions}
    spans = list(find_spans(text, language, rules=rules))
    told = []
    for place in places:
        if (place.start_line, place.end_line) in found:
            told.append(CheckedFunction(place))
        elif GAVE_UP in parsed.dropped:
            told.append(CheckedFunction(place, GAVE_UP))
        else:
            told.append(CheckedFunction(place, *_find_cause(place, spans, parsed.has_errors)))
    return told


def _find_cause(
    place: Place, spans: Sequence[tuple[int, int, str]], has_errors: bool
) -> tuple[str, str]:
    """Find why no function has exactly these lines, and give the lines of the nearest one."""
    near = [one for one in spans if one[0] <= place.end_line and place.start_line <= one[1]]
    if not near:
        return (SYNTAX_ERRORS if has_errors else "no function there"), ""
    start, end, dropped = min(
        near, key=lambda one: abs(one[0] - place.start_line) + abs(one[1] - place.end_line)
    )
    detail = f"L{start}-L{end}"
    if (start, end) == (place.start_line, place.end_line):
        return f"dropped: {dropped or 'one token'}", detail
    return ("other lines, syntax errors" if has_errors else "other lines"), detail
