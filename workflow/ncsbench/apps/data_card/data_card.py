"""``data_card.md``: sources, licences and limits of a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ncsbench.apps.data_card.card_facts import (
    ATTRIBUTION_COLUMNS,
    QUANTILES,
    CardFacts,
    gather_facts,
    write_attribution,
)
from ncsbench.base.files.storage import write_text
from ncsbench.corpus.layout.layout import CorpusFolder
from ncsbench.corpus.layout.ledger_schema import LEFT_OUT, NONE_FOUND, UNRECOGNISED
from ncsbench.evaluation.statistics.text_formats import Report, TextTable, to_markdown
from ncsbench.studies.ncsed.table_settings import CardSettings

ATTRIBUTION = "attribution_repositories.csv"


def write_data_card(
    settings: CardSettings,
    corpus: CorpusFolder,
    licences: Path,
    questions: Path,
    attribution: Path,
    output: Path,
    pairs: Sequence[Path] = (),
) -> None:
    """Write the data card of a dataset, and a list of repositories to name when methods are used.

    Args:
        settings: the facts about the dataset that no file of the workflow has.
        corpus: folder of a built corpus with its inventory.
        licences: table of ``LICENCE_SCHEMA``.
        questions: table of ``QUESTION_SCHEMA``.
        attribution: CSV to write, ``ATTRIBUTION_COLUMNS``.
        output: Markdown to write.
        pairs: tables of training pairs, each with the name of its set.
    """
    facts = gather_facts(corpus=corpus, licences=licences, questions=questions, pairs=pairs)
    write_attribution(attribution, facts.repositories)
    write_text(output, to_markdown(describe_dataset(settings, facts)))


def describe_dataset(settings: CardSettings, facts: CardFacts) -> Report:
    """Make the page of a dataset."""
    tables = (
        _stages(facts),
        _reasons("Repositories that are missing", "repositories", facts.missing),
        _reasons("Lines of the list that name no repository", "lines", facts.unusable_lines),
        _reasons("Java files that were left out", "files", facts.files_left_out),
        _licences(facts),
        _lengths(facts),
        _dates(facts),
    )
    return Report(
        title=f"Data card of {settings.dataset}",
        paragraphs=tuple(_introduce(settings, facts)),
        tables=tuple(table for table in tables if table.rows),
        notes=tuple(list_limits(facts)),
    )


def list_limits(facts: CardFacts) -> list[str]:
    """List uses that the corpus is not fit for, and its known faults, as sentences."""
    read, methods = len(facts.repositories), facts.methods
    unclear = [
        one
        for one in facts.repositories
        if one.licence == NONE_FOUND or UNRECOGNISED in one.licence
    ]
    largest = max(facts.repositories, key=lambda one: one.methods)
    limits = [
        "Licences are those of the licence files of the root folder. Headers of files, build files "
        "and folders of copied libraries may say something else.",
        "A file has an SPDX id where it differs in less than 5 % from a common licence; a licence "
        "that is named and not quoted, or stands beside another in one file, is 'unrecognised'.",
    ]
    if unclear:
        held = sum(one.methods for one in unclear)
        limits.append(
            f"Not for handing on code without a look at its licence: {len(unclear):,} of {read:,} "
            f"repositories, with {_share(held, methods)} of the methods, have no licence file that "
            "was recognised. Without a licence the authors keep all rights."
        )
    if facts.missing:
        missing = sum(facts.missing.values())
        limits.append(
            f"{missing:,} of {facts.listed:,} listed repositories are missing: what is here is no "
            "random part of the list."
        )
    limits += [
        f"The largest repository, {largest.name}, has {_share(largest.methods, methods)} of the "
        "methods: figures over methods are not figures over repositories.",
        "Java alone, and methods with a body alone: nothing follows for other languages.",
        "Not for training a model that is then evaluated on the questions: check leaks first.",
        "Which method answers a question is decided by a program that compares code, and not by "
        "people.",
        "Names, addresses and keys that authors left in their code were not taken out: not for "
        "finding out about persons.",
    ]
    if facts.manifest["duplicates"] == "kept":
        limits.append("Copies of methods were not left out ('duplicates: kept').")
    return limits


def _introduce(settings: CardSettings, facts: CardFacts) -> list[str]:
    paragraphs = [settings.description] if settings.description else []
    about = [
        f"Version: {settings.version}." if settings.version else "",
        f"Released: {settings.published}." if settings.published else "",
        f"By: {', '.join(settings.creators)}." if settings.creators else "",
        f"Page: {settings.url}" if settings.url else "",
    ]
    paragraphs += [" ".join(filter(None, about))] if any(about) else []
    paragraphs.append(f"Corpus: {facts.manifest['corpus_hash']} (docs/outputs.md).")
    if settings.licence:
        paragraphs.append(f"Terms: {settings.licence}.")
    cite = f"Cite: {settings.citation.rstrip('.')}. " if settings.citation else ""
    paragraphs.append(
        f"{cite}Methods belong to the authors of their repositories: name each one that you use "
        f"as {ATTRIBUTION} does ({', '.join(ATTRIBUTION_COLUMNS)}), and keep its licence files."
    )
    return paragraphs


def _stages(facts: CardFacts) -> TextTable:
    left_out = facts.manifest["left_out"]
    counts = {
        "repositories listed": facts.listed,
        "repositories read": len(facts.repositories),
        "of these, with a method": sum(one.methods > 0 for one in facts.repositories),
        "Java files read": facts.files_read,
        "Java files left out": sum(facts.files_left_out.values()),
        "methods": facts.methods,
        **{f"methods left out by the option {name}": left_out[name] for name in LEFT_OUT},
        f"methods left out as duplicates ({facts.manifest['duplicates']})": left_out["duplicates"],
        "questions": facts.questions,
        **{f"training pairs {name}": count for name, count in facts.pairs.items()},
    }
    rows = tuple((name, f"{count:,}") for name, count in counts.items())
    return TextTable("From the list to the corpus", ("what", "number"), "lr", rows)


def _reasons(caption: str, what: str, counts: Mapping[str, int]) -> TextTable:
    rows = tuple((reason, f"{count:,}") for reason, count in counts.items())
    return TextTable(caption, ("reason", what), "lr", rows)


def _licences(facts: CardFacts) -> TextTable:
    repositories = Counter(one.licence for one in facts.repositories)
    methods: Counter[str] = Counter()
    for one in facts.repositories:
        methods[one.licence] += one.methods
    rows = tuple(
        (
            *(licence, f"{count:,}", _share(count, len(facts.repositories))),
            *(f"{methods[licence]:,}", _share(methods[licence], facts.methods)),
        )
        for licence, count in sorted(repositories.items(), key=lambda item: (-item[1], item[0]))
    )
    header = ("SPDX ids of a repository", "repositories", "share", "methods", "share")
    return TextTable("Licences", header, "lrrrr", rows)


def _lengths(facts: CardFacts) -> TextTable:
    names = ("shortest", *(f"{value:.0%}" for value in QUANTILES[1:-1]), "longest")
    rows = tuple(
        (name, *(f"{value:,}" for value in values))
        for name, values in (("lines", facts.lines), ("tokens", facts.tokens))
    )
    return TextTable(
        "Lengths of methods, by quantile", ("of a method", *names), "l" + "r" * len(names), rows
    )


def _dates(facts: CardFacts) -> TextTable:
    days = [(one.committed, one.methods) for one in facts.repositories]
    years = Counter("unknown" if day is None else str(day.year) for day, _ in days)
    methods: Counter[str] = Counter()
    for day, count in days:
        methods["unknown" if day is None else str(day.year)] += count
    known = sorted(day for day, _ in days if day is not None)
    span = f" ({known[0].isoformat()} to {known[-1].isoformat()})" if known else ""
    rows = tuple((year, f"{years[year]:,}", f"{methods[year]:,}") for year in sorted(years))
    caption = f"Years of the commits that were read{span}"
    return TextTable(caption, ("year", "repositories", "methods"), "lrr", rows)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "0.0 %"
