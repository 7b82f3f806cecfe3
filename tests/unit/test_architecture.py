"""The rooms of docs/architecture.md: what imports what, and how much lies in one folder."""

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

OUTSIDE = {"__init__", "__main__", "api", "errors", "stages", "version"}
"""Modules beside the rooms; those of ``BELOW`` are seen by every room."""
BELOW = {"errors", "stages", "version"}
ABOVE = {"api": ("cli",), "__main__": (), "__init__": ()}
"""Modules that see every room, with the rooms that see them."""


@pytest.fixture(scope="module")
def rooms(root: Path) -> list[str]:
    """The rooms from the first, which sees no other, to the last, by the page's table."""
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^\| \d+ \| `(\w+)` \|", page, re.MULTILINE)


@cache
def read_imports(library: Path) -> dict[str, set[str]]:
    """By module, the modules that it imports; names are dotted, without ``ncsbench``."""
    paths = {name_module(path, library): path for path in library.rglob("*.py")}
    imports = {}
    for name, path in paths.items():
        found = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ncsbench"):
                start = str(node.module).removeprefix("ncsbench").removeprefix(".")
                for alias in node.names:
                    full = f"{start}.{alias.name}".removeprefix(".")
                    found.add(full if full in paths else start)
            elif isinstance(node, ast.Import):
                named = [alias.name for alias in node.names if alias.name.startswith("ncsbench.")]
                found |= {one.removeprefix("ncsbench.") for one in named}
        imports[name] = found - {"", name}
    return imports


def name_module(path: Path, library: Path) -> str:
    parts = path.relative_to(library).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def test_the_page_lists_every_room_once(root: Path, rooms: list[str]) -> None:
    folders = {path.parent.name for path in (root / "workflow" / "ncsbench").glob("*/__init__.py")}
    assert sorted(rooms) == sorted(folders)
    modules = {path.stem for path in (root / "workflow" / "ncsbench").glob("*.py")}
    assert modules == OUTSIDE


def test_a_room_imports_only_from_rooms_before_it(root: Path, rooms: list[str]) -> None:
    allowed = {room: {*rooms[: i + 1], *BELOW} for i, room in enumerate(rooms)}
    allowed |= {name: {*rooms, *OUTSIDE} - set(over) - {name} for name, over in ABOVE.items()}
    allowed |= dict.fromkeys(BELOW, BELOW)
    for name, over in ABOVE.items():
        for room in over:
            allowed[room].add(name)
    wrong = [
        f"{module} imports {other}"
        for module, imported in sorted(read_imports(root / "workflow" / "ncsbench").items())
        for other in sorted(imported)
        if other.partition(".")[0] not in allowed[module.partition(".")[0]]
    ]
    assert wrong == []


def test_folders_of_a_room_do_not_import_each_other_in_a_circle(root: Path) -> None:
    uses = defaultdict(set)
    for module, imported in read_imports(root / "workflow" / "ncsbench").items():
        for other in imported:
            one, two = (".".join(name.split(".")[:2]) for name in (module, other))
            # Modules that lie in a room itself are shared by its folders and may use them.
            if module.count(".") > 1 and other.count(".") > 1 and one != two:
                uses[one].add(two)
    reached = {folder: set(used) for folder, used in uses.items()}
    for _ in reached:
        for found in reached.values():
            found.update(*(reached.get(one, set()) for one in found))
    assert [folder for folder, found in reached.items() if folder in found] == []


def test_a_folder_holds_at_most_twelve_modules_and_folders(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    folders = [path.parent for path in library.rglob("__init__.py")]
    assert max(len(folder.relative_to(library).parts) for folder in folders) == 2
    full = {}
    for folder in folders:
        inner = [path.parent.name for path in folder.glob("*/__init__.py")]
        modules = [path.stem for path in folder.glob("[!_]*.py")] if folder != library else []
        if len(inner) + len(modules) > 12:
            full[folder.name] = sorted([*inner, *modules])
        assert inner != [folder.name]
    assert full == {}


def test_each_package_says_what_belongs_elsewhere(root: Path) -> None:
    short = []
    for path in (root / "workflow" / "ncsbench").glob("*/**/__init__.py"):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if not 3 <= len(text.splitlines()) <= 6:
            short.append(str(path.parent))
    assert short == []


def test_unit_tests_lie_in_the_room_that_they_test(root: Path, rooms: list[str]) -> None:
    folders = {path.parent.name for path in (root / "tests" / "unit").glob("*/__init__.py")}
    assert sorted(folders) == sorted(rooms)


def test_files_stay_small(root: Path) -> None:
    large = {
        path.name: count
        for path in (root / "workflow").rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert large == {}
