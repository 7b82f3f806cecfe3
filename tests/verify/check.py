"""Make the tables of results/ again that need no clone of a repository (``make check``).

They are made in a temporary copy of the checkout: from evidence, which DVC brings
(docs/evidence.md), from what is committed beside them (ranks, grades, records) and from each
``per_question.parquet`` of a dataset without evidence. They are compared with those of the
checkout: by bytes, else by value, since another processor's floating point gives other last digits.
Exit status 0 only where every cell is equal.
"""

import argparse
import csv
import fnmatch
import sys
import tempfile
import time
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "workflow")]

from ncsbench.apps.shown_tables.stage_usage import read_jobs  # noqa: E402  (also run as a script)
from ncsbench.apps.shown_tables.value_comparison import iterate_differences  # noqa: E402
from tests.verify.evidence_checks import (  # noqa: E402
    bring_evidence,
    describe_age,
    find_changed,
    list_evidence_files,
    list_evidence_tables,
)
from tests.verify.question_tables import FILE, FOLLOWING, make_question_tables  # noqa: E402
from tests.verify.verify import Build, copy_files, list_files, run_build, say, say_all  # noqa: E402

MADE = {
    **{
        f"results/{run}/{table}.csv": stage
        for run in ("csn", "csn_java")
        for table, stage in (
            *(("table2", "csn_table2"), ("annotators", "csn_table2"), ("table3", "csn_table3")),
            *(("table4", "csn_table4"), ("table4_differences", "csn_table4")),
        )
    },
    "results/csn/csn_choices.csv": "csn_choices",
    **{
        f"results/cleaning/table{number}.csv": f"cleaning_main_table-table{number}"
        for number in (2, 3, 5, 8)
    },
    "results/published_table1.csv": "published_table1",
}
"""Tables that a rule makes of committed files, and the stage in whose log its seconds are."""

NOT_MADE = {
    "results/*/usage.csv": "measures seconds and memory of a machine",
    "results/*/query_times.csv": "measures seconds and memory of a machine",
    "results/scale/*": "measures seconds and memory of a machine",
    "results/speed/*": "measures seconds of a machine",
    "results/csn/annoy.csv": "of version 0.8.1, needs clones and a trained encoder",
    "results/csn*": "needs clones",
    "results/board/*": "needs the evidence; make board makes it, and a test compares it",
    "results/cleaning/*": "needs clones, of which pairs and benchmarks are made",
    "results/own_code/*": "needs clones",
    "results/ncsed*": "needs clones, questions and a dump of posts",
}
"""Why other tables are not made here, by pattern; the first that fits holds."""

_LEFT_OUT = ("docs/", "tests/", "resources/artifacts/")
_TABLES = {".csv", ".md", ".svg"}
_SHOWN_CELLS = 3


class Comparison(NamedTuple):
    """Cells compared, whether the table and the same made again have equal bytes, what differs.

    ``missing`` is how many cells were not made again and are not compared.
    """

    cells: int
    same: bool
    differences: list[str]
    missing: int = 0


