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


def list_cleaning(name):
    """Folders of what an experiment made."""
    made = (one for one in Path("data", name).glob("*"))
    return [
        *(one for one in made if one.name not in UNCHECKED),
        Path("results", name),
    ]


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
    try:
        return find(cleaning_run(name))
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")


def of_cleaning(find):
    """An input function of rules with the wildcard ``cleaning``."""
    return lambda wildcards: ask_cleaning(
        wildcards.cleaning, lambda one: find(one, wildcards)
    )


def cleaning_targets(name):
    """All that is made of an experiment."""
    return [f"results/{name}/{file}" for file in CLEANING_SHOWN]


def cleaning_states(*names):
    """States of raw inputs, which stand for them."""
    return [f"{CLEANING_SETTINGS}/inputs/{name}.json" for name in names]


def cleaning_guard(run, wildcards):
    """What no training may see: all benchmarks, and the states of evaluation questions."""
    folder = f"data/{run.name}"
    return [
        *(
            f"{folder}/benchmarks/{name}/{file}.parquet"
            for name in run.benchmarks
            for file in ("positives", "queries")
        ),
        *(
            f"{folder}/settings/inputs/questions-{number}.json"
            for number in range(len(run.questions))
        ),
    ]


def cleaning_benchmark_options(run, wildcards):
    """The command line options that name the benchmarks."""
    return [f"--benchmark data/{run.name}/benchmarks/{name}" for name in run.benchmarks]


def cleaning_question_options(run, wildcards):
    """The command line options that name files of evaluation questions."""
    return [f"--questions {path}" for path in run.questions]


def cleaning_published(run, wildcards):
    """Published inputs of a benchmark; a run that needs one that is no such ends here."""
    if (
        snakemake_private.is_main_process(workflow)
        and snakemake_private.find_mode(sys.argv[1:]) is snakemake_private.Mode.RUN
    ):
        run.check()
    return ancient(run.published_files(*run.inputs_of(wildcards.benchmark).values()))


def cleaning_benchmark_states(run, wildcards):
    """States of the inputs of a benchmark."""
    folder, name = f"data/{run.name}/settings/inputs", wildcards.benchmark
    return [f"{folder}/{name}-{key}.json" for key in run.inputs_of(name)]


def cleaning_corpus(blocks, wildcard):
    """An input function: the corpus of a source or benchmark, as the files that stand for it."""
    return of_cleaning(
        lambda run, wildcards: [
            f"{cleaning_java('corpus', run, blocks, wildcards, wildcard)}/{file}"
            for file in ("functions.parquet", "manifest.json", "ledger.parquet")
        ]
    )


def cleaning_java(kind, run, blocks, wildcards, wildcard):
    """The folder of the Java of a source or benchmark: its ``corpus``, or what was ``extracted``."""
    block = getattr(run, blocks, None) or getattr(run.file, blocks)
    return f"data/{block[getattr(wildcards, wildcard)].corpus}/{kind}/java"


def cleaning_extracted(run, wildcards):
    """The extracted shards of the corpus of a benchmark."""
    name = run.benchmarks[wildcards.benchmark].corpus
    return ask_csn(
        name,
        lambda csn: [
            f"data/{name}/extracted/java/{shard}.parquet" for shard in csn.shards
        ],
    )


def cleaning_raw(run, wildcards):
    """The raw pairs of all sources."""
    return [f"data/{run.name}/raw/{name}.parquet" for name in run.file.sources]


def cleaning_of_set(run, wildcards):
    """The pairs that a training set is taken of, by name of the option."""
    folder = f"data/{run.name}"
    return f"{folder}/{run.cells.pairs_of(wildcards.training_set)}"


@cache
def cleaning_unfinished(name):
    """By kind, the results that are made; others are committed in ``results/``."""
    cells = ask_cleaning(name, lambda one: one.cells)
    ranked = frozenset(cells.list_unfinished())
    return {
        "losses": frozenset(cells.list_unscored()),
        "sets": frozenset(cells.list_unrecorded()),
        "ranks": ranked,
        "cells": ranked,
    }


def cleaning_result(name, kind, file):
    """A file of the results: the committed one, else the one that a rule makes."""
    if Path(file).stem not in cleaning_unfinished(name)[kind]:
        return f"results/{name}/{kind}/{file}"
    return f"data/{name}/{'' if kind == 'sets' else 'results/'}{kind}/{file}"


def cleaning_losses_of(run, wildcards):
    """The losses that a training set is cut by, and their record, if it is."""
    settings = run.cells.sets[wildcards.training_set]
    if settings.options.cut is None:
        return []
    endings = (".parquet", ".json")
    return [
        cleaning_result(run.name, "losses", f"{settings.source}{one}")
        for one in endings
    ]


def cleaning_size_of(run, wildcards):
    """The training set that has as many pairs, if any."""
    other = run.cells.sets[wildcards.training_set].options.size_of
    return [f"data/{run.name}/sets/{other}.parquet"] if other else []


def cleaning_set_of(run, wildcards):
    """The training set of a cell."""
    return f"data/{run.name}/sets/{run.cells.cells[wildcards.cell].set}.parquet"


def cleaning_vocabulary(run, wildcards):
    """The raw pairs whose words all sets of a source share, if they do."""
    cell = run.cells.cells[wildcards.cell]
    source = run.cells.sets[cell.set].source
    shared = cell.vocabulary == "raw"
    return [f"data/{run.name}/raw/{source}.parquet"] if shared else []


def cleaning_steps_of(run, wildcards):
    """The training set whose number of steps a cell takes, if any."""
    other = run.cells.cells[wildcards.cell].steps_of
    return [f"data/{run.name}/sets/{other}.parquet"] if other else []


def cleaning_benchmark_files(run, wildcards):
    """All files of all benchmarks."""
    return [
        f"data/{run.name}/benchmarks/{name}/{file}.parquet"
        for name in run.benchmarks
        for file in ("positives", "queries", "distractors")
    ]


def cleaning_table_inputs(run, wildcards):
    """Ranks and records of the cells that a table shows, and records of their sets."""
    cells, name = run.cells.cells_of(wildcards.table), run.name
    return [
        *(cleaning_result(name, "ranks", f"{cell}.parquet") for cell in cells),
        *(cleaning_result(name, "cells", f"{cell}.json") for cell in cells),
        *(
            cleaning_result(name, "sets", f"{one}.json")
            for one in run.cells.sets_of(cells)
        ),
    ]


def cleaning_shown_set(larger):
    """An input function: the set that the whole filter keeps, of the first or the larger source."""
    return of_cleaning(
        lambda run, wildcards: [
            f"data/{run.name}/sets/{name}.parquet"
            for name in run.cells.find_filtered(larger=larger)
        ]
    )


def cleaning_shown_raw(larger):
    """An input function: the raw pairs that it is taken of."""
    return of_cleaning(
        lambda run, wildcards: (
            f"data/{run.name}/raw/{run.cells.find_source(larger=larger)}.parquet"
        )
    )


def cleaning_all_sets(run, wildcards):
    """All training sets."""
    return [f"data/{run.name}/sets/{name}.parquet" for name in run.cells.sets]


def cleaning_option(option, name):
    """A param: the command line option that names an input, the first of several, if any."""

    def find(wildcards, input):
        files = getattr(input, name)
        first = files if isinstance(files, str) else next(iter(files), "")
        return f"{option} {first}" if first else ""

    return find
