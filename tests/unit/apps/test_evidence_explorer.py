"""Links of an explorer from evidence to the lines of a method on the host of its repository."""

from __future__ import annotations

from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from ncsbench.apps.explorer.evidence_explorer import link_lines
from ncsbench.apps.explorer.shown_code import show_link

COMMIT = "0123456789abcdef0123456789abcdef01234567"
METHOD = {
    "repository": "owner/name",
    "commit": COMMIT,
    "path": "src/a b/Größe#1.java",
    "start_line": 3,
    "end_line": 8,
}


def test_a_link_leads_to_the_lines_at_the_commit() -> None:
    assert link_lines(METHOD) == (
        f"https://github.com/owner/name/blob/{COMMIT}/src/a%20b/Gr%C3%B6%C3%9Fe%231.java#L3-L8"
    )
    assert link_lines(METHOD | {"commit": None}) == link_lines(METHOD | {"commit": ""}) == ""


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_leads_to_another_host_or_to_other_lines(
    repository: str, commit: str, path: str
) -> None:
    link = link_lines(METHOD | {"repository": repository, "commit": commit, "path": path})
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == (
        *("https", "github.com", ""),
        "L3-L8",
    )
    assert link.isascii() and link.isprintable() and show_link(link) == link
