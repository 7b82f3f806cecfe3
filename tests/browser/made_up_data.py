"""The data of a small explorer; every place that has texts of others has some of an attacker."""

from __future__ import annotations

from typing import Any

from ncsbench.apps.explorer.explorer_folder import FORMAT
from ncsbench.apps.explorer.shown_code import MOST
from ncsbench.code.aroma.similarity_names import SIMILARITIES

IMAGE = "<img src=x onerror=\"window.harmed='image'\">"
SCRIPT = "</script><script>window.harmed='script'</script>"
ADDRESS = "javascript:window.harmed='address'"
DIRECTION = "<U+202E>txet<U+202C> <U+001B>[31mred"
MODELS = ("random", "bm25", "ncs", "__proto__")
NAMES = {"random": "Random methods"}
"""Names for people; a model without one is shown by its id."""
ANSWER = f"Best is ncs, {IMAGE}. Second is bm25."
TOP, DEPTH, SHOWN = 4, 50, 20
LEFT_OUT = 1_000_000 - MOST
"""Characters that are not shown of a method of 1 MB."""
COMMIT = "0123456789abcdef0123456789abcdef01234567"
CODE = f"""void close(View view) {{
    // {SCRIPT}
    String text = "{IMAGE}"; /* \U0001f600 {DIRECTION} */
    if (view.isOpen()) hide(view, 42);
}}"""
MARKED = ("isOpen", "hide", "42")
"""Tokens of ``CODE`` that are marked in the first question."""
LONG = ("int number = compute(number);\n" * 300)[:MOST]
TITLES = (
    f"How do I {IMAGE} close the soft keyboard?",
    "Copy text to the clipboard",
    f"{DIRECTION} {SCRIPT}",
    "Read a file line by line",
    "Parse a date",
    "Sort a list by a field",
    "Open a database",
    "Scale a bitmap",
    "Is the network there?",
    "Convert bytes to hex",
    '=HYPERLINK("http://example.invalid")',
    "Send a request with headers",
)
RANKS = {
    "random": (0, 0, 0, 0, 40, 0, 0, 0, 0, 31, 0, 0),
    "bm25": (1, 0, 3, 12, 2, 0, 1, 0, 7, 11, 4, 0),
    "ncs": (2, 1, 0, 2, 0, 5, 1, 0, 14, 3, 0, 9),
    "__proto__": (0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0),
}
STRICT = {
    "random": (0,) * 12,
    "bm25": (1, 0, 0, 20, 2, 0, 1, 0, 0, 0, 5, 0),
    "ncs": (2, 1, 0, 2, 0, 15, 1, 0, 0, 3, 0, 0),
    "__proto__": (0,) * 12,
}
PUBLISHED = {"ncs": (1, 0, 2, 2, 0, 0, 3, 0, 1, 3, 0, None)}
NEAR = {"bm25": (1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), "ncs": (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)}


def summary() -> dict[str, Any]:
    """What the first view needs."""
    questions = [
        {
            "id": number + 1,
            "so": str(900_000 + number),
            "title": title,
            "ranks": [RANKS[model][number] for model in MODELS],
            "strict": [STRICT[model][number] for model in MODELS],
            "published": [PUBLISHED[m][number] if m in PUBLISHED else None for m in MODELS],
            "measured": [number / 20 for _ in MODELS],
            "near": [NEAR[model][number] if model in NEAR else 0 for model in MODELS],
        }
        for number, title in enumerate(TITLES)
    ]
    return {
        "format": FORMAT,
        "trial": "",
        "dataset": "made_up",
        "version": "0.5.0",
        "corpus": "ncs@0123456789ab",
        "judge": {"name": "pruned_jaccard_leaf", "threshold": 0.25},
        "strict": {"name": "dice", "threshold": 0.25},
        "judges": list(SIMILARITIES),
        "near": 0.9,
        "depth": DEPTH,
        "measure": "nDCG@10",
        "top": TOP,
        "models": list(MODELS),
        "baseline": "bm25",
        "facts": [["methods", SHOWN], ["repositories", 2], ["questions", len(TITLES)]],
        "table": _table(),
        "intervals": {model: ["0.020000", "0.800000"] for model in MODELS[:3]},
        "names": NAMES,
        "kinds": {"random": "chance", "bm25": "words", "ncs": "vectors", "__proto__": "__proto__"},
        "about": {"random": "any method", "ncs": f"sums of {IMAGE}"},
        "answer": {"text": ANSWER, "questions": 12, "smallest": 0.1, "judges": _best()},
        "texts": True,
        "differences": _differences(),
        "questions": questions,
    }


