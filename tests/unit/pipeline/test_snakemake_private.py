"""What Snakemake does not document and is used here is still there, and used in one module."""

import atexit
import inspect
import logging
import re
from pathlib import Path
from threading import Lock, Semaphore
from types import SimpleNamespace
from typing import Any

import pytest
import snakemake.io
import snakemake.jobs
import snakemake.persistence
from snakemake.cli import get_argument_parser
from snakemake.dag import DAG
from snakemake.persistence.file import FilePersistence
from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake.settings.types import DeploymentMethod, DeploymentSettings
from snakemake.workflow import Workflow
from snakemake_interface_logger_plugins.common import LogEvent

from ncsbench.base.files.hashes import FOLDER_FLAG
from ncsbench.pipeline.freshness import snakemake_private
from ncsbench.pipeline.provenance import job_graph
from tests.patience import LONGEST

PRIVATE = re.compile(
    r"is_main_process|deployment_settings|workflow\.rules|\.shellcmd|conda_env|get_argument_parser|['\"]locks['\"]"
    r"|import snakemake\b|from snakemake|\.snakemake_timestamp"
)


def test_options_of_the_command_line_have_their_names() -> None:
    known = {action.dest for action in get_argument_parser()._actions}
    used = {
        *snakemake_private.LOOKS,
        "executor",
        "touch",
        "configfile",
        "config",
        "targets",
        "quiet",
    }
    assert used - known == set()


class Line:
    """A line that keeps what was reported to it."""

    def __init__(self) -> None:
        self.reports: list[tuple[str, int, int, float]] = []

    def __call__(self, what: str, done: int, total: int, share: float) -> None:
        self.reports.append((what, done, total, share))


class MadeUpDag:
    """Four jobs, the first of which takes as long as the others together."""

    def __init__(self) -> None:
        rules = ["long", "short", "short", "short"]
        self.left = [
            SimpleNamespace(jobid=n, rule=SimpleNamespace(name=name), wildcards=None)
            for n, name in enumerate(rules)
        ]

    def needrun_jobs(self) -> list[SimpleNamespace]:
        return self.left


def test_a_quiet_run_reports_jobs_and_the_share_of_their_expected_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line, dag = Line(), MadeUpDag()
    monkeypatch.setattr(snakemake_private, "begin_line", lambda: line)
    logger = logging.getLogger("snakemake.logging")
    filters, level = list(logger.filters), logger.level
    logger.setLevel(logging.INFO)
    expected = {"long": 6.0, "short": 2.0}
    try:
        snakemake_private.show_jobs(
            ["--quiet"], SimpleNamespace(dag=dag), lambda wildcards, rule: expected[rule]
        )
        for rule, ended in (("long", 0), ("short", 1), ("short", 1)):
            dag.left = dag.left[ended:]
            logger.info("", extra={"event": "job_info", "rule_name": rule})
        logger.info("Select jobs to execute...")
    finally:
        logger.filters = filters
        logger.setLevel(level)
    assert line.reports == [
        ("long, jobs", 0, 4, 0.0),
        ("short, jobs", 1, 4, 0.5),
        ("short, jobs", 2, 4, pytest.approx(8 / 12)),
    ]


def test_snakemake_logs_each_job_that_begins_with_its_rule() -> None:
    source = inspect.getsource(snakemake.jobs.Job.log_info)
    assert "event=LogEvent.JOB_INFO" in source and "rule_name=self.rule.name" in source
    assert LogEvent.JOB_INFO.value == "job_info"
    assert "exclude_finished=True" in str(inspect.signature(DAG.needrun_jobs))


@pytest.mark.parametrize(("option", "shown"), [("--quiet", 2), ("--cores=1", 4)])
def test_a_quiet_run_keeps_rounds_and_failed_jobs_from_the_console(
    option: str, shown: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snakemake_private, "begin_line", Line)
    logger, handler = logging.getLogger("snakemake.logging"), caplog.handler
    logger.addHandler(handler)
    filters, of_logger = list(handler.filters), list(logger.filters)
    try:
        held = snakemake_private.show_jobs([option], None, lambda wildcards, rule: 1)
        for level, text in (
            (logging.INFO, "Select jobs to execute..."),
            (logging.INFO, "Nothing to be done (all is there)."),
            (logging.ERROR, "RuleException:\nCalledProcessError in file"),
            (logging.ERROR, "MissingInputException in rule a"),
        ):
            handler.handle(logging.LogRecord("snakemake", level, "", 0, text, None, None))
    finally:
        logger.removeHandler(handler)
        handler.filters, logger.filters = filters, of_logger
    assert len(caplog.records) == shown
    assert held == (["RuleException:\nCalledProcessError in file"] if shown == 2 else [])


