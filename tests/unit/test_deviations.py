"""Deviations have one paragraph each, and a test that cites them."""

import re
from pathlib import Path

_CITED = re.compile(r"DEV-(\d{2,3})")
_IN_NAME = re.compile(r"dev_?(\d{2,3})")


def cited(folder: Path, pattern: re.Pattern[str], *endings: str) -> set[str]:
    files = [path for path in folder.rglob("*") if path.suffix in endings]
    return {
        number for path in files for number in pattern.findall(path.read_text(encoding="utf-8"))
    }


def test_every_number_has_one_paragraph_and_a_test(root: Path) -> None:
    text = (root / "docs" / "deviations.md").read_text(encoding="utf-8")
    paragraphs = re.findall(r'^### <a id="dev-(\d{2,3})"></a>DEV-\1: ', text, re.MULTILINE)
    assert paragraphs == sorted(set(paragraphs), key=int)
    index = re.findall(r"^\| .* \| \[DEV-(\d{2,3})\]\(#dev-\1\)", text, re.MULTILINE)
    assert sorted(index, key=int) == paragraphs
    used = cited(root / "workflow", _CITED, ".py", ".yaml", ".smk") | cited(
        root / "config", _CITED, ".yaml"
    )
    assert used <= set(paragraphs)
    tests = cited(root / "tests", _CITED, ".py") | cited(root / "tests", _IN_NAME, ".py")
    assert set(paragraphs) == tests & set(paragraphs)


def test_tests_that_the_page_names_exist(root: Path) -> None:
    text = (root / "docs" / "deviations.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.py"))
    named = set(re.findall(r"\b(test_[a-z0-9_]+)`", text))
    assert {name for name in named if f"def {name}(" not in sources} == set()
