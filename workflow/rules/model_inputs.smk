"""What the rules of the models read: words, vectors, weights, pairs, indexes."""

from ncsbench.pipeline.files.model_configuration import ModelArtifacts, count_threads
from ncsbench.rankers.learnt_kinds import LEARNT
from ncsbench.pipeline.files.model_checks import check_packages

ARTIFACTS = ModelArtifacts(
    RUN.indexes, RUN.index_of, data=DATA, trained=TRAINED, code=CODE
)
METHODS = expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS)
# Sentence encoders need packages that no other ranker does.
KINDS = {kind for one in RUN.runs.values() for kind in one.specification.kinds}
RANKERS_ENVIRONMENT = f"{ENVIRONMENTS}/{'encoder' if KINDS & {'encoder', 'encoder_rerank'} else 'models'}.yaml"


def of_index(find):
    """An input function of rules that make an index: what belongs to its model."""
    return lambda wildcards: find(RUN.indexes[wildcards.model])


def of_run(find):
    """An input function of rules that search: what belongs to the row of the table."""
    return lambda wildcards: find(RUN.runs[wildcards.model])


def of_searched(find):
    """An input function of rules that search: what belongs to the model whose index it is."""
    return lambda wildcards: find(RUN.index_of[wildcards.model])


def learnt_from(kind):
    """Named inputs of what learns a kind: its settings, and all that it is learnt from."""
    learnt = LEARNT[kind]
    settings = f"{SETTINGS}/{learnt.place_settings('{key}')}"
    return {
        **({"settings": settings} if learnt.settings else {}),
        **{name: one_learnt_from(kind, name) for name in learnt.learnt_from},
    }


def one_learnt_from(kind, name):
    """An input function: one thing that a kind is learnt from."""
    return lambda wildcards: ARTIFACTS.learnt_from(kind, wildcards.key, name)


def made_of(kind):
    """Named outputs of what learns a kind: a folder or a file, and for some a record."""
    path = f"{DATA}/{LEARNT[kind].place.format('{key}')}"
    record = {"record": directory(f"{DATA}/trainings/{{key}}")}
    return {
        "output": path if Path(path).suffix else directory(path),
        # What tables read. What is trained itself is not versioned: indexes alone read it.
        **(record if LEARNT[kind].recorded else {}),
    }


def threads_of(kind):
    """Threads of a training; one gives the same bytes on any number of cores."""
    return lambda wildcards: ARTIFACTS.threads(kind, wildcards.key)


def states_of_index(model):
    """States of raw inputs of an index; a run that lacks a package for it ends here."""
    return states_of_ranker(model, f"{DATA}/indexes/{model.name}")


def states_of_run(model):
    """States of raw inputs of a search; a run that lacks a package for it ends here."""
    return states_of_ranker(model, f"{RESULTS}/runs/{model.name}.trec.gz")


def states_of_ranker(model, made):
    if (
        IS_RUN
        and not snakemake_private.makes_environments(workflow)
        and not os.path.exists(made)
    ):
        end_at_mistake(check_packages, model)
    return states_of(*model.files)
