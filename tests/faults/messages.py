"""What a run that could not go on says: lines of its terminal and of the logs of its jobs."""

import re
from pathlib import Path

from tests.faults.bench import PromiseError
from tests.faults.project import Finished, Project

TRACEBACK = "Traceback (most recent call last)"
REBUILD = "rebuild it: "
COMMAND = re.compile(r"rebuild it: (.+?)(?:  |; or|; if| \(|$)", re.MULTILINE)


def find_command(done: Finished, file: str) -> str:
    """The command that a failed run prints for a damaged file, to be called as it stands.

    Raises:
        PromiseError: when the run succeeded, or says nothing of the file, or prints a traceback.
    """
    if done.status == 0:
        raise PromiseError("the run succeeded")
    refuse_traceback(done.output, done)
    lines = [line for line in done.output.splitlines() if file in line and REBUILD in line]
    if not lines:
        raise PromiseError(f"no line names the file and a command: {done.tail()}")
    found = COMMAND.search(lines[0])
    if found is None:
        raise PromiseError(f"no command in: {lines[0]}")
    return found.group(1).strip()


def call_command(project: Project, done: Finished, file: str, said: list[str]) -> None:
    """Call the command that a failed run prints for a damaged file; it is added to ``said``.

    Raises:
        PromiseError: as `find_command`, or when the command fails.
    """
    said.append(find_command(done, file))
    rebuilt = project.call(said[-1])
    if rebuilt.status != 0:
        raise PromiseError(f"the printed command ended with {rebuilt.status}: {rebuilt.tail()}")


def refuse_traceback(output: str, done: Finished) -> None:
    """``PromiseError`` where a traceback was printed."""
    if TRACEBACK in output:
        raise PromiseError(f"a traceback: {done.tail()}")


def has_line(output: str, *words: str) -> bool:
    """Whether one line has all the words."""
    return any(all(word in line for word in words) for line in output.splitlines())


def logs_of(project: Project) -> str:
    """What the jobs wrote to their logs."""
    files = sorted(Path(project.folder, "data").rglob("*.log"))
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
