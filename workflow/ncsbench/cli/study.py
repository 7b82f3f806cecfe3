"""Commands of the judge study: how much the choice of the measure matters."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Output, Questions, Settings

app = typer.Typer(help="How much does the choice of the judge matter?")

Index = Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")]
Judgements = Annotated[Path, typer.Option(help="Folder of the judgements of the models' runs.")]
Results = Annotated[Path, typer.Option(help="Results folder of the dataset, with its runs.")]


@app.command()
def pairs(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    index: Index,
    output: Annotated[Path, typer.Option(help="Folder of the study.")],
) -> None:
    """Choose and judge the published examples, random pairs and the study's own controls."""
    import numpy as np
    import pyarrow as pa

    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.answer_features import read_answers
    from ncsbench.judge.index import JudgeIndex
    from ncsbench.judge.scoring import score_pairs
    from ncsbench.judge.study_pairs import STUDY_PAIR_SCHEMA, draw_study_pairs, find_examples
    from ncsbench.records import JUDGEMENT_SCHEMA, QUESTION_SCHEMA
    from ncsbench.storage import read_json, read_table, write_table

    asked = read_table(questions, QUESTION_SCHEMA, ["row", "answer", "examples_url"]).to_pylist()
    folder, opened = CorpusFolder(corpus), JudgeIndex(index)
    answers = read_answers({question["row"]: question["answer"] for question in asked})
    sizes = {question["row"]: 0 for question in asked}
    sizes |= {row: answers[place].size for place, row in enumerate(answers.rows.tolist())}
    columns = ["id", "repository", "path", "start_line", "end_line"]
    examples = find_examples(
        {question["row"]: question["examples_url"] for question in asked},
        folder.iterate_methods(columns),
    )
    drawn = draw_study_pairs(
        answer_sizes=sizes,
        lines=np.concatenate([t["lines"].to_numpy() for t in folder.iterate_methods(["lines"])]),
        sizes=np.concatenate([block.sizes for block in opened.blocks()]),
        **read_json(settings),
    )
    chosen = pa.concat_tables([examples, drawn])
    judged = score_pairs(
        answers=answers,
        index=opened,
        rows=chosen["row"].to_numpy(),
        ids=chosen["id"].to_numpy(),
    )
    write_table(output / "pairs.parquet", chosen, STUDY_PAIR_SCHEMA)
    write_table(output / "judgements.parquet", judged, JUDGEMENT_SCHEMA)


@app.command()
def tables(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    judgements: Judgements,
    study: Annotated[Path, typer.Option(help="Folder of the study's pairs.")],
    output: Results,
) -> None:
    """What every measure accepts at every threshold, and the thresholds that half chooses."""
    import numpy as np

    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.storage import read_json
    from ncsbench.tables.judge_choice import build_judge_choice, write_judge_choice
    from ncsbench.tables.judge_study import build_judge_study, read_judge_study, write_judge_study
    from ncsbench.tables.judge_weights import build_judge_weights, write_judge_weights

    options = read_json(settings)
    columns = CorpusFolder(corpus).iterate_methods(["lines"])
    read = read_judge_study(
        settings=options,
        questions=questions,
        lines=np.concatenate([table["lines"].to_numpy() for table in columns]),
        sheet=sheet,
        judgements=judgements,
        study=study,
        results=output,
    )
    dataset = options["dataset"]
    rows = build_judge_study(read, dataset=dataset, thresholds=options["thresholds"])
    write_judge_study(output / "judge_study.csv", rows)
    write_judge_choice(output / "judge_choice.csv", build_judge_choice(read, dataset=dataset))
    write_judge_weights(output / "judge_weights.csv", build_judge_weights(read, dataset=dataset))


@app.command()
def sensitivity(
    settings: Settings,
    questions: Questions,
    judgements: Judgements,
    results: Results,
    matches: Annotated[Path, typer.Option(help="Best match of every question and measure.")],
    output: Output,
) -> None:
    """Table 1 under every measure."""
    from ncsbench.storage import read_json
    from ncsbench.tables.sensitivity import write_sensitivity

    write_sensitivity(
        settings=read_json(settings),
        questions=questions,
        judgements=judgements,
        results=results,
        matches=matches,
        output=output,
    )


@app.command()
def copies(
    settings: Settings,
    questions: Questions,
    judgements: Judgements,
    results: Results,
    index: Index,
    output: Output,
) -> None:
    """How many results are near-identical to the answer and to each other."""
    from ncsbench.storage import read_json
    from ncsbench.tables.copies import write_copies

    write_copies(
        settings=read_json(settings),
        questions=questions,
        judgements=judgements,
        results=results,
        index=index,
        output=output,
    )


@app.command()
def examples(
    settings: Settings,
    pairs: Annotated[Path, typer.Option(help="The pairs of the study.")],
    matches: Annotated[Path, typer.Option(help="Best matches of every question and measure.")],
    output: Output,
) -> None:
    """How many published examples are among the best methods of the corpus under each measure."""
    from ncsbench.storage import read_json
    from ncsbench.tables.examples_found import write_examples_found

    write_examples_found(output, settings=read_json(settings), pairs=pairs, matches=matches)


@app.command()
def plots(
    settings: Settings,
    table: Annotated[Path, typer.Option(help="A judge_study.csv.")],
    output: Annotated[Path, typer.Option(help="Folder of the figures.")],
) -> None:
    """Draw the judge study."""
    from ncsbench.storage import read_json
    from ncsbench.tables.judge_plots import draw_judge_study

    draw_judge_study(read_json(settings), table=table, output=output)
