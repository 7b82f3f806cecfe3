"""Training pairs from posts: the title of a question and a snippet of an answer (UNIF paper)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ncsbench.base.files.storage import iterate_tables
from ncsbench.base.text.words import split_words
from ncsbench.code.java.java_blocks import is_java_block
from ncsbench.errors import DataError
from ncsbench.pairs.training_pairs.pair_files import (
    PAIR_STEPS,
    STACK_OVERFLOW,
    Candidate,
    Funnel,
    PairFiles,
    has_words,
)
from ncsbench.pairs.training_pairs.pair_options import PostOptions, PostPairSettings
from ncsbench.posts.dump.bodies import extract_code
from ncsbench.posts.dump.post_schemas import POST_ANSWER_SCHEMA, POST_QUESTION_SCHEMA, credit_post

SNIPPET_STEPS = (
    ("answer", "with a code block"),
    ("block", "Java by its text"),
    ("block", "without XML tags"),
    ("block", "with a call"),
    ("block", "long enough"),
    ("block", "chosen of its answer"),
)

# An opening tag without attributes is no sign of XML: List<String> and <T> look so, too (DEV-53).
_XML = re.compile(
    r"</[A-Za-z]|<!--|<!\[CDATA|<!DOCTYPE|<\?xml"
    r"|<[A-Za-z][\w.:-]*+(?:\s++[\w.:-]++\s*+=\s*+[\"']|\s*+/>)"
)


@dataclass(frozen=True)
class Snippet:
    """Code of an answer.

    Attributes:
        number: number of the snippet's block in the answer, from 1; 0 for joined blocks.
        code: text of the snippet.
        blocks: the blocks that were joined to the snippet; empty for a single block.
    """

    number: int
    code: str
    blocks: tuple[str, ...] = ()


def has_xml_tags(code: str) -> bool:
    """Say whether a snippet has XML: end tags, empty-element tags, attributes or a prologue.

    Type arguments of Java are no tags.
    """
    return _XML.search(code) is not None


def choose_snippets(body: str, options: PostOptions, funnel: Funnel) -> list[Snippet]:
    """Choose the snippets of an answer's body.

    Blocks are ``pre`` elements; code within lines is no block. The filters check each block, and of
    the blocks that pass, ``options.snippets`` takes one, each, or all joined by empty lines.

    Args:
        body: body of the answer in HTML.
        options: filters and choice.
        funnel: counts of the steps, with ``SNIPPET_STEPS``; each of joined blocks counts as chosen.

    Returns:
        The snippets, in order.
    """
    blocks = extract_code(body)
    if not funnel.passes("answer", "with a code block", blocks):
        return []
    passing = [
        Snippet(number, text)
        for number, text in enumerate(blocks, 1)
        if _passes_filters(text, options, funnel)
    ]
    if not passing:
        return []
    chosen = passing
    if options.snippets == "first":
        chosen = passing[:1]
    elif options.snippets == "longest":
        chosen = [max(passing, key=lambda block: (len(block.code), -block.number))]
    removed = len(passing) - len(chosen)
    funnel.count("block", "chosen of its answer", kept=len(chosen), removed=removed)
    if options.snippets == "joined":
        parts = tuple(block.code for block in chosen)
        return [Snippet(0, "\n\n".join(parts), parts if len(parts) > 1 else ())]
    return chosen


def _passes_filters(text: str, options: PostOptions, funnel: Funnel) -> bool:
    return funnel.pass_all(
        "block",
        ("Java by its text", not options.java_only or is_java_block(text)),
        ("without XML tags", options.xml_tags == "kept" or not has_xml_tags(text)),
        ("with a call", options.calls == "ignored" or "(" in text),
        ("long enough", has_words(text, options.minimum_code_words)),
    )


POST_STEPS = (
    ("question", "read"),
    ("question", "tagged"),
    ("question", "title without excluded words"),
    ("question", "title long enough"),
    ("answer", "read"),
    ("answer", "of such a question"),
    ("answer", "chosen"),
    *SNIPPET_STEPS,
    *PAIR_STEPS,
)

_QUESTION_COLUMNS = [
    "id",
    "title",
    "accepted_answer_id",
    "owner_user_id",
    "owner_display_name",
    "licence",
]
_ANSWER_COLUMNS = ["id", "parent_id", "score"]
_TEXT_COLUMNS = ["owner_user_id", "owner_display_name", "licence", "body"]
_NONE = -1


def pair_posts(
    settings: PostPairSettings, post_questions: Path, post_answers: Path, files: PairFiles
) -> None:
    """Make pairs of question titles and snippets of answers.

    Args:
        settings: options of the set.
        post_questions: questions of a dump, as Parquet.
        post_answers: answers of a dump, as Parquet.
        files: files to read and write that every set of pairs has.
    """
    counts = Funnel(POST_STEPS)
    pairs = iterate_post_pairs(post_questions, post_answers, settings, counts)
    files.write(pairs, counts, settings.exact_duplicates)


def iterate_post_pairs(
    questions: Path, answers: Path, options: PostPairSettings, funnel: Funnel
) -> Iterator[Candidate]:
    """Yield pairs of posts in the order of the answers' file, then of the blocks.

    The titles of the questions are held in memory, the answers are streamed.

    Args:
        questions: Parquet file of ``POST_QUESTION_SCHEMA``.
        answers: Parquet file of ``POST_ANSWER_SCHEMA``.
        options: options of the set.
        funnel: counts of the steps, with ``POST_STEPS``.
    """
    asked = _read_questions(questions, options, funnel)
    ids = asked["id"].to_numpy()
    best = _find_best(answers, ids) if options.answers == "best" else None
    accepted = asked["accepted_answer_id"].fill_null(_NONE).to_numpy()
    for table in iterate_tables(answers, POST_ANSWER_SCHEMA, _ANSWER_COLUMNS + _TEXT_COLUMNS):
        answer_ids, parents, scores = _numbers(table)
        positions, known = _find_parents(ids, parents)
        funnel.count("answer", "read", kept=len(known))
        funnel.count(
            "answer", "of such a question", kept=int(known.sum()), removed=int((~known).sum())
        )
        taken = known.copy()
        if options.answers == "upvoted":
            taken &= scores > 0
        elif options.answers == "accepted":
            taken &= accepted[positions] == answer_ids if len(ids) else False
        elif best is not None:
            taken &= np.isin(answer_ids, best)
        funnel.count(
            "answer", "chosen", kept=int(taken.sum()), removed=int(known.sum() - taken.sum())
        )
        rows = np.flatnonzero(taken)
        asked_rows = asked.take(positions[rows]).to_pylist()
        for answer, question in zip(table.take(rows).to_pylist(), asked_rows, strict=True):
            for snippet in choose_snippets(answer["body"], options, funnel):
                yield _make_candidate(question, answer, snippet, options.site)


def source_of(site: str) -> str:
    """Return the source that pairs of a site have: "stackoverflow", else the site's host."""
    host = urlsplit(site).netloc.removeprefix("www.")
    return STACK_OVERFLOW if host == "stackoverflow.com" else host


