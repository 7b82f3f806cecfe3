# What the rules of CodeSearchNet share: paths, the runs that are asked for, input functions.
from functools import cache

CSN_NAMES = sorted(
    path.stem
    for path in (Path(workflow.basedir) / "config/codesearchnet").glob("*.yaml")
)
CSN_DATA = "data/{csn}"
CSN_SETTINGS = f"{CSN_DATA}/settings"
CSN_EXTRACTED = f"{CSN_DATA}/extracted/{{language}}"
CSN_CORPUS = f"{CSN_DATA}/corpus/{{language}}"
CSN_LOGS = [Path("data", name, "logs") for name in CSN_NAMES]
CSN_RESULTS = "results/{csn}"
CSN_TRAINED = f"{CSN_DATA}/systems/{{system}}"
CSN_MADE = f"{CSN_DATA}/results"


def is_csn(rule):
    """Whether a rule is one of these runs."""
    return rule.startswith("csn_")


def find_csn(targets):
    """The runs that some of Snakemake's targets, rules or files, belong to."""
    parts = {part for target in targets for part in Path(target).parts}
    return [name for name in CSN_NAMES if name in parts]


@cache
def csn_run(name):
    """The run of CodeSearchNet of a name."""
    from ncsbench.codesearchnet.csn_run import CsnRun

    return CsnRun(name, Path(os.path.relpath(workflow.basedir)), RUN.published)


def ask_csn(name, find):
    """What ``find`` finds of a run; a mistake ends in one line."""
    return end_at_mistake(lambda: find(csn_run(name)))


def of_csn(find):
    """An input function of rules with the wildcard ``csn``."""
    return lambda wildcards: ask_csn(wildcards.csn, lambda csn: find(csn, wildcards))


def csn_states(one, wildcards):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    if IS_RUN:
        one.check(wildcards.language)
    folder = f"data/{one.name}/settings/inputs"
    return [f"{folder}/{wildcards.language}/{name}.json" for name in ("list", "source")]


def csn_results(kind, ending, choices=False):
    """An input function: files of a kind of the runs of all systems, and of choices if wanted."""
    return of_csn(
        lambda one, wildcards: one.systems.list_results(kind, ending, choices=choices)
    )


CSN_CORPORA = of_csn(
    lambda one, wildcards: [
        f"{folder}/{file}"
        for folder in one.corpora.values()
        for file in ("functions.parquet", "manifest.json")
    ]
)
# States stand for the annotations and queries, whose times count for nothing.
CSN_CHALLENGE = of_csn(
    lambda one, wildcards: [
        *(f"data/{one.name}/settings/inputs/{key}.json" for key in one.challenge),
        *ancient(one.published_files),
    ]
)
CSN_CHALLENGE_OPTIONS = {
    key: of_csn(lambda one, wildcards, key=key: one.challenge[key])
    for key in ("annotations", "queries")
}
CSN_CORPORA_OPTION = of_csn(lambda one, wildcards: one.corpora)
# Printed figures stand beside the published annotations alone.
CSN_PRINTED = of_csn(
    lambda one, wildcards: (
        [f"{PUBLISHED}/codesearchnet_tables.csv"] if one.is_published else []
    )
)
