"""Commands that index a corpus and search it."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Output, Questions, Settings, Words, read_assignments

app = typer.Typer(help="Indexes and runs of rankers.")


@app.command()
def index(
    settings: Settings,
    words: Words,
    output: Output,
    embedding: Annotated[Path | None, typer.Option(help="Folder of word vectors.")] = None,
    expansion: Annotated[Path | None, typer.Option(help="Table of expansions as Parquet.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Folder of trained weights.")] = None,
    encoder: Annotated[Path | None, typer.Option(help="Folder of a joint encoder.")] = None,
    field_encoder: Annotated[
        Path | None, typer.Option(help="Folder of a DeepCS or CARLCS.")
    ] = None,
    translation: Annotated[Path | None, typer.Option(help="Folder of translations.")] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Folder of the corpus, for models that read its text.")
    ] = None,
    base_index: Annotated[
        Path | None, typer.Option(help="Folder of the base's index, to refer to it.")
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(help="<name>=<folder of its index> of a part; may be repeated."),
    ] = None,
    part_words: Annotated[
        list[str] | None,
        typer.Option(help="<name>=<folder> of a part with other words than --words."),
    ] = None,
) -> None:
    """Make the index of a model over a corpus."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.rankers.combined_ranker import place_parts
    from ncsbench.rankers.model_index import make_index
    from ncsbench.rankers.ranker_options import RankerSettings

    form = "<name>=<folder>"
    indexes = read_assignments(part or [], "--part", form)
    others = read_assignments(part_words or [], "--part-words", form)
    make_index(
        read_settings(settings, RankerSettings),
        words=words,
        embedding=embedding,
        expansion=expansion,
        weights=weights,
        corpus=None if corpus is None else CorpusFolder(corpus),
        encoder=encoder,
        field_encoder=field_encoder,
        translation=translation,
        base_index=base_index,
        parts=place_parts(indexes, others),
        output=output,
    )


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
    haystack: Annotated[
        str | None, typer.Option(help="The part of the corpus to search; needs --members.")
    ] = None,
    members: Annotated[
        Path | None, typer.Option(help="Which methods each haystack has, as Parquet.")
    ] = None,
    thread_parts: Annotated[
        Path | None,
        typer.Option(help="The part of each thread, as Parquet, where questions are threads."),
    ] = None,
    part: Annotated[
        str | None, typer.Option(help="The part of the threads to search for; all without it.")
    ] = None,
    deeper: Annotated[
        bool,
        typer.Option(
            "--deeper",
            help="Another run of the model is less deep: ask no question alone, no word"
            " of empty rankings.",
        ),
    ] = False,
) -> None:
    """Rank the methods for every question and write a TREC run file."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.haystacks.member_files import read_haystack
    from ncsbench.pairs.thread_parts import read_part_queries
    from ncsbench.rankers.model_run import write_model_run
    from ncsbench.rankers.ranker_options import RankerSettings, RetrievalSettings

    allowed = read_haystack(members, haystack)
    write_model_run(
        read_settings(settings, RankerSettings),
        depth=read_settings(retrieval, RetrievalSettings).depth,
        words=words,
        index=index,
        queries=read_part_queries(questions, thread_parts, part),
        tag=tag,
        corpus=corpus,
        allowed=allowed,
        deeper=deeper,
        output=output,
    )


@app.command()
def rules(
    runs: Annotated[list[Path], typer.Argument(help="Runs of kind ncs_postrank.")],
    dataset: Annotated[str, typer.Option(help="Name of the dataset.")],
    output: Output,
) -> None:
    """Write how often each of the six rules of post-ranking held."""
    from ncsbench.rankers.postrank_rules import write_rule_counts

    write_rule_counts(output, dataset=dataset, runs=runs)
