"""An explorer of made-up data as it lies on the disk."""

from __future__ import annotations

from pathlib import Path

from ncsbench.apps.explorer.explorer_folder import copy_page
from ncsbench.apps.explorer.question_files import write_script
from tests.browser.made_up_data import data_files


def write_explorer(folder: Path) -> None:
    """The page of the package, and the made-up data."""
    copy_page(folder)
    for name, value in data_files().items():
        write_script(folder, name, value)
