"""Commands that train, index and search."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, Settings

app = typer.Typer(help="Word vectors, indexes, runs.")

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
def index(
    settings: Settings,
    words: Words,
    output: Output,
    embedding: Annotated[Path | None, typer.Option(help="Folder of word vectors.")] = None,
) -> None:
    """Make the index of a model over a corpus."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.models.embedding import load_embedding
    from ncsbench.models.registry import create_ranker
    from ncsbench.storage import read_json

    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    vectors = None if embedding is None else load_embedding(embedding)
    ranker.fit(corpus=load_documents(words), embedding=vectors)
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
) -> None:
    """Rank the methods for every question and write a TREC run file."""
    from ncsbench.corpus.documents import load_documents
    from ncsbench.evaluation.questions import read_queries
    from ncsbench.evaluation.runs import write_run
    from ncsbench.models.registry import create_ranker
    from ncsbench.storage import read_json

    options = read_json(settings)
    ranker = create_ranker(options["ranker"], seed=options["seed"])
    ranker.load(index, corpus=load_documents(words))
    depth = read_json(retrieval)["depth"]
    write_run(output, ranker.search(read_queries(questions), k=depth), tag=tag)