def _best() -> list[dict[str, Any]]:
    figures = {"model": "ncs", "value": 0.3, "low": 0.1, "high": 0.9}
    return [figures | {"judge": "strict", "same": ["bm25"]}]


def _table() -> dict[str, Any]:
    columns = [
        *("dataset", "model", "trained_on", "judge", "threshold", "questions", "answered_1"),
        *("answered_5", "answered_10", "mrr", "mrr_low", "mrr_high", "strict_judge"),
        *("strict_threshold", "strict_answered_1", "strict_answered_5", "strict_answered_10"),
        *("strict_mrr", "median_lines", "training_pairs", "published_as", "published_questions"),
        *("published_answered_1", "published_answered_5", "published_answered_10", "published_mrr"),
        *("verdict_answered_1", "verdict_answered_5", "verdict_answered_10", "verdict_mrr"),
    ]
    rows = []
    for model in MODELS:
        known = {
            **{"dataset": "made_up", "model": model, "trained_on": "none", "median_lines": "7"},
            **{"judge": "pruned_jaccard_leaf", "threshold": "0.25", "questions": "12"},
            **_figures("", RANKS[model]),
            **{"strict_judge": "dice", "strict_threshold": "0.25"},
            **_figures("strict_", STRICT[model]),
        }
        known |= {"mrr_low": "0.010000", "mrr_high": "0.900000"}
        if model in PUBLISHED:
            ranks = [rank or 0 for rank in PUBLISHED[model]]
            known |= {
                "published_as": "NCS",
                "published_questions": "12",
                **_figures("published_", ranks),
            }
            known |= {"verdict_answered_1": "different", "verdict_mrr": "equivalent"}
        rows.append([known.get(column, "") for column in columns])
    return {"columns": columns, "rows": rows}


def _figures(prefix: str, ranks: Any) -> dict[str, str]:
    counts = {
        f"{prefix}answered_{k}": str(sum(0 < rank <= k for rank in ranks)) for k in (1, 5, 10)
    }
    return {**counts, f"{prefix}mrr": f"{sum(1 / rank for rank in ranks if rank) / len(ranks):.6f}"}


def _differences() -> list[dict[str, Any]]:
    return [
        {
            **{"model": model, "baseline": "bm25", "measure": measure, "judge": judge},
            **{
                "difference": 0.1 * number - 0.1,
                "difference_low": 0.1 * number - 0.2,
                "difference_high": 0.1 * number,
            },
            **{"p_holm": None if number else 0.04, "wins": 3, "ties": 7, "losses": 2},
        }
        for number, model in enumerate(m for m in MODELS if m != "bm25")
        for measure in ("answered_1", "answered_5", "answered_10", "mrr")
        for judge in ("pruned_jaccard_leaf", "dice")
    ]


