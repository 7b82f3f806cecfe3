"""Figures in a light and a dark file follow the switch of the site, not the system's colours.

On GitHub ``<picture>`` chooses by the system; here the theme hides one image of two by the end of
its address.
"""

from __future__ import annotations

import re
from typing import Any

_PICTURE = re.compile(
    r'<picture><source media="\(prefers-color-scheme: dark\)" srcset="([^"#]+)">'
    r'<img alt="([^"\]]+)" src="([^"#]+)"></picture>'
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The text of a page with two images in place of each ``<picture>``."""
    return _PICTURE.sub(r"![\2](\3#only-light)![\2](\1#only-dark)", markdown)
