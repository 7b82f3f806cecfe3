"""Configuration, paths and settings files; every rule file builds on these names.

A settings file holds what a stage was configured with, the code of a rule, or the state of a raw
input. It is written when the Snakefile is read and only where its content changes, so that a change
reruns what depends on it also in a checkout without Snakemake's own metadata.
"""

import os
import re
import sys
from pathlib import Path

WORKFLOW = Path(workflow.basedir) / "workflow"
sys.path.insert(0, str(WORKFLOW))
# Rules call the Python that runs Snakemake, also where its environment is not activated.
FOLDERS = [str(WORKFLOW / "bin"), str(Path(sys.executable).parent), *os.get_exec_path()]
os.environ.update(PATH=os.pathsep.join(FOLDERS))

from ncsbench.errors import NcsbenchError
from ncsbench.pipeline.evidence.evidence_files import TABLES as TABLES_OF_EVIDENCE
from ncsbench.pipeline.evidence.evidence_files import list_evidence
from ncsbench.pipeline.freshness.job_resources import (
    TABLE,
    JobResources,
    load_resources,
)
from ncsbench.pipeline.files.model_configuration import list_made
from ncsbench.pipeline.runs.run import load_run
from ncsbench.pipeline.trials.trials import QUESTION_PARTS, TRIALS
from ncsbench.pipeline.freshness import snakemake_private
from ncsbench.pipeline.freshness.stage_command import options
from ncsbench.base.text.safe_text import show_line

snakemake_private.keep_parsed(snakemake_private.STATE / "ncsbench.rules")
MODE = snakemake_private.find_mode(sys.argv[1:])
# Snakemake is making what is asked for: this is no job of it and no look.
IS_RUN = (
    snakemake_private.is_main_process(workflow) and MODE is snakemake_private.Mode.RUN
)
PUBLISHED = "config/published"
SOURCES = "data/sources"  # published inputs, which all datasets share
CHECKSUMS = "data/checksums"  # of artifacts and raw inputs; workflow/bin/ncsbench names it to them
SCORE_SHEET = f"{PUBLISHED}/score_sheet.csv"
PUBLISHED_FILES = [
    *("table1_systems", "ncsed_table1", "unif_table7"),
    *("ncs_2018", "ncs_2018_systems"),
]
COMPARISONS = [
    *("ablations.csv", "paired_differences.csv", "significance.csv"),
    *("score_sheet_agreement.csv", "flips.csv", "ncs_2018.csv"),
]
TABLES = [name for name in TABLES_OF_EVIDENCE if name != "table1.csv"]


def end_at_mistake(find, *arguments, **named):
    """What a function of the library returns; a mistake of the user ends the run in one line."""
    try:
        return find(*arguments, **named)
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")


# Unusable inputs and options end the run here, before anything is written.
RUN = end_at_mistake(load_run, config, root=Path(workflow.basedir))
RESOURCE_TABLE = end_at_mistake(load_resources, Path(workflow.basedir) / TABLE)
for notice in RUN.notices:
    print(f"ncsbench: {notice}", file=sys.stderr)

DATA, RESULTS = f"data/{RUN.dataset}", f"results/{RUN.dataset}"
# Word vectors, expansions, translations and weights; mostly those of the run.
TRAINED = f"data/{RUN.trained_in}"
SETTINGS, CORPUS = f"{DATA}/settings", f"{DATA}/corpus"
CANDIDATES = f"{DATA}/candidates"
HAYSTACKS = f"{DATA}/haystacks.parquet"
# Tables, what they are made with, and logs of jobs; a trial has its own, and shares all else.
OF_TRIAL = [TRIALS, RUN.trial] if RUN.trial else []
OF_PART = [QUESTION_PARTS, RUN.part] if RUN.part else []
OF_ALL = not (OF_TRIAL or OF_PART)
# Where there is evidence, the tables in results/ are made of it alone (evidence.smk).
EVIDENCE = {one.path: one.read_record() for one in list_evidence(Path("results"))}
HAS_EVIDENCE = Path(RESULTS, "evidence") in EVIDENCE
TABLES_OF_RUN = f"{DATA}/tables" if HAS_EVIDENCE and not RUN.trial else RESULTS
TABLE_FOLDER = os.path.join(TABLES_OF_RUN, *OF_TRIAL, *OF_PART)
# All questions, and those that tables are made of.
QUESTIONS = f"{DATA}/questions.parquet"
TABLE_QUESTIONS = f"{DATA}/parts/{RUN.part}.parquet" if RUN.part else QUESTIONS
TABLE_SETTINGS = os.path.join(SETTINGS, *OF_TRIAL)
LOGS = os.path.join(DATA, "logs", *OF_TRIAL)
CODE = f"{SETTINGS}/code"  # of each rule: it is repeated where its code is another
# What the fetching job leaves.
STORE = [f"{DATA}/store.json"] if RUN.archives else []
SHARDS = [f"{shard:04}" for shard in range(RUN.file.shards)]
JUDGE_INDEX, JUDGEMENTS = f"{DATA}/judge_index", f"{DATA}/judgements"
JUDGE_SHARDS = expand(f"{JUDGE_INDEX}/{{shard}}", shard=SHARDS)
MODELS = list(RUN.models)
# What the tables read: the rows, their replicates and their ablations; and the learning curves.
TABLE_RUNS = [*RUN.models, *RUN.variants.for_tables]
HAYSTACK_RUNS = [
    run
    for model, among in RUN.variants.haystacks.items()
    for run in [*among.values(), model]
]
INTERVALS = f"{DATA}/repository_intervals"
REPOSITORY_INTERVALS = expand(
    f"{INTERVALS}/{{model}}.csv",
    # A run made elsewhere is as deep as it is.
    model=(
        [name for name, model in RUN.models.items() if not model.given]
        if RUN.over_repositories and not RUN.part  # they are drawn with all questions
        else []
    ),
)
QUESTION_FILES = [name for name in RUN.inputs if name.startswith("questions-")]
GOLD_FILES = [name for name in RUN.inputs if name.startswith("gold-")]
# Tables by gold, of datasets that have some.
GOLD_TABLES = [
    f"{TABLE_FOLDER}/{name}"
    for name in (
        *("gold.csv", "gold_long.csv"),
        # What is compared question by question; with judges, a file of theirs has this name.
        "gold_per_question.parquet" if RUN.judged else "per_question.parquet",
    )
    if GOLD_FILES
]
TRAININGS = {
    name: f"{TRAINED}/trainings/{model.keys['training']}"
    for name, model in RUN.models.items()
    if model.keys.get("training")
}
ENVIRONMENTS = f"{workflow.basedir}/envs"  # one file for each kind of rule