def _read_questions(path: Path, options: PostPairSettings, funnel: Funnel) -> pa.Table:
    """Read the questions that are taken, by ascending id."""
    wanted, excluded = set(options.tags), {word.casefold() for word in options.excluded_words}
    schema = pa.schema([POST_QUESTION_SCHEMA.field(name) for name in _QUESTION_COLUMNS])
    tables = [schema.empty_table()]
    for table in iterate_tables(path, POST_QUESTION_SCHEMA, [*_QUESTION_COLUMNS, "tags"]):
        rows = []
        funnel.count("question", "read", kept=table.num_rows)
        texts = zip(table["tags"].to_pylist(), table["title"].to_pylist(), strict=True)
        for row, (tags, title) in enumerate(texts):
            found = wanted & set(tags)
            tagged = found == wanted if options.tags_needed == "all" else found
            if not funnel.passes("question", "tagged", tagged):
                continue
            words = split_words(title)
            if funnel.pass_all(
                "question",
                ("title without excluded words", excluded.isdisjoint(words)),
                ("title long enough", len(words) >= options.minimum_query_words),
            ):
                rows.append(row)
        tables.append(table.select(_QUESTION_COLUMNS).take(pa.array(rows, pa.int64())))
    return pa.concat_tables(tables).sort_by("id").combine_chunks()


def _find_parents(
    ids: NDArray[np.int64], parents: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find parents in the sorted ``ids``.

    Returns:
        The position of each parent (arbitrary for an absent parent), and True where a parent is
        present.
    """
    if not len(ids):
        return np.zeros(len(parents), np.int64), np.zeros(len(parents), np.bool_)
    positions = np.minimum(np.searchsorted(ids, parents), len(ids) - 1)
    return positions, ids[positions] == parents


def _find_best(answers: Path, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """Find the ids of each question's answer with the highest score, ties by ascending id."""
    parts = []
    for table in iterate_tables(answers, POST_ANSWER_SCHEMA, _ANSWER_COLUMNS):
        numbers = np.stack(_numbers(table))
        parts.append(numbers[:, _find_parents(ids, numbers[1])[1]])
    if not parts:
        return np.empty(0, np.int64)
    answer_ids, parents, scores = np.concatenate(parts, axis=1)
    order = np.lexsort((answer_ids, -scores, parents))
    first = np.unique(parents[order], return_index=True)[1]
    best: NDArray[np.int64] = answer_ids[order][first]
    return best


def _numbers(table: pa.Table) -> tuple[NDArray[np.int64], ...]:
    return tuple(table[name].to_numpy().astype(np.int64) for name in _ANSWER_COLUMNS)


def _make_candidate(
    question: dict[str, Any], answer: dict[str, Any], snippet: Snippet, site: str
) -> Candidate:
    source = source_of(site)
    asked, answered = credit_post("question", question, site), credit_post("answer", answer, site)
    row = {
        "query": question["title"],
        "code": snippet.code,
        "source": source,
        "key": f"{source}:{answer['id']}:{snippet.number}",
        "licence": answer["licence"],
        "code_url": answered.link,
        "code_author": answered.author,
        "code_author_url": answered.author_url,
        "query_url": asked.link,
        "query_author": asked.author,
        "query_author_url": asked.author_url,
        "query_licence": question["licence"],
        "class_name": "",
        "comments": "",
    }
    if not row["licence"] or not row["query_licence"]:
        raise DataError(f"pair {row['key']}: a post has no licence; read the posts again")
    ids = (question["id"], answer["id"]) if source == STACK_OVERFLOW else ()
    return Candidate(row, ids, snippet.blocks)
