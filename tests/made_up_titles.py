"""Titles made up of few words, for tests of the language model of queries."""

import numpy as np

VERBS = ("read", "write", "convert", "sort", "parse", "close", "open", "compare")
NOUNS = ("file", "list", "map", "string", "array", "date", "stream", "socket", "image", "json")
ENDS = ("in java", "with a loop", "without a library", "by name", "on android", "")


def make_titles(count: int, seed: int = 1) -> list[str]:
    """Titles such as "read a list in java", some of them equal."""
    generator = np.random.default_rng(seed)
    verbs, nouns, ends = (generator.integers(len(own), size=count) for own in (VERBS, NOUNS, ENDS))
    return [
        f"{VERBS[verb]} a {NOUNS[noun]} {ENDS[end]}".strip()
        for verb, noun, end in zip(verbs, nouns, ends, strict=True)
    ]
