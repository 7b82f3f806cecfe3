"""What the rules of the models read: words, vectors, weights, pairs, indexes."""

from ncsbench.experiment.model_checks import check_packages
from ncsbench.run_control.ranker_code import name_code

# Sentence encoders need packages that no other ranker does.
RANKERS_ENVIRONMENT = "{}/{}.yaml".format(
    ENVIRONMENTS,
    (
        "encoder"
        if any("encoder" in one.specification.kinds for one in RUN.runs.values())
        else "models"
    ),
)


def words_of_model(wildcards):
    """Words of a row of the table, shared by all models with the same word options."""
    return f"{DATA}/words/{RUN.runs[wildcards.model].words_key}"


def index_of_model(wildcards):
    """Index of a row of the table; models that differ in their queries alone share one."""
    return f"{DATA}/indexes/{RUN.index_of[wildcards.model].name}"


# Where what is learnt lies, by its key; and the block of a model that says how it is learnt.
LEARNT = {
    "embedding": "embeddings/{}",
    "expansion": "expansions/{}.parquet",
    "translation": "translations/{}",
    "weights": "weights/{}",
    "query_vectors": "query_vectors/{}",
    "encoder": "encoders/{}",
    "field_encoder": "field_encoders/{}",
}
BLOCKS = {"weights": "training", "query_vectors": "training"}


def learnt(kind):
    """An input function: what of a kind an index is made with; nothing where it needs none."""
    return lambda wildcards: path_of(kind, RUN.indexes[wildcards.model])


def path_of(kind, index):
    """Where what an index has of a kind lies."""
    key = getattr(index, f"{kind}_key")
    return f"{TRAINED}/{LEARNT[kind].format(key)}" if key else []


def learner(kind, key):
    """The first model that has what is learnt of this kind and key."""
    indexes = RUN.indexes.values()
    return next(index for index in indexes if getattr(index, f"{kind}_key") == key)


def keys_of(kind):
    """The pattern of the wildcard ``key`` of what is learnt of a kind."""
    return one_of(getattr(index, f"{kind}_key") for index in RUN.indexes.values())


def options_of(kind):
    """A function of wildcards: how what has the wildcard ``key`` is learnt."""
    block = BLOCKS.get(kind, kind)
    return lambda wildcards: getattr(learner(kind, wildcards.key), block)


def pairs_of(kind):
    """An input function: the training pairs that something is learnt from."""
    paths = f"{DATA}/pairs/{{name}}.parquet"
    return lambda wildcards: expand(paths, name=options_of(kind)(wildcards).pairs)


def threads_of(kind):
    """Threads of a training; one gives the same bytes on any number of cores."""
    return lambda wildcards: options_of(kind)(wildcards).threads


def own(kind, of):
    """An input function: what a model that learns something else learns it from."""
    return lambda wildcards: path_of(of, learner(kind, wildcards.key))


def words_of_embedding(wildcards):
    """The words an embedding is trained on."""
    return f"{DATA}/words/{learner('embedding', wildcards.key).words_key}"


def base_of_index(wildcards):
    """The index of its base that an index refers to; nothing for most."""
    return _base_of(RUN.indexes[wildcards.model])


def base_of_model(wildcards):
    """The same for the index that a row of the table searches."""
    return _base_of(RUN.index_of[wildcards.model])


def _base_of(index):
    referred = index.referred
    return f"{DATA}/indexes/{RUN.index_of[referred.name].name}" if referred else []


def parts_of_index(wildcards):
    """The indexes of all parts of a model with parts, and their words; nothing for most."""
    return _list_parts(RUN.indexes[wildcards.model])


def parts_of_model(wildcards):
    """The same for the index that a row of the table searches."""
    return _list_parts(RUN.index_of[wildcards.model])


def _list_parts(index):
    parts = [part for one in list_made([index]) for part in one.parts.values()]
    paths = [(_index_of_part(part), f"{DATA}/words/{part.words_key}") for part in parts]
    return list(dict.fromkeys(path for pair in paths for path in pair))


