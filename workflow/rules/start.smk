"""The start of a run; included last, when the code of every rule is known."""

import atexit
import time

from ncsbench.pipeline.evidence.evidence_files import EvidenceFolder, check_at_hand
from ncsbench.pipeline.trials.trials import check_targets
from ncsbench.pipeline.freshness.code_imports import keep_syntax
from ncsbench.pipeline.freshness.progress import list_errors
from ncsbench.pipeline.freshness.job_server import forget_server, start_server
from ncsbench.pipeline.freshness.run_start import start_run

# No rule says what its jobs ask for: config/resources.yaml does.
snakemake_private.give_resources(
    workflow,
    RESOURCE_TABLE.rules,
    {
        "mem_mb": memory_of_job,
        "runtime": minutes_of_job,
        "expected_ms": mean_time_of_job,
        "longest_ms": longest_time_of_job,
        "disk_kib": disk_of_job,
    },
)
STARTED = time.time()

if snakemake_private.is_main_process(workflow):
    os.environ.update(NCSBENCH_CHECKSUMS=CHECKSUMS)
    snakemake_private.announce_rebuilding(sys.argv[1:])
    HELD_BACK = snakemake_private.show_jobs(
        sys.argv[1:], workflow, expected_time_of_job
    )
    try:
        targets = snakemake_private.find_targets(sys.argv[1:])
        check_targets(
            targets,
            dataset=RUN.dataset,
            trial=RUN.trial,
            part=RUN.part,
            judged=RUN.judged,
        )
        check_at_hand(targets, map(EvidenceFolder, EVIDENCE))
        rules = snakemake_private.read_rules(workflow)
        library = WORKFLOW / "ncsbench"
        with keep_syntax(snakemake_private.STATE / "ncsbench.syntax"):
            settings = RUN.describe(rules=choose_rules(rules), library=library)
            for kind, name in find_named(targets):
                one = named_run(kind, name)
                settings |= one.describe(choose_rules(rules, kind), library)
                for notice in one.notices:
                    print(f"ncsbench: {notice}", file=sys.stderr)
        LOCK = start_run(
            settings,
            mode=MODE,
            data=Path("data"),
            artifacts=[
                *find_artifacts(RUN.dataset),
                Path(SOURCES),
                *Path("results").glob("*.*"),
                Path("data/configured.json"),
                *(one for name in NAMES_OF_RUNS for one in find_artifacts(name)),
            ],
        )
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")
    if LOCK is None:
        print(
            "ncsbench: another run works in this folder, so no settings are written: what follows goes"
            " by those that are there, and fails where a new file has none; ask again at its end",
            file=sys.stderr,
        )
    if MODE is snakemake_private.Mode.RUN:
        snakemake_private.end_on_sigterm()
        SERVER = start_server(snakemake_private.STATE, "ncsbench.cli.serving")
else:
    forget_server()  # it belongs to the machine of the main process


# Snakemake shows the logs of failed jobs amid much else, or not at all (``--quiet``). Why they failed
# is said once more when it has said all, so that the last lines are those that help.
onerror:
    folders = [
        *(Path(LOGS), Path("data/logs")),
        *(Path("data", name, "logs") for name in NAMES_OF_RUNS),
    ]
    lines = list_errors(folders, since=STARTED) or HELD_BACK
    atexit.register(
        print, *lines, sep="\n", end="\n" * bool(lines), file=sys.stderr
    )
