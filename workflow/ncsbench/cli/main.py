"""The command ``ncsbench``: one group of commands per stage, errors in one line."""

from __future__ import annotations

import contextlib
import io
import logging
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Annotated

import typer

from ncsbench.artifacts.corpus_stamps import one_corpus
from ncsbench.cli import (
    clean,
    cleaning,
    codesearchnet,
    codesearchnet_systems,
    compare,
    corpus,
    evidence,
    explorer,
    export,
    haystacks,
    judge,
    judge_study,
    labels,
    learning_curves,
    micro_benchmark,
    own_code,
    pairs,
    posts,
    provenance,
    published,
    published_inputs,
    questions,
    rankers,
    runs,
    tables,
    training,
)
from ncsbench.errors import NcsbenchError
from ncsbench.run_control.run_lock import end_with_run
from ncsbench.text.safe_text import show_line

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from ncsbench.version import __version__

        typer.echo(f"ncsbench {__version__}")
        raise typer.Exit


@app.callback()
def show_version(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Reproducible evaluation of neural code search, one command per stage."""


GROUPS = (
    *(corpus, posts, questions, pairs, training, rankers),
    *(judge, judge_study, published, tables, learning_curves, micro_benchmark),
    *(
        codesearchnet,
        codesearchnet_systems,
        haystacks,
        provenance,
        published_inputs,
        runs,
        export,
        labels,
    ),
    explorer,
    evidence,
    clean,
    cleaning,
)
for group in GROUPS:
    app.add_typer(
        group.app, name=group.__name__.rsplit(".", 1)[-1].replace("_", "-"), no_args_is_help=True
    )

for command in (
    *(own_code.index, own_code.search, own_code.similar),
    *(compare.compare, evidence.evaluate, provenance.explain),
):
    app.command()(command)

_DEBUG = "--debug"


def main() -> None:
    """Run the command line; exit with 1 after a user's mistake, with 2 after a wrong call.

    A reader who leaves, as ``head`` does, ends it quietly, with the code of a death by SIGPIPE.
    """
    end_with_run()
    if isinstance(sys.stdout, io.TextIOWrapper):  # what the terminal cannot show is escaped
        sys.stdout.reconfigure(errors="backslashreplace")
    arguments = [argument for argument in sys.argv[1:] if argument != _DEBUG]
    debug = len(arguments) < len(sys.argv) - 1
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneSafeLine())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    started = time.monotonic()
    try:
        with one_corpus():
            app(args=arguments, prog_name="ncsbench")
    except (NcsbenchError, OSError) as error:  # OSError: a full disk, a file without rights
        if debug:
            traceback.print_exc()
        _say(f"ncsbench: error: {show_line(str(error))}")
        sys.exit(1)
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # where typer and rich exit with 1
            sys.exit(128 + signal.SIGPIPE)
        if not end.code and "--output" in arguments and not sys.stderr.isatty():
            _log_usage(time.monotonic() - started)
        raise
    except Exception as error:
        from ncsbench.rankers.own_faults import describe_fault

        fault = None if debug else describe_fault(error)
        if fault is None:
            raise
        _say(f"ncsbench: error: {show_line(fault)}")
        sys.exit(1)


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr, flush=True)  # noqa: T201
    except OSError:  # a log on the disk that is full: what runs the job shows the other stream
        print(line, flush=True)  # noqa: T201


class _OneSafeLine(logging.Formatter):
    """Messages name files and users of others, which must not act on a terminal.

    Rules show lines with ``warning:`` on the console (``rules/common.smk``).
    """

    def format(self, record: logging.LogRecord) -> str:
        level = "warning: " if record.levelno == logging.WARNING else ""
        return show_line(f"{record.name}: {level}{record.getMessage()}")


def _log_usage(seconds: float) -> None:
    """Record what the command and its children took; for logs, not for people at a terminal.

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
    """Bytes that the process and its children handed to the system to write; 0 where unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = Path("/proc/self/io").read_text(encoding="ascii")
        return int(text.split("wchar:")[1].split()[0])
    return 0


if __name__ == "__main__":
    main()