def _index_of_part(part):
    return f"{DATA}/indexes/{RUN.index_of[part.name].name}"


def indexes_of_parts(wildcards):
    """The folders of the indexes of a model's parts, by name."""
    parts = RUN.indexes[wildcards.model].parts
    return {name: _index_of_part(part) for name, part in parts.items()}


def words_of_parts(wildcards):
    """The folders of the words of parts that have other words than the model, by name."""
    index = RUN.indexes[wildcards.model]
    parts = {name: part.words_key for name, part in index.parts.items()}
    return {
        name: f"{DATA}/words/{key}"
        for name, key in parts.items()
        if key != index.words_key
    }


def code_of_index(wildcards):
    """Code of the kinds of rankers that make an index."""
    return _code_of(RUN.indexes[wildcards.model])


def code_of_model(wildcards):
    """Code of the kinds of rankers that search for a row of the table."""
    return _code_of(RUN.runs[wildcards.model])


def states_of_index(wildcards):
    """States of the raw inputs that an index is made from; none for most."""
    _end_without_packages(RUN.indexes[wildcards.model])
    return states_of(*RUN.indexes[wildcards.model].files)


def _end_without_packages(model):
    """End a run here that would make an index after hours, and lacks a package for it."""
    mode = snakemake_private.find_mode(sys.argv[1:])
    if (
        snakemake_private.is_main_process(workflow)
        and mode is snakemake_private.Mode.RUN
        and not snakemake_private.makes_environments(workflow)
        and not os.path.exists(f"{DATA}/indexes/{model.name}")
    ):
        try:
            check_packages(model)
        except NcsbenchError as error:
            sys.exit(f"ncsbench: error: {show_line(str(error))}")


def states_of_search(wildcards):
    """The same for a search, since an encoder encodes its queries."""
    return states_of(*RUN.index_of[wildcards.model].files)


def threads_of_index(wildcards):
    """Threads of an encoder; one gives the same bytes on any number of cores."""
    chain = RUN.indexes[wildcards.model].specification.chain
    encoders = [one.options for one in chain if one.kind == "encoder"]
    return max((options.get("threads", 1) for options in encoders), default=1)


def words_of_index(wildcards):
    """Words that an index is made from."""
    return f"{DATA}/words/{RUN.indexes[wildcards.model].words_key}"


def text_of_index(wildcards):
    """The methods, for an index that is made from their text; nothing for most."""
    return _methods() if RUN.indexes[wildcards.model].source_text else []


def methods_of_search(wildcards):
    """The methods, for a search that reads their text; nothing for most."""
    return _methods() if RUN.runs[wildcards.model].source_text else []


def members_of_search(wildcards):
    """Which methods belong to which haystack, for a search among some; nothing for most."""
    return f"{DATA}/haystacks.parquet" if RUN.runs[wildcards.model].haystack else []


def text_of_index_folder(wildcards):
    """The corpus, for an index that is made from its text."""
    return CORPUS if RUN.indexes[wildcards.model].source_text else ""


def text_of_search_folder(wildcards):
    """The corpus, for a search that reads its text."""
    return CORPUS if RUN.runs[wildcards.model].source_text else ""


def haystack_of_search(wildcards):
    """The haystack that is searched; nothing for most."""
    return RUN.runs[wildcards.model].haystack


def keys_of_tables(kind):
    """Keys of all words, embeddings, expansions or weights behind what the tables read."""
    indexes = list_made(RUN.index_of[name] for name in TABLE_RUNS)
    return sorted({getattr(index, f"{kind}_key") for index in indexes} - {None})


def _methods():
    return expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS)


def _code_of(model):
    kinds = model.specification.kinds
    return [f"{CODE}/{name_code(kind)}.json" for kind in dict.fromkeys(kinds)]
