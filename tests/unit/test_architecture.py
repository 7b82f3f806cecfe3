"""The floors of docs/architecture.md: a module imports only from floors below its own."""

import ast
from pathlib import Path

FLOORS = {
    "errors": 0, "storage": 0, "records": 0, "configuration": 0, "safe_text": 0,
    "checksums": 0, "temporary_files": 0, "fingerprints": 0, "run_lock": 0, "run_start": 0,
    "code_tracing": 0, "syntax_hashing": 0,
    "languages": 1, "run_configuration": 1,
    "corpus": 2, "judge": 2, "evaluation": 2, "stackoverflow": 2,
    "models": 3, "pairs": 3, "selection": 3,
    "tables": 4, "provenance": 4,
    "cli": 5, "__main__": 6, "__init__": 0,
}  # fmt: skip


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            if node.module == "ncsbench":
                # A name of the package itself is not a room.
                names = [f"ncsbench.{name.name}" for name in node.names if name.name in FLOORS]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("ncsbench.")}
    return rooms


def test_modules_import_only_from_floors_below(root: Path) -> None:
    library = root / "workflow" / "ncsbench"
    wrong = []
    for path in sorted(library.rglob("*.py")):
        room = path.relative_to(library).parts[0].removesuffix(".py")
        wrong += [
            f"{path.relative_to(library)} imports {other}"
            for other in sorted(imported_rooms(path) - {room})
            if FLOORS[other] >= FLOORS[room] and not FLOORS[other] == FLOORS[room] == 0
        ]
    assert wrong == []


def test_files_stay_small(root: Path) -> None:
    large = {
        path.name: count
        for path in (root / "workflow").rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 320
    }
    assert large == {}
