"""What stands on the project's pages: links, anchors, and blocks with what is said of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MARKER = re.compile(r"<!-- not run(?: `(?P<command>[^`\n]+)`)?: (?P<reason>[^\n]+) -->\n")
_BLOCK = re.compile(
    r"^(?P<markers>(?:<!-- not run[^\n]+ -->\n)*)"
    r"(?P<fence>```+)(?P<language>[\w+-]*)(?: title=\"(?P<title>[^\"\n]+)\")?\n"
    r"(?P<text>.*?)^(?P=fence)\n",
    re.MULTILINE | re.DOTALL,
)
_FENCED = re.compile(r"^( *)(```+).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SOURCE = re.compile(r'src(?:set)?="([^"]+)"')
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block that begins at the margin.

    Attributes:
        line: of the fence, from 1.
        language: empty for commands.
        title: the file that the block is, if any.
        not_run: reasons by command, from comments above the block; by nothing where it is for all.
        text: without the fences.
    """

    line: int
    language: str
    title: str | None
    not_run: dict[str | None, str]
    text: str


def list_pages(root: Path) -> list[Path]:
    """The pages that people write."""
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("*/README.md")])


def list_blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        yield Block(
            line=text.count("\n", 0, found.start("fence")) + 1,
            language=found["language"],
            title=found["title"],
            not_run={one["command"]: one["reason"] for one in _MARKER.finditer(found["markers"])},
            text=found["text"],
        )


def list_links(page: Path) -> list[str]:
    """Targets of links and images, as they are written."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    text = re.sub(r"`[^`\n]*`", "", text)
    return _LINK.findall(text) + _SOURCE.findall(text)


def list_anchors(page: Path) -> set[str]:
    """Ids, and headings whose anchor is the same on git hosts and on the site."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = [re.sub(r"<[^>]*>|\]\([^)]*\)", "", one) for one in _HEADING.findall(text)]
    words = [re.sub(r"[^\w\- ]", "", one).strip().lower() for one in headings]
    slugs = {one.replace(" ", "-") for one in words if not re.search(r"[- ]{2}", one)}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))