def test_a_workflow_says_whether_jobs_have_environments_of_their_own() -> None:
    assert "deployment_settings" in inspect.signature(Workflow).parameters
    for methods, makes in ((frozenset[str](), False), ({DeploymentMethod.CONDA}, True)):
        settings = DeploymentSettings(deployment_method=methods)
        told: Any = SimpleNamespace(deployment_settings=settings)
        assert snakemake_private.makes_environments(told) is makes


@pytest.mark.parametrize("output", ["data/a", "data/" + 200 * "ü"])
def test_records_lie_where_they_are_looked_for(output: str, tmp_path: Path) -> None:
    persistence = FilePersistence.__new__(FilePersistence)
    persistence._max_len = 255
    place = Path(persistence._record_path(str(tmp_path), output))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("{}")
    assert [name for name, _ in job_graph._find_records(tmp_path)] == [output]


def test_sigterm_ends_a_run_that_selects_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JobScheduler, "exit_gracefully", JobScheduler.exit_gracefully)
    scheduler = JobScheduler.__new__(JobScheduler)
    scheduler._lock, scheduler._open_jobs = Lock(), Semaphore(0)
    snakemake_private.end_on_sigterm()
    with scheduler._lock:
        scheduler.exit_gracefully(15, None)  # as the handler does in the thread that has the lock
    assert scheduler._open_jobs.acquire(timeout=LONGEST)
    assert scheduler._user_kill == "graceful"


def test_kept_rule_files_are_what_snakemake_makes_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, kept = tmp_path / "a.smk", tmp_path / "kept"
    module: Any = inspect.getmodule(Workflow)
    parse, at_end = module.parse, list[Any]()
    monkeypatch.setattr(atexit, "register", at_end.append)
    of: Any = SimpleNamespace(sourcecache=SimpleNamespace(open=lambda file: file.path.open()))
    file: Any = SimpleNamespace(path=rules, get_path_or_uri=lambda secret_free: str(rules))

    def read(parse: Any, rulecount: int = 0) -> Any:
        lines: dict[int, int] = {}
        return parse(file, of, linemap=lines, rulecount=rulecount), lines

    def read_kept(parsed: int, rulecount: int = 0) -> None:
        calls: list[Any] = []

        def count(*given: Any) -> Any:
            calls.append(given)
            return parse(*given)

        monkeypatch.setattr(module, "parse", count)
        snakemake_private.keep_parsed(kept)
        assert read(module.parse, rulecount) == read(parse, rulecount)
        assert len(calls) == parsed
        at_end.pop()()

    rules.write_text("rule a:\n    output:\n        'b',\n\n\nC = 1\n")
    read_kept(1)
    read_kept(0)
    read_kept(1, rulecount=7)
    rules.write_text("rule a:\n    output:\n        'c',\n")
    read_kept(1)
    kept.write_bytes(kept.read_bytes()[:-9])
    read_kept(1)
    read_kept(0)


def test_records_and_files_have_their_names() -> None:
    fields = set(job_graph._Record.model_fields)
    assert fields <= set(snakemake.persistence.MetadataRecord.model_fields)
    source = inspect.getsource(FilePersistence)
    for path in (snakemake_private.LOCKS, job_graph.FOLDER):
        assert path.parent == snakemake_private.STATE
        assert f'self.path, "{path.name}")' in source
    assert f'"{FOLDER_FLAG}"' in inspect.getsource(snakemake.io)


def test_no_other_module_uses_what_snakemake_does_not_document(root: Path) -> None:
    """But for its records, and a file name that jobs know."""
    paths = [*(root / "workflow").rglob("*.py"), *(root / "workflow").rglob("*.smk")]
    using = {
        path.name
        for path in paths
        if PRIVATE.search(
            re.sub(r"snakemake_private\.\w+|import snakemake_private", "", path.read_text())
        )
    }
    assert using == {"snakemake_private.py", "job_graph.py", "hashes.py"}
