"""Undocumented parts of Snakemake that are used here; a test names them all.

Two more are used elsewhere: ``ncsbench.pipeline.provenance.job_graph`` reads Snakemake's records
of jobs, and jobs know the file that Snakemake leaves in folders that a rule makes (``FOLDER_FLAG``
of ``ncsbench.base.files.hashes``).
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import logging
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Container, Mapping, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

from ncsbench.base.files.temporary_files import temporary_path
from ncsbench.pipeline.freshness.progress import begin_line
from ncsbench.pipeline.freshness.rule_code import RuleCode

STATE = Path(".snakemake")
"""Snakemake's own folder."""
LOCKS = STATE / "locks"
"""Snakemake's lock files of a running run, which remain after a run was killed."""

_MOST_PARSED = 200
"""Largest number of parsed rule files that are kept; each edit of a file adds one."""


class Mode(Enum):
    """The kind of a call of Snakemake."""

    RUN = "make what is asked for"
    LOOK = "say what would be done, or something about the workflow"
    TOUCH = "take the artifacts for made as they lie there"


LOOKS = (
    *("dryrun", "lint", "report", "summary", "detailed_summary", "dag", "rulegraph", "filegraph"),
    *("d3dag", "unlock", "list_rules", "list_target_rules", "containerize", "cleanup_metadata"),
    *("list_changes", "list_input_changes", "list_params_changes", "list_untracked"),
    *("list_conda_envs", "archive", "export_cwl", "generate_unit_tests"),
)

_OF_FAILED_JOBS = ("RuleException", "Exiting because a job", "WorkflowError:\nAt least one job")
"""Beginnings of messages that only say that jobs failed, and with which command."""


def find_mode(arguments: Sequence[str]) -> Mode:
    """Read the mode from Snakemake's arguments, since the Snakefile is read before it is known."""
    given = _parse(tuple(arguments))
    looks = any(getattr(given, name, None) not in (None, False) for name in LOOKS)
    if looks or given.executor == "dryrun":  # a dry run that touches touches nothing
        return Mode.LOOK
    return Mode.TOUCH if given.touch or given.executor == "touch" else Mode.RUN


def find_targets(arguments: Sequence[str]) -> list[str]:
    """Return the rules and files that Snakemake's arguments ask for; empty for the default."""
    return sorted(map(str, _parse(tuple(arguments)).targets))


def announce_rebuilding(arguments: Sequence[str]) -> None:
    """Put into the environment the command that makes an artifact again, for jobs' messages.

    The name of the artifact is put behind the command.
    """
    given = _parse(tuple(arguments))
    command = ["snakemake", "--cores", "all"]
    for option, values in (("--configfile", given.configfile), ("--config", given.config)):
        if values:
            command += [option, *map(str, values)]
    os.environ["NCSBENCH_REBUILD"] = f"{shlex.join(command)} --"


def is_main_process(workflow: Any) -> bool:
    """Say whether a workflow is read by Snakemake itself and not by one of its jobs."""
    return bool(workflow.is_main_process)


def makes_environments(workflow: Any) -> bool:
    """Say whether jobs run in environments that Snakemake makes; these may have other packages."""
    return bool(workflow.deployment_settings.deployment_method)


def read_rules(workflow: Any) -> dict[str, RuleCode]:
    """Return the rules of a workflow that run a shell command, by name."""
    return {
        rule.name: RuleCode(rule.shellcmd, rule.conda_env and Path(rule.conda_env))
        for rule in workflow.rules
        if rule.shellcmd
    }


def give_resources(
    workflow: Any, names: Container[str], functions: Mapping[str, Callable[..., int]]
) -> None:
    """Let the jobs of rules ask for resources, where ``--set-resources`` does not name them.

    Args:
        workflow: the workflow with all its rules.
        names: names of the rules.
        functions: functions that Snakemake calls for each job, by name of the resource.
    """
    from snakemake.resources import Resources

    chosen = workflow.resource_settings._parsed_overwrite_resources
    for rule in workflow.rules:
        if rule.name in names:
            own = chosen.get(rule.name, {})
            free = {name: function for name, function in functions.items() if name not in own}
            rule.resources.update(Resources.from_mapping(free))


