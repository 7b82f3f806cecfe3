"""Where the published systems are listed."""

from __future__ import annotations

SYSTEMS_FILE = "table1_systems.csv"
"""The file that lists the systems."""

SYSTEM_COLUMNS = ("system", "trained_on", "file", "table", "row")
"""Its columns: a name, as in the score sheet where the system has one, and the printed row."""
