# What rules of CodeSearchNet and of cleaning experiments share: paths, the runs that are asked for, input functions.
# A run of these is named by its file, and read where one of its files is asked for; targets need no --config.
from functools import cache

# Of each kind, which is a wildcard and begins the names of its rules.
NAMED = {
    kind: sorted(path.stem for path in (Path(workflow.basedir) / folder).glob("*.yaml"))
    for kind, folder in (
        ("cleaning", "config/cleaning"),
        ("csn", "config/codesearchnet"),
    )
}
# Runs on released zips, from which no rule extracts functions.
CSN_OF_ZIPS = [
    name
    for name in NAMED["csn"]
    if re.search(
        "^released:",
        (Path(workflow.basedir) / f"config/codesearchnet/{name}.yaml").read_text(),
        re.MULTILINE,
    )
]
NAMES_OF_RUNS = sorted({name for names in NAMED.values() for name in names})
CSN_DATA = "data/{csn}"
CSN_SETTINGS = f"{CSN_DATA}/settings"
CSN_EXTRACTED = f"{CSN_DATA}/extracted/{{language}}"
CSN_CORPUS = f"{CSN_DATA}/corpus/{{language}}"
CSN_RESULTS = "results/{csn}"
CSN_TRAINED = f"{CSN_DATA}/systems/{{system}}"
CSN_MADE = f"{CSN_DATA}/results"
CLEANING_DATA = "data/{cleaning}"
CLEANING_SETTINGS = f"{CLEANING_DATA}/settings"
CLEANING_RESULTS = "results/{cleaning}"
CLEANING_MADE = f"{CLEANING_DATA}/results"
CLEANING_LOGS = f"{CLEANING_DATA}/logs"
CLEANING_FIGURES = f"{PUBLISHED}/nlqf_tables.csv"


@cache
def named_run(kind, name):
    """The run of a kind and name."""
    if kind == "csn":
        from ncsbench.pipeline.runs.csn_run import CsnRun as Run
    else:
        from ncsbench.pipeline.runs.cleaning_run import CleaningRun as Run
    from ncsbench.pipeline.files.input_paths import WHERE, InputPaths

    inputs = InputPaths.parse(config.get("inputs") or {}, where=WHERE)
    return Run(name, Path(os.path.relpath(workflow.basedir)), RUN.published, inputs)


def ask_named(kind, name, find):
    """What ``find`` finds of a run; a mistake ends in one line."""
    return end_at_mistake(lambda: find(named_run(kind, name)))


def of_named(find):
    """An input function: what ``find`` finds of the run in the wildcards, and of these."""

    def find_inputs(wildcards):
        kind = next(kind for kind in NAMED if kind in wildcards.keys())
        return ask_named(kind, wildcards[kind], lambda one: find(one, wildcards))

    return find_inputs


def find_named(targets):
    """Kinds and names of the runs that some of Snakemake's targets belong to, or that these read."""
    parts = {part for target in targets for part in Path(target).parts}
    asked = [
        (kind, name) for kind, names in NAMED.items() for name in names if name in parts
    ]
    read = [("csn", corpus) for one in asked for corpus in named_run(*one).corpora_of]
    return list(dict.fromkeys([*asked, *read]))


def choose_rules(rules, kind=""):
    """The rules of a kind of runs; without one, those of datasets."""
    begins = {name: name.partition("_")[0] for name in rules}
    return {
        name: rule
        for name, rule in rules.items()
        if begins[name] == kind or not (kind or begins[name] in NAMED)
    }


# A name of both kinds is refused where a file of its cleaning experiment is asked for.
for _name, _kind in {name: kind for kind in NAMED for name in NAMED[kind]}.items():

    rule:
        name:
            _name
        input:
            lambda wildcards, kind=_kind, name=_name: ask_named(
                kind, name, lambda one: one.targets
            ),
        localrule: True


def csn_states(one, at):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    if IS_RUN:
        one.check(at.language)
    names = ("zip",) if one.zips else ("list", "source")
    return one.list_states(*(f"{at.language}/{name}" for name in names))


def csn_results(kind, ending, choices=False):
    """An input function: files of a kind of the runs of all systems, and of choices if wanted."""
    return of_named(lambda one, at: one.list_results(kind, ending, choices=choices))


CSN_CORPORA = of_named(
    lambda one, at: [
        f"{folder}/{file}"
        for folder in one.corpora.values()
        for file in ("functions.parquet", "manifest.json")
    ]
)
# States stand for the annotations and queries, whose times count for nothing.
CSN_CHALLENGE = of_named(
    lambda one, at: [
        *one.list_states("annotations", "queries"),
        *ancient(one.list_published("annotations", "queries")),
    ]
)
CSN_CHALLENGE_OPTIONS = {
    key: of_named(lambda one, at, key=key: one.raw_inputs[key])
    for key in ("annotations", "queries")
}
CSN_CORPORA_OPTION = of_named(lambda one, at: one.corpora)
# Printed figures stand beside the published annotations alone.
CSN_PRINTED = of_named(
    lambda one, at: (
        [f"{PUBLISHED}/codesearchnet_tables.csv"] if one.is_published else []
    )
)


def cleaning_inputs(one, at):
    """States of the inputs of a benchmark, and published ones, which must be as they should."""
    if IS_RUN:
        one.check_inputs()
    names = one.names_of(at.benchmark)
    return [*one.list_states(*names), *ancient(one.list_published(*names))]


def cleaning_extracted(one, at):
    """The extracted shards of the corpus of a benchmark."""
    corpus = one.benchmarks[at.benchmark].corpus
    return ask_named("csn", corpus, lambda csn: csn.list_extracted("java"))