def end_on_sigterm() -> None:
    """Make SIGTERM end a run at any moment.

    Snakemake's handler takes a lock that the interrupted code may hold, as while jobs are selected:
    the run would wait for itself for ever. In a thread of its own the handler waits for that code
    instead.
    """
    from snakemake.scheduling.job_scheduler import JobScheduler

    end = JobScheduler.exit_gracefully

    def end_in_thread(scheduler: JobScheduler, *_: object) -> None:
        Thread(target=end, args=(scheduler,)).start()

    JobScheduler.exit_gracefully = end_in_thread


def keep_parsed(path: Path) -> None:
    """Keep the Python code that Snakemake makes of each rule file, for later processes.

    Making it takes longer than running it. The file's bytes say which code is meant, with its path
    and the number of rules before it, which are in the code. A damaged file, and one of another
    Snakemake or Python, is passed over; a file that cannot be written is no mistake.
    """
    from snakemake import __version__, workflow

    parse, known = workflow.parse, {}
    versions = f"{__version__} {sys.version}"
    with contextlib.suppress(OSError, ValueError):
        checksum, _, text = path.read_bytes().partition(b"\n")
        if checksum == _check(versions, text):
            known = json.loads(text)
    before = set(known)

    def parse_once(
        file: Any,
        of: Any,
        linemap: dict[int, int],
        overwrite_shellcmd: Any = None,
        rulecount: int = 0,
    ) -> Any:
        name = file.get_path_or_uri(secret_free=True)
        if not Path(name).is_file():
            return parse(file, of, linemap, overwrite_shellcmd, rulecount)
        key = f"{name} {rulecount} {overwrite_shellcmd} {_check('', Path(name).read_bytes())!r}"
        if key not in known:
            code, count = parse(file, of, linemap, overwrite_shellcmd, rulecount)
            known[key] = code, count, list(linemap.items())
        code, count, lines = known[key]
        linemap.update(lines)
        return code, count

    def keep() -> None:
        text = json.dumps(dict(list(known.items())[-_MOST_PARSED:])).encode()
        with contextlib.suppress(OSError):
            temporary = temporary_path(path)
            temporary.write_bytes(_check(versions, text) + b"\n" + text)
            temporary.replace(path)

    workflow.parse = parse_once
    atexit.register(lambda: keep() if set(known) > before else None)


def _check(versions: str, text: bytes) -> bytes:
    return hashlib.sha256(versions.encode() + text).hexdigest().encode()


def show_jobs(
    arguments: Sequence[str], workflow: Any, expect: Callable[[Any, str], float]
) -> list[str]:
    """Show one line about the jobs of a run, with ``--quiet``, and not that rounds or jobs failed.

    Args:
        arguments: Snakemake's arguments.
        workflow: the workflow with all its rules.
        expect: function that gives the expected time of a job by its wildcards and its rule's name.

    Returns:
        The messages about failed jobs; the list grows while the run goes on.
    """
    held, times = list[str](), dict[int, float]()

    def passes(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if text.startswith(_OF_FAILED_JOBS):
            held.append(text)
            return False
        return record.levelno > logging.INFO or text.startswith("Nothing to be done")

    def note(record: logging.LogRecord) -> bool:
        if getattr(record, "event", "") == "job_info":  # a quiet run does not log that jobs end
            left = {job.jobid: job for job in workflow.dag.needrun_jobs()}
            new = left.keys() - times.keys()
            times.update({one: expect(left[one].wildcards, left[one].rule.name) for one in new})
            share = 1 - sum(times[number] for number in left) / (sum(times.values()) or 1)
            line(f"{vars(record)['rule_name']}, jobs", len(times) - len(left), len(times), share)
        return True

    kinds = {one.name for one in _parse(tuple(arguments)).quiet or ()}
    if "PROGRESS" in kinds and find_mode(arguments) is Mode.RUN:
        logger, line = logging.getLogger("snakemake.logging"), begin_line()
        for handler in logger.handlers:
            if not isinstance(handler, logging.FileHandler):  # the log has all
                handler.addFilter(passes)
        logger.addFilter(note)
    return held


@cache
def _parse(arguments: tuple[str, ...]) -> Namespace:
    from snakemake.cli import get_argument_parser

    given: Namespace = get_argument_parser().parse_known_args(arguments)[0]
    return given
