"""What the rules of the models read: words, vectors, weights, pairs, indexes."""

from ncsbench.experiment.model_checks import check_packages
from ncsbench.run_control import snakemake_private
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


def base_of_index(wildcards):
    """The index of its base that an index refers to; nothing for most."""
    referred = RUN.indexes[wildcards.model].referred
    return f"{DATA}/indexes/{RUN.index_of[referred.name].name}" if referred else []


def base_of_model(wildcards):
    """The same for the index that a row of the table searches."""
    referred = RUN.index_of[wildcards.model].referred
    return f"{DATA}/indexes/{RUN.index_of[referred.name].name}" if referred else []


def base_option(wildcards, input):
    """The command line option that names it."""
    return f"--base-index {input.base_index}" if input.base_index else ""


def parts_of_index(wildcards):
    """The indexes of all parts of a model with parts, and their words; nothing for most."""
    return _list_parts(RUN.indexes[wildcards.model])


def parts_of_model(wildcards):
    """The same for the index that a row of the table searches."""
    return _list_parts(RUN.index_of[wildcards.model])


def _list_parts(index):
    parts = [part for one in list_made([index]) for part in one.parts.values()]
    paths = [(_index_of_part(part), _words_of_part(part)) for part in parts]
    return list(dict.fromkeys(path for pair in paths for path in pair))


def _index_of_part(part):
    return f"{DATA}/indexes/{RUN.index_of[part.name].name}"


def _words_of_part(part):
    return f"{DATA}/words/{part.words_key}"


def parts_option(wildcards):
    """The command line options that name a model's parts, and the words that are not its own."""
    index = RUN.indexes[wildcards.model]
    options = []
    for name, part in index.parts.items():
        options.append(f"--part {name}={_index_of_part(part)}")
        if part.words_key != index.words_key:
            options.append(f"--part-words {name}={_words_of_part(part)}")
    return " ".join(options)


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


def embedding_of_index(wildcards):
    """Embedding that an index is made from; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].embedding_key
    return f"{TRAINED}/embeddings/{key}" if key else []


def embedding_option(wildcards, input):
    """The command line option that names the embedding."""
    return f"--embedding {input.embedding}" if input.embedding else ""


def expansion_of_index(wildcards):
    """Table of expansions that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].expansion_key
    return f"{TRAINED}/expansions/{key}.parquet" if key else []


def expansion_option(wildcards, input):
    """The command line option that names the table of expansions."""
    return f"--expansion {input.expansion}" if input.expansion else ""


def pairs_of_expansion(wildcards):
    """The training pairs a table of expansions is made from."""
    users = [
        index for index in RUN.indexes.values() if index.expansion_key == wildcards.key
    ]
    return f"{DATA}/pairs/{users[0].expansion.pairs}.parquet"


def translation_of_index(wildcards):
    """Translations that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].translation_key
    return f"{TRAINED}/translations/{key}" if key else []


def translation_option(wildcards, input):
    """The command line option that names the translations."""
    return f"--translation {input.translation}" if input.translation else ""


def pairs_of_translation(wildcards):
    """The training pairs a table of translations is learnt from."""
    users = [
        index
        for index in RUN.indexes.values()
        if index.translation_key == wildcards.key
    ]
    return expand(f"{DATA}/pairs/{{name}}.parquet", name=users[0].translation.pairs)


def words_of_embedding(wildcards):
    """The words an embedding is trained on."""
    users = [
        index for index in RUN.indexes.values() if index.embedding_key == wildcards.key
    ]
    return f"{DATA}/words/{users[0].words_key}"


def embedding_of_weights(wildcards):
    """The word vectors that training starts from."""
    return f"{DATA}/embeddings/{_trained(wildcards.key).embedding_key}"


def own_queries(key):
    """A model that learns words of its training queries from the vectors of this key."""
    return next(
        index for index in RUN.indexes.values() if index.query_vectors_key == key
    )


def embedding_of_query_vectors(wildcards):
    """The word vectors that these go with."""
    return f"{DATA}/embeddings/{own_queries(wildcards.key).embedding_key}"


def pairs_of_query_vectors(wildcards):
    """The training pairs whose queries have these words."""
    names = sorted(own_queries(wildcards.key).training.pairs)
    return expand(f"{DATA}/pairs/{{name}}.parquet", name=names)


def query_vectors_of_weights(wildcards):
    """Vectors of words of queries that the corpus lacks; nothing where these are not learnt."""
    key = _trained(wildcards.key).query_vectors_key
    return f"{DATA}/query_vectors/{key}" if key else []


def query_vectors_option(wildcards, input):
    """The command line option that names them."""
    return f"--query-vectors {input.query_vectors}" if input.query_vectors else ""


def pairs_of_weights(wildcards):
    """The training pairs that weights are learnt from."""
    return expand(
        f"{DATA}/pairs/{{name}}.parquet", name=_trained(wildcards.key).training.pairs
    )


def threads_of_weights(wildcards):
    """Threads of the training; one gives the same bytes on any number of cores."""
    return _trained(wildcards.key).training.threads


def pairs_of_encoder(wildcards):
    """The training pairs that a joint encoder is learnt from."""
    return expand(
        f"{DATA}/pairs/{{name}}.parquet", name=_encoder(wildcards.key).encoder.pairs
    )


def threads_of_encoder(wildcards):
    """Threads of its training; one gives the same bytes on any number of cores."""
    return _encoder(wildcards.key).encoder.threads


def pairs_of_field_encoder(wildcards):
    """The training pairs that a DeepCS or CARLCS is learnt from."""
    return expand(
        f"{DATA}/pairs/{{name}}.parquet", name=_field_encoder(wildcards.key).pairs
    )


def threads_of_field_encoder(wildcards):
    """Threads of its training; one gives the same bytes on any number of cores."""
    return _field_encoder(wildcards.key).threads


def pairs_option(wildcards, input):
    """The command line options that name the training pairs."""
    return " ".join(f"--pairs {path}" for path in input.pairs)


def checkpoint_folder(wildcards):
    """Where an interrupted training goes on from; removed when it has ended."""
    return f"{DATA}/checkpoints/{wildcards.key}"


def weights_of_index(wildcards):
    """Trained weights that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].weights_key
    return f"{TRAINED}/weights/{key}" if key else []


