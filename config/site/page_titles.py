"""Links that read as files, ``[table1.md](table1.md)``, show the title of the page."""

from __future__ import annotations

import re
from typing import Any

_LINK = re.compile(r"\[([\w-]+\.md)\]\(\1((?:#[\w-]+)?)\)")
_TITLE = re.compile(r"^# +(.+?) *$", re.MULTILINE)


def on_page_markdown(markdown: str, *, files: Any, **_: Any) -> str:
    """The text of a page with titles in place of names of files; other links stay."""

    def name_page(link: re.Match[str]) -> str:
        page = files.get_file_from_path(link[1])
        title = _TITLE.search(page.content_string) if page else None
        return f"[{title[1]}]({link[1]}{link[2]})" if title else link[0]

    return _LINK.sub(name_page, markdown)
