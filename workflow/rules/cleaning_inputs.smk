# What the rules of cleaning experiments share: paths, the runs that are asked for, input functions.
from functools import cache

CLEANING_NAMES = sorted(
    path.stem for path in (Path(workflow.basedir) / "config/cleaning").glob("*.yaml")
)
CLEANING_DATA = "data/{cleaning}"
CLEANING_SETTINGS = f"{CLEANING_DATA}/settings"
CLEANING_RESULTS = "results/{cleaning}"
CLEANING_MADE = f"{CLEANING_DATA}/results"
CLEANING_LOGS = f"{CLEANING_DATA}/logs"
CLEANING_FIGURES = f"{PUBLISHED}/nlqf_tables.csv"
CLEANING_MAIN_TABLES = ["table2", "table3", "table5", "table8"]
CLEANING_SHOWN = [
    *(f"table{number}.csv" for number in range(2, 9)),
    *("figure1.csv", "figure4.svg"),
]


def is_cleaning(rule):
    """Whether a rule is one of these experiments."""
    return rule.startswith("cleaning_")


def find_cleaning(targets):
    """The experiments that some of Snakemake's targets, rules or files, belong to."""
    parts = {part for target in targets for part in Path(target).parts}
    return [name for name in CLEANING_NAMES if name in parts]


def find_corpora(targets):
    """The runs of CodeSearchNet whose corpora the experiments among the targets read."""
    read = {
        corpus
        for name in find_cleaning(targets)
        for corpus in ask_cleaning(name, lambda one: one.corpora)
    }
    return sorted({*find_csn(targets), *read})


@cache
def cleaning_run(name):
    """The experiment of a name."""
    from ncsbench.cleaning.cleaning_run import CleaningRun
    from ncsbench.experiment.input_paths import WHERE, InputPaths

    inputs = InputPaths.parse(config.get("inputs") or {}, where=WHERE)
    root = Path(os.path.relpath(workflow.basedir))
    return CleaningRun(name, root, RUN.published, inputs)


def ask_cleaning(name, find):
    """What ``find`` finds of an experiment; a mistake ends in one line."""
    return end_at_mistake(lambda: find(cleaning_run(name)))


def of_cleaning(find):
    """An input function: what ``find`` finds of an experiment and of the other wildcards."""

    def find_inputs(wildcards):
        others = (one for name, one in wildcards.items() if name != "cleaning")
        return ask_cleaning(wildcards.cleaning, lambda one: find(one, *others))

    return find_inputs


def cleaning_published(one, benchmark):
    """Published inputs of a benchmark; a run that needs one that is no such ends here."""
    if IS_RUN:
        one.check()
    return ancient(one.list_published(benchmark))


def cleaning_extracted(one, benchmark):
    """The extracted shards of the corpus of a benchmark."""
    folder = one.find_java("benchmarks", benchmark, "extracted")
    shards = ask_csn(one.benchmarks[benchmark].corpus, lambda csn: csn.shards)
    return [f"{folder}/{shard}.parquet" for shard in shards]
