"""What the rules of the models read: words, vectors, weights, pairs, indexes."""

from ncsbench.pipeline.files.model_configuration import ModelArtifacts, count_threads
from ncsbench.pipeline.files.model_checks import check_packages

ARTIFACTS = ModelArtifacts(
    RUN.indexes, RUN.index_of, data=DATA, trained=TRAINED, code=CODE
)
METHODS = expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS)
# Sentence encoders need packages that no other ranker does.
KINDS = {kind for one in RUN.runs.values() for kind in one.specification.kinds}
RANKERS_ENVIRONMENT = (
    f"{ENVIRONMENTS}/{'encoder' if 'encoder' in KINDS else 'models'}.yaml"
)


def of_index(find):
    """An input function of rules that make an index: what belongs to its model."""
    return lambda wildcards: find(RUN.indexes[wildcards.model])


def of_run(find):
    """An input function of rules that search: what belongs to the row of the table."""
    return lambda wildcards: find(RUN.runs[wildcards.model])


def of_searched(find):
    """An input function of rules that search: what belongs to the model whose index it is."""
    return lambda wildcards: find(RUN.index_of[wildcards.model])


def own(kind, of):
    """An input function: what the model that learns something has of another kind."""
    return lambda wildcards: ARTIFACTS.own(kind, wildcards.key, of=of)


def pairs_of(kind):
    """An input function: the training pairs that something is learnt from."""
    return lambda wildcards: ARTIFACTS.pairs(kind, wildcards.key)


def threads_of(kind):
    """Threads of a training; one gives the same bytes on any number of cores."""
    return lambda wildcards: ARTIFACTS.threads(kind, wildcards.key)


def keys_of(kind):
    """The pattern of the wildcard ``key`` of what is learnt of a kind."""
    return one_of(ARTIFACTS.keys(kind))


def states_of_index(model):
    """States of raw inputs of an index; a run that lacks a package for it ends here."""
    made = os.path.exists(f"{DATA}/indexes/{model.name}")
    if IS_RUN and not made and not snakemake_private.makes_environments(workflow):
        end_at_mistake(check_packages, model)
    return states_of(*model.files)
