"""Chooses the snippets of an answer that become the code of training pairs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ncsbench.languages.java_blocks import is_java_block
from ncsbench.pairs.pair_funnel import Funnel
from ncsbench.pairs.pair_options import PostOptions
from ncsbench.posts.bodies import extract_code
from ncsbench.text.words import split_words

SNIPPET_STEPS = (
    ("answer", "with a code block"),
    ("block", "Java by its text"),
    ("block", "without XML tags"),
    ("block", "with a call"),
    ("block", "long enough"),
    ("block", "chosen of its answer"),
)

# An opening tag without attributes is no sign: List<String> and <T> have one as well (DEV-53).
_XML = re.compile(
    r"</[A-Za-z]|<!--|<!\[CDATA|<!DOCTYPE|<\?xml"
    r"|<[A-Za-z][\w.:-]*+(?:\s++[\w.:-]++\s*+=\s*+[\"']|\s*+/>)"
)


@dataclass(frozen=True)
class Snippet:
    """Code of an answer.

    Attributes:
        number: of its block in the answer, from 1; 0 for joined blocks.
        code: its text.
        blocks: the blocks that were joined to it; empty where it is one block.
    """

    number: int
    code: str
    blocks: tuple[str, ...] = ()


def has_xml_tags(code: str) -> bool:
    """Whether a snippet has an end tag, an empty-element tag, a tag with attributes or a prologue.

    Type arguments of Java are no tags.
    """
    return _XML.search(code) is not None


def choose_snippets(body: str, options: PostOptions, funnel: Funnel) -> list[Snippet]:
    """The snippets of an answer's body.

    Blocks are ``pre`` elements; code within lines is none. The filters look at each block, and of
    the blocks that pass, ``options.snippets`` takes one, each or all joined by an empty line.

    Args:
        body: HTML.
        options: filters and choice.
        funnel: has ``SNIPPET_STEPS``; joined blocks count as chosen, each of them.

    Returns:
        The snippets, in order.
    """
    blocks = [block.text for block in extract_code(body) if block.kind != "inline"]
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
    return (
        funnel.passes("block", "Java by its text", not options.java_only or is_java_block(text))
        and funnel.passes(
            "block", "without XML tags", options.xml_tags == "kept" or not has_xml_tags(text)
        )
        and funnel.passes("block", "with a call", options.calls == "ignored" or "(" in text)
        and funnel.passes(
            "block",
            "long enough",
            options.minimum_code_words == 0 or len(split_words(text)) >= options.minimum_code_words,
        )
    )
