"""The check of prose finds what it names, and nothing in English that is right."""

from pathlib import Path

import pytest

from tests.prose import find_faults


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '"""Whether it is right."""\n',
            [(1, "begins with 'Whether': begin with a verb or a noun")],
        ),
        (
            'x = 1\n"""Those of the set."""\n',
            [(2, "begins with 'Those': begin with a verb or a noun")],
        ),
        ('raise E("a sign is none")\n', [(1, "'is none': say 'is no ...' or 'there is no ...'")]),
        ('"""Words, told apart."""\n', [(1, "'told apart': say 'distinguished'")]),
        ('"""Say whether a score is right; None of them is needed."""\n', []),
        ('x = "What is it?"\n', []),
    ],
)
def test_faults_have_line_and_advice(
    tmp_path: Path, text: str, found: list[tuple[int, str]]
) -> None:
    path = tmp_path / "module.py"
    path.write_text(text)
    assert list(find_faults(path)) == found
    page = path.rename(tmp_path / "page.md")
    assert list(find_faults(page)) == [one for one in found if "begins" not in one[1]]