def question(number: int) -> dict[str, Any]:
    """The page of a question; the first one has the texts of the attacker."""
    results = [
        [],
        [100 + (number - 1 + step) % SHOWN for step in range(TOP)],
        [100 + (number + 2 - step) % SHOWN for step in range(TOP)],
        [100 + (number * 7) % SHOWN],
    ]
    shown = {method for found in results for method in found}
    hostile = number == 1
    return {
        "id": number,
        "so": str(900_000 + number - 1),
        "title": TITLES[number - 1],
        "url": ADDRESS if number == 3 else f"https://stackoverflow.com/q/{900_000 + number - 1}",
        "author": IMAGE if hostile else "Anna",
        "author_url": ADDRESS if hostile else "https://stackoverflow.com/users/1",
        "licence": "CC BY-SA 4.0" if number % 2 else "",
        "answer": {
            "more": 0,
            "code": CODE if hostile else f"compute({number});",
            "url": ADDRESS if hostile else f"https://stackoverflow.com/a/{number}",
            "licence": "CC BY-SA 3.0",
            "author": SCRIPT if hostile else "Ben",
            "author_url": "https://stackoverflow.com/users/2",
            "wrapping": "statements" if number != 4 else "none",
            "features": 21,
        },
        "results": results,
        "pairs": {str(method): pair(number, method) for method in sorted(shown)},
    }


def pair(number: int, method: int) -> list[Any]:
    """Similarities in ten-thousandths, verdicts as bits, and where matched tokens begin."""
    scores = [(method * 977 + number * 131 + judge * 1709) % 10_001 for judge in range(8)]
    verdicts = sum((score > 2500) << judge for judge, score in enumerate(scores))
    verdicts |= (scores[0] > 2500) << 16 | (scores[SIMILARITIES.index("dice")] > 2500) << 17
    return [scores, verdicts, places(CODE, MARKED) if method in (100, 103) else ""]


def places(code: str, tokens: tuple[str, ...]) -> str:
    """The tokens of a code by their first places in UTF-16 units, as differences in base 36."""
    starts = [len(code[: code.index(token)].encode("utf-16-le")) // 2 for token in tokens]
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    gaps = [start - before for start, before in zip(starts, [0, *starts], strict=False)]
    return " ".join((digits[gap // 36] if gap >= 36 else "") + digits[gap % 36] for gap in gaps)


def methods() -> list[dict[str, Any]]:
    """Two files of methods; 100 and 103 are copies of one another."""
    ordinary = {"r": 0, "s": 3, "e": 8, "more": 0, "d": ""}
    every: dict[str, Any] = {}
    for number in range(100, 100 + SHOWN):
        path = f"src/Class{number}.java"
        every[str(number)] = {
            **ordinary,
            **{"p": path, "n": f"Class{number}.method", "t": number},
            "u": f"https://github.com/owner/first/blob/{COMMIT}/{path}#L3-L8",
            "c": f"int method{number}() {{\n    return compute({number}); // the {number}th\n}}",
        }
    every["100"] |= {"c": CODE, "d": f"{SCRIPT} {IMAGE} {DIRECTION}"}
    every["101"] |= {"c": LONG, "more": LEFT_OUT}
    every["102"] |= {
        "n": "__proto__.constructor",
        "p": f"{IMAGE}/{SCRIPT}.java",
        "u": ADDRESS,
        "r": 1,
    }
    every["103"] |= {"c": CODE, "t": 100, "r": 1}
    names = sorted(every)
    return [{name: every[name] for name in part} for part in (names[:10], names[10:])]


def repositories() -> list[dict[str, str]]:
    """One ordinary repository and one of the attacker."""
    return [
        {"name": "owner/first", "commit": COMMIT, "licence": "MIT"},
        {"name": f"__proto__/{IMAGE}", "commit": COMMIT, "licence": ""},
    ]


def data_files() -> dict[str, Any]:
    """All data by the names of their files."""
    parts = methods()
    return {
        "summary": summary(),
        "repositories": repositories(),
        "places": {name: number for number, part in enumerate(parts) for name in part},
        **{f"methods-{number}": part for number, part in enumerate(parts)},
        **{f"question-{number}": question(number) for number in range(1, len(TITLES) + 1)},
    }
