"""The explorer of 381 repositories as a part of the site, where ``make docs`` has written it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File
from mkdocs.structure.nav import Link

_PAGE = "explorer/ncsed_383/index.html"
_NAMED = re.compile(r"(?<!\[)\bexplorer of 381 repositories\b")


def on_files(files: Any, *, config: Any, **_: Any) -> Any:
    """Add the pages and their data, which lie in ``build/site/``, to the files of the site."""
    folder = Path(config.config_file_path).parents[2] / "build" / "site"
    for path in sorted((folder / _PAGE).parent.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            files.append(File(name, str(folder), config.site_dir, config.use_directory_urls))
    return files


def on_nav(nav: Any, *, files: Any, **_: Any) -> Any:
    """Add the explorer to the navigation, after the home page."""
    if files.get_file_from_path(_PAGE):
        nav.items.insert(1, Link("Explorer", _PAGE))
    return nav


def on_page_markdown(markdown: str, *, files: Any, **_: Any) -> str:
    """The text of a page with links to the explorer, which the repository's own files lack."""
    if not files.get_file_from_path(_PAGE):
        return markdown
    return _NAMED.sub(lambda found: f"[{found[0]}]({_PAGE})", markdown)
