"""Commands that train, index and search."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, Settings

app = typer.Typer(help="Word vectors, expansions, indexes, runs.")

Words = Annotated[Path, typer.Option(help="Folder of the corpus as words.")]


@app.command()
def embed(settings: Settings, words: Words, output: Output) -> None:
    """Train word vectors on the words of the corpus."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.models.embedding import save_embedding, train_embedding
    from ncsbench.storage import read_json

    options = read_json(settings)
    seed = options.pop("seed")
    save_embedding(train_embedding(load_documents(words), options=options, seed=seed), output)


@app.command()
def expansion(
    settings: Settings,
    pairs: Annotated[Path, typer.Option(help="Training pairs as Parquet.")],
    output: Output,
) -> None:
    """Count which methods the answers to titles with a word call."""
    from ncsbench.models.query_expansion import build_expansion
    from ncsbench.records import EXPANSION_SCHEMA, PAIR_SCHEMA
    from ncsbench.storage import iterate_tables, read_json, write_table

    options = read_json(settings)
    options.pop("pairs", None)
    tables = iterate_tables(pairs, PAIR_SCHEMA, ["query", "code"])
    write_table(output, build_expansion(tables, options), EXPANSION_SCHEMA)


@app.command()
def expand(
    query: Annotated[str, typer.Argument(help="A query in words.")],
    expansion: Annotated[Path, typer.Option(help="Table of expansions as Parquet.")],
    minimum_value: Annotated[float, typer.Option(help="Least value that is added.")] = 0.05,
) -> None:
    """Show which method each word of a query brings: word, method, value, added or not."""
    from ncsbench.languages.words import split_words
    from ncsbench.models.query_expansion import Expansion
    from ncsbench.records import EXPANSION_SCHEMA
    from ncsbench.storage import read_table

    table = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    for word in split_words(query):
        best = table.look_up(word)
        if best is None:
            typer.echo(f"{word}\t-\t-\tnot in the table")
            continue
        verdict = "added" if best[1] >= minimum_value else f"below {minimum_value:g}"
        typer.echo(f"{word}\t{best[0]}\t{best[1]:.3f}\t{verdict}")


@app.command()
def train(
    settings: Settings,
    embedding: Annotated[Path, typer.Option(help="Folder of the word vectors to start from.")],
    pairs: Annotated[list[Path], typer.Option(help="Training pairs as Parquet; may be repeated.")],
    checkpoint: Annotated[Path, typer.Option(help="Folder to go on from after an interruption.")],
    benchmark: Annotated[Path, typer.Option(help="Speed of the training, as TSV.")],
    output: Output,
) -> None:
    """Train the weights of a supervised model on pairs of queries and code."""
    from ncsbench.models.embedding import load_embedding
    from ncsbench.models.unif_training import train_weights
    from ncsbench.storage import read_json

    options = read_json(settings)
    train_weights(
        pairs,
        load_embedding(embedding),
        options=options["training"],
        words=options["words"],
        seed=options["seed"],
        checkpoint=checkpoint,
        benchmark=benchmark,
        output=output,
    )


@app.command()
def index(
    settings: Settings,
    words: Words,
    output: Output,
    embedding: Annotated[Path | None, typer.Option(help="Folder of word vectors.")] = None,
    expansion: Annotated[Path | None, typer.Option(help="Table of expansions as Parquet.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Folder of trained weights.")] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Folder of the corpus, for models that read its text.")
    ] = None,
) -> None:
    """Make the index of a model over a corpus."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.models.embedding import load_embedding
    from ncsbench.models.protocol import FitInputs
    from ncsbench.models.query_expansion import Expansion
    from ncsbench.models.registry import create_ranker
    from ncsbench.models.unif_weights import load_weights
    from ncsbench.records import EXPANSION_SCHEMA
    from ncsbench.storage import read_json, read_table

    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    inputs = FitInputs()
    if embedding is not None:
        inputs["embedding"] = load_embedding(embedding)
    if expansion is not None:
        inputs["expansion"] = Expansion(read_table(expansion, EXPANSION_SCHEMA))
    if weights is not None:
        inputs["weights"] = load_weights(weights)
    if corpus is not None:
        inputs["methods"] = CorpusFolder(corpus)
    ranker.fit(corpus=load_documents(words), **inputs)
    ranker.save(output)


@app.command()
def retrieve(
    settings: Settings,
    retrieval: Annotated[Path, typer.Option(help="How deep to search, as JSON.")],
    words: Words,
    index: Annotated[Path, typer.Option(help="Folder of the model's index.")],
    questions: Questions,
    tag: Annotated[str, typer.Option(help="Name of the run in its file.")],
    output: Output,
    corpus: Annotated[Path | None, typer.Option(help="Folder of the corpus.")] = None,
    part: Annotated[int, typer.Option(min=1, help="Which part of the repositories to search.")] = 1,
    parts: Annotated[int, typer.Option(min=1, help="In how many parts they are divided.")] = 1,
) -> None:
    """Rank the methods for every question and write a TREC run file."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.errors import ConfigurationError
    from ncsbench.evaluation.questions import read_queries
    from ncsbench.evaluation.runs import write_run
    from ncsbench.models.partial_search import choose_repositories, search_among
    from ncsbench.models.registry import create_ranker
    from ncsbench.storage import read_json

    if part > parts:
        raise ConfigurationError(f"retrieve: there is no part {part} of {parts}; lower --part")
    if parts > 1 and corpus is None:
        raise ConfigurationError("retrieve: a part of the repositories needs --corpus")
    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    ranker.load(index, corpus=load_documents(words))
    depth = read_json(retrieval)["depth"]
    queries = read_queries(questions)
    if corpus is None:
        run = ranker.search(queries, k=depth)
    else:
        allowed = choose_repositories(CorpusFolder(corpus), part, parts)
        run = search_among(ranker, queries, k=depth, allowed=allowed)
    write_run(output, run, tag=tag)
