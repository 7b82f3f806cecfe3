"""Files of data that a page loads as scripts: a page opened from a disk may read no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write_script(folder: Path, name: str, value: Any) -> None:
    """Write ``data/<name>.js``, which hands a value to the page under this name.

    Args:
        folder: of the page.
        name: letters, digits and ``-``.
        value: JSON, without NaN; no key is a text of others.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    path = folder / "data" / f"{name}.js"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(f"ncsbench.receive({json.dumps(name)},{text});\n".encode())
