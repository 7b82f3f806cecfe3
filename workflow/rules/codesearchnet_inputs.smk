# What the rules of CodeSearchNet share: paths, the runs that are asked for, input functions.
from functools import cache
from ncsbench.run_control.ranker_code import name_code

CSN_NAMES = sorted(
    path.stem
    for path in (Path(workflow.basedir) / "config/codesearchnet").glob("*.yaml")
)
CSN_DATA = "data/{csn}"
CSN_SETTINGS = f"{CSN_DATA}/settings"
CSN_EXTRACTED = f"{CSN_DATA}/extracted/{{language}}"
CSN_CORPUS = f"{CSN_DATA}/corpus/{{language}}"
CSN_LOGS = [Path("data", name, "logs") for name in CSN_NAMES]
CSN_FIGURES = f"{PUBLISHED}/codesearchnet_tables.csv"
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


def list_csn(name):
    """Folders of what a run made."""
    made = (one for one in Path("data", name).glob("*"))
    return [*(one for one in made if one.name not in UNCHECKED), Path("results", name)]


@cache
def csn_run(name):
    """The run of CodeSearchNet of a name."""
    from ncsbench.codesearchnet.csn_run import CsnRun

    return CsnRun(name, Path(os.path.relpath(workflow.basedir)), RUN.published)


def ask_csn(name, find):
    """What ``find`` finds of a run; a mistake ends in one line."""
    try:
        return find(csn_run(name))
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")


def of_csn(find):
    """An input function of rules with the wildcard ``csn``."""
    return lambda wildcards: ask_csn(wildcards.csn, lambda csn: find(csn, wildcards))


def csn_targets(name):
    """An input function: all that is made of a run."""
    return lambda wildcards: ask_csn(
        name,
        lambda csn: [
            *(
                f"data/{name}/corpus/{language}/manifest.json"
                for language in csn.file.languages
            ),
            f"results/{name}/table1.csv",
            f"results/{name}/table2.csv",
            *(
                f"results/{name}/{table}.csv"
                for table in ("table3", "table4")
                if csn.file.systems
            ),
            *([f"results/{name}/csn_choices.csv"] if csn.file.choices else []),
        ],
    )


def csn_states(run, wildcards):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    mode = snakemake_private.find_mode(sys.argv[1:])
    if (
        snakemake_private.is_main_process(workflow)
        and mode is snakemake_private.Mode.RUN
    ):
        run.check(wildcards.language)
    folder = f"data/{run.name}/settings/inputs"
    return [f"{folder}/{wildcards.language}/{name}.json" for name in ("list", "source")]


def csn_shards(ending):
    """An input function: the extracted shards of a language."""
    return of_csn(
        lambda run, wildcards: [
            f"data/{run.name}/extracted/{wildcards.language}/{shard}{ending}"
            for shard in run.shards
        ]
    )


def csn_figures(run, wildcards):
    """The printed figures, which stand beside the published annotations alone."""
    return [CSN_FIGURES] if run.is_published else []


def csn_figures_option(wildcards, input):
    """The command line option that names them."""
    return f"--published {input.figures}" if input.figures else ""


@cache
def csn_unfinished(name):
    """The runs whose results are made; those of others are committed in ``results/``."""
    return frozenset(ask_csn(name, lambda csn: csn.systems.list_unfinished()))


def csn_result(name, kind, system, ending):
    """A file of the results of a run: the committed one, else the one that a rule makes."""
    made = "data/{}/results" if system in csn_unfinished(name) else "results/{}"
    return f"{made.format(name)}/{kind}/{system}{ending}"


def csn_pools_of(run, wildcards):
    """What is searched: committed, and taken while all rankings are."""
    kept = f"results/{run.name}/pools.parquet"
    made = csn_unfinished(run.name) or not Path(kept).exists()
    return f"data/{run.name}/results/pools.parquet" if made else kept


def csn_language_options(run, wildcards):
    """The command line options that name the languages of a run."""
    return [f"--language {one}" for one in run.file.languages]


def csn_corpora(run, wildcards):
    """The corpora of a run, as the files that stand for them."""
    return [
        f"data/{run.name}/corpus/{language}/{file}"
        for language in run.file.languages
        for file in ("functions.parquet", "manifest.json")
    ]


def csn_training_of(run, wildcards):
    """What the training of a system made, if anything trains it."""
    folder = f"data/{run.name}/systems/{wildcards.system}"
    trainer = run.systems.runs[wildcards.system].trainer
    if trainer == "encoder":
        return [f"{folder}/encoder", f"{folder}/record"]
    if trainer == "unif":
        return [
            f"{folder}/unif/{language}/{part}"
            for language in run.file.languages
            for part in ("weights", "record")
        ]
    return []


def csn_training_option(wildcards, input):
    """The command line options that name what was trained."""
    trained = next(iter(input.trained), "")
    if Path(trained).name == "encoder":
        return f"--encoder {trained}"
    return f"--unif {Path(trained).parent.parent}" if trained else ""


def csn_ranker_code(run, wildcards):
    """The code of a system's ranker."""
    kinds = run.systems.runs[wildcards.system].model.specification.kinds
    folder = f"data/{run.name}/settings/code"
    return [f"{folder}/{name_code(kind)}.json" for kind in kinds]


def csn_results_of(kind, ending, choices=False):
    """An input function: files of one kind of the runs of all systems, and of choices if wanted."""
    return of_csn(
        lambda run, wildcards: [
            csn_result(run.name, kind, name, ending)
            for name in run.systems.names
            if choices or name not in run.file.choices
        ]
    )
