"""Check the English of docstrings, comments, messages and pages; ``make lint`` runs it.

A docstring begins with a verb or a noun, and a few turns of phrase that strangers read twice are
not used at all. CONTRIBUTING.md says the rule.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

QUESTIONS = {"How", "That", "Those", "What", "When", "Where", "Whether", "Which", "Who", "Whose"}
TURNS = {
    r"(?<!there )\b(?:is|are|was|were) none\b": "say 'is no ...' or 'there is no ...'",
    r"\btold (?:apart|from)\b": "say 'distinguished'",
}
"""Turns of phrase, with advice."""
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md")


def find_faults(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the fault of each docstring and turn of phrase of a file."""
    text = path.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        for turn, advice in TURNS.items():
            if found := re.search(turn, line):
                yield number, f"{found[0]!r}: {advice}"
    if path.suffix != ".py":
        return
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else []:
            value = one.value if isinstance(one, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                first = (re.findall(r"\w+", value.value) or [""])[0]
                if first in QUESTIONS:
                    yield value.lineno, f"begins with {first!r}: begin with a verb or a noun"


def main(root: Path) -> int:
    """Print the faults of the library and the pages; 1 where there are some."""
    paths = [*root.glob("workflow/**/*.py"), *(path for page in PAGES for path in root.glob(page))]
    faults = [
        f"{path.relative_to(root)}:{number}: {fault}"
        for path in sorted(paths)
        for number, fault in find_faults(path)
    ]
    faults.append(f"prose: {len(faults)} faults in {len(paths)} files\n")
    sys.stdout.write("\n".join(faults))
    return int(len(faults) > 1)


if __name__ == "__main__":
    sys.exit(main(Path(__file__).resolve().parent.parent))
