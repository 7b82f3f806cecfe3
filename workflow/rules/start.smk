"""The start of a run; included last, when the code of every rule is known."""

from ncsbench.fingerprints import Fingerprints
from ncsbench.run_configuration import RuleCode
from ncsbench.run_start import announce_rebuilding, find_mode, start_run

UNCHECKED = ("logs", "benchmarks")

if workflow.is_main_process:
    os.environ.update(NCSBENCH_CHECKSUMS=CHECKSUMS)
    announce_rebuilding(sys.argv[1:])
    fingerprints = Fingerprints(Path(f"data/fingerprints/{RUN.dataset}.json"))
    try:
        settings = RUN.describe(
            fingerprints=fingerprints,
            rules={
                one.name: RuleCode(one.shellcmd, one.conda_env and Path(one.conda_env))
                for one in workflow.rules
                if one.shellcmd
            },
            library=WORKFLOW / "ncsbench",
        )
        LOCK = start_run(
            settings,
            mode=find_mode(sys.argv[1:]),
            data=Path("data"),
            # Snakemake writes logs and benchmarks itself.
            artifacts=[
                *(one for one in Path(DATA).glob("*") if one.name not in UNCHECKED),
                Path(RESULTS),
                *Path("results").glob("*.*"),
                Path("data/configured.json"),
            ],
        )
        fingerprints.save()
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")
    if LOCK is None:
        print("ncsbench: another run works here: its settings stay", file=sys.stderr)
