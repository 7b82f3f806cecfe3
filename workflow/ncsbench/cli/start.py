"""The start of ``ncsbench``: errors in one line, safe messages, used time and memory in logs."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import NoReturn

from ncsbench.base.configuration.missing_packages import name_missing
from ncsbench.base.files.corpus_stamps import one_corpus
from ncsbench.base.files.run_lock import end_with_run
from ncsbench.base.text.safe_text import show_line
from ncsbench.errors import NcsbenchError

_DEBUG = "--debug"


def main() -> None:
    """Run the command line; exit with 1 after a user's mistake, with 2 after a wrong call.

    Where the reader of the output leaves, as ``head`` does, the command ends quietly, with the code
    of a death by SIGPIPE.
    """
    end_with_run()
    # Else pydantic reads the metadata of every installed package, a fiftieth of a second a start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    if isinstance(sys.stdout, io.TextIOWrapper):  # what the terminal cannot show is escaped
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = [argument for argument in sys.argv[1:] if argument != _DEBUG]
    debug = len(arguments) < len(sys.argv) - 1
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneSafeLine())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    started = time.monotonic()
    try:
        with one_corpus(), name_missing():
            _run(arguments)
    except (NcsbenchError, OSError) as error:  # OSError: a full disk, a file without rights
        if debug:
            traceback.print_exc()
        _say(f"ncsbench: error: {show_line(str(error))}")
        sys.exit(1)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # where typer and rich exit with 1
            sys.exit(128 + signal.SIGPIPE)
        if not end.code and not sys.stderr.isatty() and _is_job(arguments):
            _log_usage(time.monotonic() - started)
        raise
    except Exception as error:
        from ncsbench.rankers.registry import describe_fault

        fault = None if debug else describe_fault(error)
        if fault is None:
            raise
        _say(f"ncsbench: error: {show_line(fault)}")
        sys.exit(1)


def _run(arguments: list[str]) -> NoReturn:
    """Run a stage, or a command for people, whose parser takes long to import."""
    if arguments[:1] == ["stage"]:
        from ncsbench.pipeline.freshness.stage_command import run_stage

        run_stage(arguments[1:])
        sys.exit()
    from ncsbench.cli.main import app

    app(args=arguments, prog_name="ncsbench")
    sys.exit()


def _is_job(arguments: list[str]) -> bool:
    return "--output" in arguments or (arguments[:1] == ["stage"] and "--help" not in arguments)


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)  # noqa: T201
    except OSError:  # a log on a full disk: the caller of the job shows the other stream
        print(line, flush=True)  # noqa: T201


class _OneSafeLine(logging.Formatter):
    """Formatter of log messages: one line each, made safe for a terminal.

    Messages have names from files of others, which must not act on a terminal. Rules show lines
    with ``warning:`` on the console (``rules/common.smk``).
    """

    def format(self, record: logging.LogRecord) -> str:
        level = "warning: " if record.levelno == logging.WARNING else ""
        return show_line(f"{record.name}: {level}{record.getMessage()}")


def _log_usage(seconds: float) -> None:
    """Log the time and memory that the command and its children took; not shown at a terminal.

    Snakemake's benchmark samples too seldom to see a peak, and does not see jobs that are forks.
    """
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    processor = sum(one.ru_utime + one.ru_stime for one in used)
    logging.getLogger("usage").info(
        "seconds=%.1f peak_mib=%d children_peak_mib=%d processor_seconds=%.1f written_mib=%.1f",
        seconds,
        *(one.ru_maxrss // 1024 for one in used),
        processor,
        _count_written() / 2**20,
    )


def _count_written() -> int:
    """Count bytes that the process and its children wrote through the system; 0 where unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = Path("/proc/self/io").read_text(encoding="ascii")
        return int(text.split("wchar:")[1].split()[0])
    return 0


if __name__ == "__main__":
    main()
