"""What the rules of trees read: models that search for threads, features, judgements."""

from ncsbench.pairs.thread_parts import PARTS


def code_of_searcher(wildcards):
    """Code of the kinds of rankers that find candidates for threads."""
    return _code_of(SEARCHERS[wildcards.key])


def words_of_searcher(wildcards):
    """Words of the model that finds them."""
    return f"{DATA}/words/{SEARCHERS[wildcards.key].words_key}"


def index_of_searcher(wildcards):
    """Its index; one that is not trained without some threads is often that of another model."""
    return f"{DATA}/indexes/{RUN.index_of[SEARCHERS[wildcards.key].name].name}"


def parts_of_searcher(wildcards):
    """The indexes of its parts, and their words."""
    return _list_parts(RUN.index_of[SEARCHERS[wildcards.key].name])


def text_of_searcher(wildcards):
    """The methods, where a part of it reads their text."""
    return _methods() if SEARCHERS[wildcards.key].source_text else []


def features_of_trees(wildcards):
    """Features of the candidates of each part of the threads that trees are trained on."""
    return _of_searchers(wildcards, "features")


def judgements_of_trees(wildcards):
    """What the judge says of these candidates."""
    return _of_searchers(wildcards, "judgements")


def features_option(wildcards, input):
    """The command line options that name the features."""
    return " ".join(f"--features {path}" for path in input.features)


def judgements_option(wildcards, input):
    """The command line options that name the judgements."""
    return " ".join(f"--judgements {path}" for path in input.judgements)


def thread_part_option(wildcards, input):
    """The command line options that name the part of the threads that a model searches for."""
    return f"--thread-parts {input.thread_parts} --part {wildcards.part}"


def _of_searchers(wildcards, folder):
    model = next(
        index for index in RUN.indexes.values() if index.trees_key == wildcards.key
    )
    _end_without_packages(model)
    return [
        f"{THREADS}/{folder}/{searcher.candidates_key}/{part}.parquet"
        for part, searcher in model.searchers.items()
    ]
