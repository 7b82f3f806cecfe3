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
import snakemake.persistence
from snakemake.cli import get_argument_parser
from snakemake.persistence.file import FilePersistence
from snakemake.scheduling.job_scheduler import JobScheduler
from snakemake.settings.types import DeploymentMethod, DeploymentSettings
from snakemake.workflow import Workflow

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


@pytest.mark.parametrize(("option", "shown"), [("--quiet", 2), ("--cores=1", 4)])
def test_a_quiet_run_keeps_rounds_and_failed_jobs_from_the_console(
    option: str, shown: int, caplog: pytest.LogCaptureFixture
) -> None:
    logger, handler = logging.getLogger("snakemake.logging"), caplog.handler
    logger.addHandler(handler)
    filters = list(handler.filters)
    try:
        held = snakemake_private.hold_back([option])
        for level, text in (
            (logging.INFO, "Select jobs to execute..."),
            (logging.INFO, "Nothing to be done (all is there)."),
            (logging.ERROR, "RuleException:\nCalledProcessError in file"),
            (logging.ERROR, "MissingInputException in rule a"),
        ):
            handler.handle(logging.LogRecord("snakemake", level, "", 0, text, None, None))
    finally:
        logger.removeHandler(handler)
        handler.filters = filters
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
