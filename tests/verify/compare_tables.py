"""Compare Table 1 of 77 columns with its successors, figure by figure.

    python tests/verify/compare_tables.py OLD/table1.csv NEW/table1.csv [DATASET]

Figures are keyed by (dataset, model, judge, measure, statistic). Old ones come from the names of
the 77 columns, new ones from ``table1_long.csv``, texts from ``table1.csv``, whose figures must be
those of the long table. DATASET is what the old dataset is called now. Exit status 0 where every
figure that both have is equal to the last digit.
"""

import csv
import re
import sys
from pathlib import Path

Key = tuple[str, str, str, str, str]
FIGURE = re.compile(
    r"(?P<strict>strict_)?(?P<kind>published_|printed_|difference_)?"
    r"(?P<measure>answered_\d+|mrr)_?(?P<ending>low|high|mean|sd)?"
)
PLAIN = ("questions", "seeds", "median_lines", "training_pairs")
TEXTS = ("trained_on", "published_as", *(f"verdict_answered_{k}" for k in (1, 5, 10)))
TEXTS = (*TEXTS, "verdict_mrr")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read_wide(rows: list[dict[str, str]], judge: str) -> dict[Key, str]:
    """Figures of wide rows, old or new; ``judge`` is the name of the column that has it."""
    figures: dict[Key, str] = {}
    for row in rows:
        where = (row["dataset"], row["model"])
        for column, value in row.items():
            if not value or column in (judge, f"strict_{judge}", "threshold", "strict_threshold"):
                continue
            if column in TEXTS:
                figures[*where, "", column, "text"] = value
            elif column in PLAIN:
                figures[*where, "", column, "value"] = value
            elif column == "published_questions":
                figures[*where, "", "questions", "published"] = value
            elif found := FIGURE.fullmatch(column):
                prefix, kind, ending = found["strict"] or "", found["kind"], found["ending"]
                statistic = kind.rstrip("_") if kind else "value"
                if ending in ("mean", "sd"):
                    statistic = f"seeds_{ending}"
                elif ending:
                    statistic += f" {ending}"
                by = "" if kind in ("published_", "printed_") else row[prefix + judge]
                figures[*where, by, found["measure"], statistic] = value
    return figures


def read_long(rows: list[dict[str, str]]) -> dict[Key, str]:
    figures: dict[Key, str] = {}
    for row in rows:
        for bound in ("value", "low", "high"):
            statistic = row["statistic"] if bound == "value" else f"{row['statistic']} {bound}"
            key = (row["dataset"], row["model"], row["judge"], row["measure"], statistic)
            if row[bound]:
                figures[key] = row[bound]
    return figures


def compare(old: Path, new: Path, dataset: str | None = None) -> dict[str, list[str]]:
    """Lines by what happened to a figure: equal, different, gone or new."""
    before = read_wide(read(old), "measure")
    if dataset is not None:
        before = {(dataset, *key[1:]): value for key, value in before.items()}
    narrow = read_wide(read(new), "judge")
    after = read_long(read(new.with_name("table1_long.csv")))
    lines: dict[str, list[str]] = {kind: [] for kind in ("equal", "different", "gone", "new")}
    for key, value in narrow.items():
        if key[-1] == "text":
            after[key] = value
        elif after.get(key) != value:
            lines["different"].append(f"{key}: table1.csv {value}, long table {after.get(key)}")
    for key in [*before, *(key for key in after if key not in before)]:
        one, two = before.get(key), after.get(key)
        if one == two:
            lines["equal"].append(f"{key}: {one}")
        elif one is None:
            lines["new"].append(f"{key}: {two}")
        elif two is None:
            lines["gone"].append(f"{key}: {one}")
        else:
            lines["different"].append(f"{key}: {one}, now {two}")
    return lines


if __name__ == "__main__":
    found = compare(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
    for name in ("different", "gone", "new"):
        for line in found[name]:
            print(f"{name}: {line}")  # noqa: T201
    print(", ".join(f"{len(lines)} {name}" for name, lines in found.items()))  # noqa: T201
    sys.exit(1 if found["different"] else 0)