def main() -> None:
    """Make all, compare, and exit with 1 where a cell differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="empty folder to make them in, which is kept")
    options = parser.parse_args()
    started = time.monotonic()
    names = list_files(untracked=True)
    with tempfile.TemporaryDirectory(prefix="check-") as temporary:
        place = (options.folder or Path(temporary)).resolve()
        place.mkdir(parents=True, exist_ok=True)
        if any(place.iterdir()):
            sys.exit(f"check: error: {place} is not empty; name another folder")
        evidence = bring_evidence(ROOT)
        tables = [*MADE, *list_evidence_tables(ROOT, names, evidence)]
        with_evidence = {one.path.parent.relative_to(ROOT).as_posix() for one in evidence}
        folders = [one for one in list_question_folders(names) if one not in with_evidence]
        found = check(place, [*names, *list_evidence_files(ROOT, evidence)], tables, folders)
    for reason, several in group_reasons(list_others(names, found)).items():
        say(f"not made here, since it {reason}: {', '.join(several)}")
    say_all(describe_age(ROOT, evidence))
    changed = find_changed(ROOT, names)
    say_all(
        [f"{name}: ran on code of no commit: {', '.join(jobs)}" for name, jobs in changed.items()]
    )
    sys.exit(summarise(found, time.monotonic() - started) or int(bool(changed)))


def check(
    place: Path, names: Sequence[str], tables: Sequence[str], datasets: Sequence[str]
) -> dict[str, Comparison]:
    """Make tables again in a folder, say a line of each, and compare them.

    Args:
        place: empty folder.
        names: files of the checkout to copy.
        tables: of ``MADE``.
        datasets: folders with a ``per_question.parquet``.
    """
    found = {}
    kept = [name for name in names if not name.startswith(_LEFT_OUT) and name not in tables]
    copy_files(kept, place / "copy")
    if tables:
        copy = run_build(Build("copy", 2, {}), place, tables)
        for name in tables:
            found[name] = compare_table(ROOT / name, copy / name)
            of_evidence = "" if name in MADE else "with all tables of its evidence"
            seconds = find_seconds(copy, name) if name in MADE else 0
            tell(name, found[name], seconds, of_evidence)
    for dataset in datasets:
        started = time.monotonic()
        made = place / "questions" / dataset
        make_question_tables(ROOT, ROOT / dataset, made)
        seconds = time.monotonic() - started
        for path in sorted(made.glob("*.csv")):
            name = f"{dataset}/{path.name}"
            if name not in names:
                continue
            one = compare_table(ROOT / name, path)
            if (following := made / FOLLOWING / path.name).exists():
                cells = count_cells(following, filled=True)
                whole = count_cells(ROOT / name, filled=True)
                one = one._replace(cells=cells, missing=whole - cells)
            found[name] = one
            tell(name, one, seconds, f"for all tables of {FILE}")
    return found


def compare_table(expected: Path, made: Path) -> Comparison:
    """Compare a table of the checkout with the same made again, cell by cell."""
    cells = count_cells(expected)
    if expected.read_bytes() == made.read_bytes():
        return Comparison(cells, same=True, differences=[])
    rows = expected.read_text(encoding="utf-8").splitlines()
    lines = []
    for one in iterate_differences(expected, made):
        shown = rows[one.row - 1] if 0 < one.row <= len(rows) else ""
        first = ",".join(shown.split(",")[:_SHOWN_CELLS]) if expected.suffix == ".csv" else ""
        where = f"row {one.row}" + (f" ({first})" if first else "")
        lines.append(
            f"{where}, column {one.column}: expected {one.expected!r}, found {one.found!r}"
        )
    return Comparison(cells, same=False, differences=lines)


def count_cells(path: Path, *, filled: bool = False) -> int:
    """Cells of a CSV file, all or those that are not empty; words of another file."""
    if path.suffix != ".csv":
        return len(path.read_text(encoding="utf-8").split())
    with path.open(newline="", encoding="utf-8") as file:
        return sum(len([cell for cell in row if cell or not filled]) for row in csv.reader(file))


def find_seconds(copy: Path, name: str) -> float:
    """Seconds of the job that made a table."""
    logs = copy / "data" / Path(name).parent.relative_to("results") / "logs"
    return sum(job.seconds for job in read_jobs(logs) if job.stage == MADE[name])


def tell(name: str, found: Comparison, seconds: float, told: str = "") -> None:
    """Say what became of a table: a line, and one for each cell that differs."""
    words = "cells" if name.endswith(".csv") else "words"
    what = f"different: {len(found.differences)}" if found.differences else "all equal"
    if not found.same and not found.differences:
        what += " by value, other bytes: another processor's floating point"
    rest = f"; {found.missing:,} more need the corpus" if found.missing else ""
    took = " ".join(filter(None, (f"{seconds:.1f} s" if seconds or not told else "", told)))
    say(f"{name}: {found.cells:,} {words}, {what}{rest} ({took})")
    say_all([f"{name}: {line}" for line in found.differences])


def summarise(found: dict[str, Comparison], seconds: float) -> int:
    """Say the last line; the exit status."""
    cells = sum(one.cells for one in found.values())
    wrong = {name: len(one.differences) for name, one in found.items() if one.differences}
    if wrong:
        say(
            f"FAILED: {sum(wrong.values())} of {cells:,} cells differ, in {len(wrong)} of "
            f"{len(found)} tables"
        )
        return 1
    by_value = sum(not one.same for one in found.values())
    other = f", {by_value} tables by value alone" if by_value else ""
    missing = sum(one.missing for one in found.values())
    rest = f", {missing:,} more cells need the corpus" if missing else ""
    say(f"OK: {len(found)} tables, {cells:,} cells, all equal{other}{rest}; {seconds:.0f} s")
    return 0


def list_question_folders(names: Iterable[str]) -> list[str]:
    """Folders of results that have first ranks by question beside a Table 1."""
    there = set(names)
    folders = (name.removesuffix(f"/{FILE}") for name in there if name.endswith(f"/{FILE}"))
    return sorted(one for one in folders if f"{one}/table1_long.csv" in there)


def list_others(names: Iterable[str], found: Container[str]) -> list[str]:
    """Tables of ``results/`` that were not made."""
    return [
        name
        for name in names
        if name.startswith("results/") and name not in found and name != "results/README.md"
        if Path(name).suffix in _TABLES
    ]


def group_reasons(names: Iterable[str]) -> dict[str, list[str]]:
    """Tables that are not made here, by the reason.

    Raises:
        ValueError: for a table without a reason.
    """
    grouped: dict[str, list[str]] = {}
    for name in names:
        fits = (why for one, why in NOT_MADE.items() if fnmatch.fnmatchcase(name, one))
        reason = next(fits, None)
        if reason is None:
            raise ValueError(f"{name}: is neither made again nor said why not; add it to NOT_MADE")
        grouped.setdefault(reason, []).append(name.removeprefix("results/"))
    return grouped


if __name__ == "__main__":
    main()