RESOURCES = JobResources(
    RESOURCE_TABLE,
    manifest=Path(CORPUS) / "manifest.json",
    shards=RUN.file.shards,
    expected=len(RUN.source.repositories) * RESOURCE_TABLE.methods_per_repository,
    dump=RUN.file.posts.path if RUN.file.posts else None,
    parts=RUN.file.posts.parts if RUN.file.posts else 1,
)


def memory_of_job(wildcards, attempt, rulename):
    """Megabytes that a job asks for; more with every attempt."""
    dimension = dimension_of_job(wildcards)
    row = row_of_job(wildcards, rulename)
    return RESOURCES.find_megabytes(row, attempt=attempt, dimension=dimension)


def minutes_of_job(wildcards, attempt, rulename):
    """Minutes that a job asks a cluster for; on this machine none is stopped."""
    dimension = dimension_of_job(wildcards)
    row = row_of_job(wildcards, rulename)
    return RESOURCES.find_minutes(row, attempt=attempt, dimension=dimension)


def mean_time_of_job(wildcards, rulename):
    """Milliseconds that a job is expected to take, for ``ncsbench plan``."""
    row = row_of_job(wildcards, rulename)
    return RESOURCES.find_milliseconds(row, dimension=dimension_of_job(wildcards))[0]


def longest_time_of_job(wildcards, rulename):
    """Milliseconds that a job may take whose rule was not measured, for ``ncsbench plan``."""
    row = row_of_job(wildcards, rulename)
    return RESOURCES.find_milliseconds(row, dimension=dimension_of_job(wildcards))[1]


def expected_time_of_job(wildcards, rulename):
    """Milliseconds that a job may take, by which the time left of a run is reckoned.

    A rule that was not measured counts a twenty-fifth of its longest time, the median of this ratio
    among measured rules (config/resources.yaml).
    """
    if rulename not in RESOURCE_TABLE.rules:
        return 1
    longest = longest_time_of_job(wildcards, rulename)
    return mean_time_of_job(wildcards, rulename) or longest / 25


def disk_of_job(wildcards, rulename):
    """KiB that a job is expected to leave on the disk, for ``ncsbench plan``."""
    return RESOURCES.find_kibibytes(rulename, dimension=dimension_of_job(wildcards))


def row_of_job(wildcards, rulename):
    """The row of a job in config/resources.yaml: that of its rule, unless it encodes methods."""
    name = wildcards.get("model")
    index, searched = RUN.indexes.get(name), RUN.runs.get(name)
    if rulename == "index" and index and index.specification.kind == "encoder":
        return rulename if index.specification.options.get("vectors") else "encode"
    if rulename in ("retrieve", "retrieve_deep") and searched:
        if "encoder_rerank" in searched.specification.kinds:
            return "encode_candidates"
    return rulename


def dimension_of_job(wildcards):
    """Length of the word vectors that a job trains or works with; 0 where there are none."""
    name, key = wildcards.get("model"), wildcards.get("key")
    models = [
        index
        for index in RUN.indexes.values()
        if key and key in (index.keys.get("embedding"), index.keys.get("weights"))
    ]
    if name in RUN.index_of:
        models = list_made([RUN.index_of[name]])
    learns = [one.learns.embedding for one in models]
    return max((embedding.dimension for embedding in learns if embedding), default=0)


def one_of(names):
    """The pattern of a wildcard that has one of some names; of none where there are none."""
    return "|".join(sorted({name for name in names if name})) or "(?!)"


wildcard_constraints:
    shard=r"\d{4}",
    model=one_of(RUN.runs),
    key=r"[0-9a-f]{8}",


def reported(path, category, caption=None):
    """An output that ``snakemake --report`` shows."""
    caption = f"{workflow.basedir}/workflow/report/{caption or Path(path).stem}.rst"
    return report(path, caption=caption, category=category)


def states_of(*names, published=False):
    """States of raw inputs: they stand for the inputs, whose times count for nothing."""
    prefix = "published-" if published else ""
    return [f"{SETTINGS}/inputs/{prefix}{name}.json" for name in names]


def published_inputs(*names):
    """Those of the inputs of these names that rule published_input gets where they are absent.

    One with a known checksum is told by its state, so that getting it again repeats nothing.
    """
    paths = [RUN.inputs[name] for name in names]
    return [
        ancient(path) if RUN.published[path].sha256 else path
        for path in paths
        if path in RUN.published
    ]


def _first(files):
    return files if isinstance(files, str) else files[0]


def find_artifacts(name):
    """Folders of what a dataset or run made; what jobs said has no hash."""
    made = Path("data", name).glob("*")
    return [*(one for one in made if one.name != "logs"), Path("results", name)]