def weights_option(wildcards, input):
    """The command line option that names the trained weights."""
    return f"--weights {input.weights}" if input.weights else ""


def encoder_of_index(wildcards):
    """Joint encoder that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].encoder_key
    return f"{TRAINED}/encoders/{key}" if key else []


def encoder_option(wildcards, input):
    """The command line option that names the joint encoder."""
    return f"--encoder {input.encoder}" if input.encoder else ""


def field_encoder_of_index(wildcards):
    """DeepCS or CARLCS that an index is made with; nothing where it needs none."""
    key = RUN.indexes[wildcards.model].field_encoder_key
    return f"{TRAINED}/field_encoders/{key}" if key else []


def field_encoder_option(wildcards, input):
    """The command line option that names it."""
    return f"--field-encoder {input.field_encoder}" if input.field_encoder else ""


def trainings_of_curves(wildcards):
    """Records of trainings that say how many pairs a point of the learning curves has."""
    return [f"{TRAINED}/trainings/{RUN.runs[run].weights_key}" for run in CURVE_RUNS]


def history_options(wildcards, input):
    """The command line options that name how each training went."""
    return " ".join(
        f"--history {name}={folder}/history.csv" for name, folder in TRAININGS.items()
    )


def trainings_option(wildcards, input):
    """The command line option that names the folder of all records of trainings."""
    if not input.trainings:
        return ""
    return f"--trainings {os.path.dirname(input.trainings[0])}"


def text_of_index(wildcards):
    """The methods, for an index that is made from their text; nothing for most."""
    return _methods() if RUN.indexes[wildcards.model].source_text else []


def text_option(wildcards, input):
    """The command line option that names the corpus."""
    return f"--corpus {CORPUS}" if input.methods else ""


def methods_of_search(wildcards):
    """The methods, for a search that reads their text; nothing for most."""
    return _methods() if RUN.runs[wildcards.model].source_text else []


def members_of_search(wildcards):
    """Which methods belong to which haystack, for a search among some; nothing for most."""
    return f"{DATA}/haystacks.parquet" if RUN.runs[wildcards.model].haystack else []


def haystack_option(wildcards, input):
    """The command line options for a search among some methods."""
    if not input.members:
        return ""
    haystack = RUN.runs[wildcards.model].haystack
    return f"--members {input.members} --haystack {haystack}"


def keys_of_tables(kind):
    """Keys of all words, embeddings, expansions or weights behind what the tables read."""
    indexes = list_made(RUN.index_of[name] for name in TABLE_RUNS)
    return sorted({getattr(index, f"{kind}_key") for index in indexes} - {None})


def _methods():
    return expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS)


def _code_of(model):
    kinds = model.specification.kinds
    return [f"{CODE}/{name_code(kind)}.json" for kind in dict.fromkeys(kinds)]


def _trained(key):
    return next(index for index in RUN.indexes.values() if index.weights_key == key)


def _encoder(key):
    return next(index for index in RUN.indexes.values() if index.encoder_key == key)


def _field_encoder(key):
    return next(
        index.field_encoder
        for index in RUN.indexes.values()
        if index.field_encoder_key == key
    )
