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
os.environ["PATH"] = os.pathsep.join(
    [str(Path(sys.executable).parent), os.environ["PATH"]]
)

from ncsbench.corpus.repositories import read_repositories
from ncsbench.errors import NcsbenchError
from ncsbench.evaluation.questions import read_questions
from ncsbench.run_configuration import load_run

try:
    RUN = load_run(config, root=Path(workflow.basedir))
    # Unusable inputs end the run here, before anything is written.
    read_repositories(Path(RUN.repositories))
    read_questions([Path(path) for path in RUN.questions])
except NcsbenchError as error:
    sys.exit(f"ncsbench: error: {error}")

NCSBENCH = f"PYTHONPATH='{WORKFLOW}' PYTHONHASHSEED=0 python -m ncsbench"
DATA, RESULTS = f"data/{RUN.dataset}", f"results/{RUN.dataset}"
SETTINGS, CORPUS, LOGS = f"{DATA}/settings", f"{DATA}/corpus", f"{DATA}/logs"
SHARDS = [f"{shard:04}" for shard in range(RUN.shards)]
MODELS = list(RUN.models)
ENVIRONMENT = f"{workflow.basedir}/envs/ncsbench.yaml"

RUN.write_settings(Path("data"))


wildcard_constraints:
    shard=r"\d{4}",
    model=r"[A-Za-z0-9_-]+",
    key=r"[0-9a-f]{8}",


def words_folder(wildcards):
    """Words of a model, shared by all models with the same word options."""
    return f"{DATA}/words/{RUN.models[wildcards.model].words_key}"


def embedding_folder(wildcards):
    """Embedding of a model, shared by all with the same options; nothing where it needs none."""
    key = RUN.models[wildcards.model].embedding_key
    return f"{DATA}/embeddings/{key}" if key else []


def embedding_option(wildcards, input):
    """The command line option that names a model's embedding."""
    return f"--embedding {input.embedding}" if input.embedding else ""


def embedding_words(wildcards):
    """The words an embedding is trained on."""
    users = [
        model for model in RUN.models.values() if model.embedding_key == wildcards.key
    ]
    return f"{DATA}/words/{users[0].words_key}"
