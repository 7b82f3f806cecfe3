"""Configuration, paths and settings files; every rule file builds on these names.

A settings file holds what a stage was configured with. It is written when the Snakefile is read
and only where its content changes, so that a change reruns what depends on it also in a checkout
without Snakemake's own metadata.
"""

import os
import sys
from pathlib import Path

WORKFLOW = Path(workflow.basedir) / "workflow"
sys.path.insert(0, str(WORKFLOW))
# Rules call the Python that runs Snakemake, also where its environment is not activated.
FOLDERS = [str(WORKFLOW / "bin"), str(Path(sys.executable).parent), *os.get_exec_path()]
os.environ.update(PATH=os.pathsep.join(FOLDERS))

from ncsbench.corpus.repositories import read_repositories
from ncsbench.errors import NcsbenchError
from ncsbench.evaluation.questions import read_questions
from ncsbench.models.registry import check_model
from ncsbench.pairs.options import PostOptions, read_options
from ncsbench.run_configuration import load_run
from ncsbench.selection.titles import rejecting_rule
from ncsbench.stackoverflow.settings import check_settings

try:
    RUN = load_run(config, root=Path(workflow.basedir))
    # Unusable inputs and options end the run here, before anything is written.
    for model in [*RUN.models.values(), *RUN.indexes.values()]:
        check_model(model.specification, model.embedding, model.expansion)
    read_repositories(Path(RUN.repositories))
    if RUN.posts:
        check_settings(RUN.posts)
        rejecting_rule("", RUN.selection["title_rules"])
    for options in RUN.pairs.values():
        if options["kind"] == "posts":
            read_options({**options, "site": ""}, PostOptions)
    if not RUN.questions_are_selected:
        read_questions([Path(path) for path in RUN.questions])
except NcsbenchError as error:
    sys.exit(f"ncsbench: error: {error}")
for model, reason in RUN.left_out.items():
    print(f"ncsbench: {model} is left out: {reason}", file=sys.stderr)

DATA, RESULTS = f"data/{RUN.dataset}", f"results/{RUN.dataset}"
SETTINGS, CORPUS, LOGS = f"{DATA}/settings", f"{DATA}/corpus", f"{DATA}/logs"
SHARDS = [f"{shard:04}" for shard in range(RUN.shards)]
JUDGE_INDEX = expand(f"{DATA}/judge_index/{{shard}}", shard=SHARDS)
MODELS = list(RUN.models)
ENVIRONMENT = f"{workflow.basedir}/envs/ncsbench.yaml"

RUN.write_settings(Path("data"))


wildcard_constraints:
    shard=r"\d{4}",
    model=r"[A-Za-z0-9_-]+",
    key=r"[0-9a-f]{8}",


def words_of_model(wildcards):
    """Words of a row of the table, shared by all models with the same word options."""
    return f"{DATA}/words/{RUN.models[wildcards.model].words_key}"


def index_of_model(wildcards):
    """Index of a row of the table; a model that orders another one's candidates uses its index."""
    return f"{DATA}/indexes/{RUN.models[wildcards.model].indexed.name}"


def words_of_index(wildcards):
    """Words that an index is made from."""
    return f"{DATA}/words/{RUN.indexes[wildcards.model].words_key}"


def embedding_of_index(wildcards):
    """Embedding that an index is made from; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].embedding_key
    return f"{DATA}/embeddings/{key}" if key else []


def embedding_option(wildcards, input):
    """The command line option that names the embedding."""
    return f"--embedding {input.embedding}" if input.embedding else ""


def expansion_of_index(wildcards):
    """Table of expansions that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].expansion_key
    return f"{DATA}/expansions/{key}.parquet" if key else []


def expansion_option(wildcards, input):
    """The command line option that names the table of expansions."""
    return f"--expansion {input.expansion}" if input.expansion else ""


def pairs_of_expansion(wildcards):
    """The training pairs a table of expansions is made from."""
    users = [
        index for index in RUN.indexes.values() if index.expansion_key == wildcards.key
    ]
    return f"{DATA}/pairs/{users[0].expansion['pairs']}.parquet"


def matches_option(wildcards, input):
    """The command line option that names the best matches of the corpus."""
    return f"--matches {input.matches}" if input.matches else ""


def words_of_embedding(wildcards):
    """The words an embedding is trained on."""
    users = [
        index for index in RUN.indexes.values() if index.embedding_key == wildcards.key
    ]
    return f"{DATA}/words/{users[0].words_key}"


def users_option(wildcards, input):
    """The command line option that names the authors."""
    return f"--users {input.users}" if input.users else ""


def input_folder(name):
    """A param: the folder of the (first) input file of this name."""
    return lambda wildcards, input: os.path.dirname(_first(getattr(input, name)))


def parts_folder(name):
    """A param: the folder that holds the folders of parts."""
    return lambda wildcards, input: os.path.dirname(
        os.path.dirname(_first(getattr(input, name)))
    )


def output_folder(name):
    """A param: the folder of the output file of this name."""
    return lambda wildcards, output: os.path.dirname(_first(getattr(output, name)))


def _first(files):
    return files if isinstance(files, str) else files[0]
