"""An input or an artifact may not be read: one line, or a line of the ledger; then it may again.

The superuser reads everything, so as superuser the runs are started without its capabilities.
"""

import os
import shutil

from tests.faults.bench import Bench, PromiseError
from tests.faults.messages import has_line, logs_of, refuse_traceback

SOURCE = "resources/sample/repositories/*/*/**/*.java"
# A pattern per input and artifact, and whether a run may go on without it (with a ledger line).
FILES = {
    "source file": (SOURCE, True),
    "questions": ("resources/sample/questions.json", False),
    "posts": ("resources/sample/posts.xml", False),
    "list of repositories": ("resources/sample/repositories.csv", False),
    "corpus shard": ("data/sample/corpus/methods/*.parquet", False),
    "words": ("data/sample/words/*/words.tokens.npy", False),
    "judgements": ("data/sample/judgements/*.parquet", False),
    "dataset table": ("results/sample/table1.csv", False),
}


def inject(bench: Bench) -> None:
    """Each file in a folder where a run has finished, and the inputs also before any run."""
    if reason := why_rights_do_not_count():
        said = [f"left out: {reason}"]
        with bench.case("rights", "the superuser reads everything", said):
            return
    for name, (pattern, optional) in FILES.items():
        withhold(bench, name, pattern, whole=True, optional=optional)
    for name in ("source file", "questions"):
        pattern, optional = FILES[name]
        withhold(bench, name, pattern, whole=False, optional=optional)


def withhold(bench: Bench, name: str, pattern: str, *, whole: bool, optional: bool) -> None:
    """A run without rights to one file, then one with them."""
    case = f"{name}, {'after' if whole else 'before'} the first run"
    said: list[str] = []
    with bench.project("rights", whole=whole) as project, bench.case("rights", case, said):
        project.prefix = prefix_without_rights()
        path = bench.generator(f"rights {case}").choice(sorted(project.folder.glob(pattern)))
        file = str(path.relative_to(project.folder))
        if whole:
            project.forget_tables(but=path)
        mode = path.stat().st_mode
        path.chmod(0)
        try:
            done = project.run()
            output = done.output + logs_of(project)
        finally:
            path.chmod(mode)
        said.append(file)
        refuse_traceback(output, done)
        if done.status == 0:
            if not optional:
                raise PromiseError("the run succeeded")
            said.append("the run went on")
        elif not has_line(output, path.name, "ermission denied"):
            raise PromiseError(f"no line with the file and the reason: {done.tail()}")
        else:
            said.append("the run said so")
        bench.check(project, project.run())


def prefix_without_rights() -> list[str]:
    """What starts a command for which the rights of files count."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-all", "--"]


def why_rights_do_not_count() -> str:
    """Why a file cannot be kept from a run; empty where it can."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "setpriv is not installed"
    return ""
