"""The rules of the workflow as text."""

from __future__ import annotations

import re
from pathlib import Path

from ncsbench.rankers.learnt_kinds import LEARNING_STAGES

RULE = re.compile(r"^ *(?:use rule \w+ as (\w+) with|rule(?: (\w+))?):$", re.MULTILINE)


def read_rules(root: Path) -> dict[str, str]:
    """Return texts of all rules by name.

    The rule of what is learnt has a text for each kind. Other rules that get
    their names in a loop have that of their file and a number.
    """
    texts: dict[str, str] = {}
    for path in sorted((root / "workflow" / "rules").glob("*.smk")):
        parts = RULE.split(path.read_text(encoding="utf-8"))
        for of_other, own, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            if "{stage}" in text:
                single = text.replace("{{", "{").replace("}}", "}").replace("{shown}", "")
                texts |= {name: single.replace("{stage}", name) for name in LEARNING_STAGES}
            else:
                texts[of_other or own or f"{path.stem} {len(texts)}"] = text
    return texts
