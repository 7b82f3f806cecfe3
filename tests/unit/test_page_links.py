"""Links of the pages lead somewhere, and messages name pages that there are."""

import re
from pathlib import Path

from tests.pages import list_anchors, list_links, list_pages

OUTSIDE = re.compile(r"[a-z]+:")
NAMED = re.compile(r"docs/[\w-]+\.md(?:#[\w-]+)?")
SOURCES = (
    "workflow/**/*.py",
    "workflow/**/*.smk",
    "config/**/*.yaml",
    "envs/*",
    "*.yaml",
    "Makefile",
)


def find_fault(page: Path, link: str) -> str | None:
    """What is wrong with a link of a page, if anything."""
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not target.exists():
        return "no such file"
    if anchor and anchor not in list_anchors(target):
        return "no such heading"
    return None


def test_every_link_leads_to_a_file_and_a_heading_of_it(root: Path) -> None:
    pages = list_pages(root)
    assert {root / "README.md", root / "docs/index.md"} < set(pages)
    faults = [
        f"{page.relative_to(root)}: {link}: {fault}"
        for page in pages
        for link in list_links(page)
        if not OUTSIDE.match(link) and (fault := find_fault(page, link))
    ]
    assert faults == []


def test_no_page_of_the_site_links_out_of_its_folder(root: Path) -> None:
    """The site holds nothing else; files of the repository are named as code."""
    links = {(page.name, link) for page in root.glob("docs/*.md") for link in list_links(page)}
    assert [one for one in sorted(links) if one[1].startswith((".", "/"))] == []


def test_every_page_that_code_and_configuration_name_is_there(root: Path) -> None:
    named = {
        (str(path.relative_to(root)), name)
        for pattern in SOURCES
        for path in root.glob(pattern)
        if path.is_file()
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    faults = [one for one in sorted(named) if find_fault(root / "README.md", one[1])]
    assert faults == []


def test_the_home_page_leads_to_every_page(root: Path) -> None:
    linked = set(list_links(root / "docs/index.md"))
    pages = {page.name for page in root.glob("docs/*.md")} - {"index.md"}
    assert pages - linked == set()


def test_blocks_within_lists_are_indented_as_the_site_needs_it(root: Path) -> None:
    """Git hosts take three blanks, too."""
    for page in root.glob("docs/*.md"):
        indents = re.findall(r"^( *)```", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert all(len(one) % 4 == 0 for one in indents), page
