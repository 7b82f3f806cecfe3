"""Commands of the judge study: how much the choice of the similarity matters."""

from pathlib import Path
from typing import Annotated

import typer

from ncsbench.cli.options import Corpus, Judgements, Output, Questions, Results, Settings

app = typer.Typer(help="How much does the choice of the judge matter?")

Index = Annotated[Path, typer.Option(help="Folder of the judge's index of the corpus.")]


@app.command()
def pairs(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    index: Index,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the study.")],
) -> None:
    """Choose and judge the published examples, random pairs and the study's own baselines."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.judge_index import JudgeIndex
    from ncsbench.judge_study.judged_pairs import write_judged_pairs
    from ncsbench.judge_study.study_settings import StudyPairSettings

    write_judged_pairs(
        read_settings(settings, StudyPairSettings),
        questions=questions,
        corpus=CorpusFolder(corpus),
        index=JudgeIndex(index),
        output=output,
    )


@app.command()
def tables(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    judgements: Judgements,
    study: Annotated[Path, typer.Option(help="Folder of the study's pairs.")],
    results: Results,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the tables to write.")],
) -> None:
    """What every similarity accepts at every threshold, and the thresholds that half chooses."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge_study.study_settings import StudySettings
    from ncsbench.judge_study.study_tables import write_study_tables

    write_study_tables(
        read_settings(settings, StudySettings),
        questions=questions,
        lines=CorpusFolder(corpus).read_lines(),
        sheet=sheet,
        judgements=judgements,
        study=study,
        results=results,
        output=output,
    )


@app.command()
def sensitivity(
    settings: Settings,
    questions: Questions,
    judgements: Judgements,
    results: Results,
    matches: Annotated[Path, typer.Option(help="Best match of every question and similarity.")],
    output: Output,
) -> None:
    """Table 1 under every similarity."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.judge_study.sensitivity import write_sensitivity
    from ncsbench.judge_study.study_settings import StudySettings

    write_sensitivity(
        settings=read_settings(settings, StudySettings),
        questions=questions,
        judgements=judgements,
        results=results,
        matches=matches,
        output=output,
    )


@app.command()
def rule(
    settings: Settings,
    questions: Questions,
    corpus: Corpus,
    index: Index,
    sheet: Annotated[Path, typer.Option(help="The published score sheet.")],
    judgements: Judgements,
    results: Results,
    study: Annotated[Path, typer.Option(help="Folder of the study's pairs.")],
    output: Output,
) -> None:
    """Which judge is in the first column of Table 1, by the rule written beforehand."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.corpus.layout import CorpusFolder
    from ncsbench.judge.compiled_code import compile_once
    from ncsbench.judge.judge_index import JudgeIndex
    from ncsbench.judge_study.rule_inputs import write_judge_rule
    from ncsbench.judge_study.study_settings import RuleSettings

    compile_once()
    write_judge_rule(
        read_settings(settings, RuleSettings),
        questions=questions,
        lines=CorpusFolder(corpus).read_lines(),
        index=JudgeIndex(index),
        sheet=sheet,
        judgements=judgements,
        results=results,
        study=study,
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
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.judge_study.copies import write_copies
    from ncsbench.judge_study.study_settings import StudySettings

    write_copies(
        settings=read_settings(settings, StudySettings),
        questions=questions,
        judgements=judgements,
        results=results,
        index=index,
        output=output,
    )


@app.command()
def plots(
    settings: Settings,
    table: Annotated[Path, typer.Option(help="A judge_study.csv.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the figures.")],
) -> None:
    """Draw the judge study."""
    from ncsbench.configuration.settings_files import read_settings
    from ncsbench.judge_study.study_figures import draw_judge_study
    from ncsbench.judge_study.study_settings import StudySettings

    draw_judge_study(read_settings(settings, StudySettings), table=table, output=output)
