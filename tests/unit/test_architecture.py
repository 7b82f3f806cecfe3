"""The floors of docs/architecture.md: a module imports only from floors below its own."""

import ast
from pathlib import Path

FLOORS = {
    room: floor
    for floor, rooms in enumerate(
        [
            ("errors", "stages", "text", "version"),
            ("artifacts", "languages"),
            ("configuration", "networks"),
            ("aroma", "functions", "posts", "run_control", "runs", "sources"),
            ("corpus",),
            ("archives", "comment_filter", "function_corpus", "indexes", "judge", "questions"),
            ("evaluation", "published_inputs", "structural_search"),
            ("pairs", "published"),
            (*("deepcs", "encoders", "haystacks", "micro_benchmark"), "training"),
            ("provenance", "rankers", "tables"),
            ("evidence", "experiment"),
            ("api",),
            # The names of the package, which are loaded when they are asked for.
            ("__init__",),
            ("cleaning", "codesearchnet", "exports", "own_code"),
            ("labels",),
            ("explorer",),
            ("cli",),
            ("__main__",),
        ]
    )
    for room in rooms
}


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
            if FLOORS[other] >= FLOORS[room]
        ]
    assert wrong == []


def test_files_stay_small(root: Path) -> None:
    large = {
        path.name: count
        for path in (root / "workflow").rglob("*.py")
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert large == {}
