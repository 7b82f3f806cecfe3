"""Options of sets of training pairs, of the pairs that trainings hold out, and of threads.

A set of pairs is a file in ``config/pairs/``, or the pairs of such a set without some threads.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ncsbench.base.configuration.strict_model import Distinct, Names, Share, StrictModel
from ncsbench.base.text.words import split_words
from ncsbench.errors import ConfigurationError, nearest
from ncsbench.posts.questions.selection_options import TitleRuleName

PairSetName = Annotated[str, Field(pattern="^[A-Za-z0-9_-]+$")]
"""Name of a file in config/pairs, without its ending."""

ThreadPart = Literal["training", "selection", "test"]
"""Parts of threads: a part that training pairs may hold (``training``), a part to choose models by
(``selection``), and a part that is used once, at the end (``test``)."""


class HeldOutOptions(StrictModel):
    """Training pairs of a model, and the share of their queries that is held out (DEV-160)."""

    # Not strict: behind a validator with mode "before", values no longer count as JSON, and a list
    # would be refused as a tuple.
    pairs: Annotated[tuple[PairSetName, ...], Distinct] = Field(min_length=1, strict=False)
    """The sets of training pairs in config/pairs that the model learns from."""
    held_out: float = Field(0.1, gt=0, le=0.5)
    """Share of the distinct queries that is held out."""
    minimum_held_out: int = Field(20, ge=1)
    """Smallest number of distinct queries that are held out."""
    maximum_held_out: int = 1000
    """Largest number of distinct queries that are held out."""

    @model_validator(mode="after")
    def _check_held_out(self) -> Self:
        if self.maximum_held_out < self.minimum_held_out:
            raise ValueError(
                f"'maximum_held_out' must be at least {self.minimum_held_out} (minimum_held_out), "
                f"not {self.maximum_held_out}"
            )
        return self


_OWN_SOURCES = frozenset({"github", "stackoverflow", "stackoverflow.com"})
Filled = Annotated[str, Field(min_length=1)]


class _CommonOptions(StrictModel):
    minimum_query_words: int = Field(0, ge=0)
    """Queries with fewer words are left out."""
    minimum_code_words: int = Field(0, ge=0)
    """Snippets and methods with fewer words are left out."""
    exact_duplicates: Literal["dropped", "kept"] = "dropped"
    """Treatment of a pair whose query and code occurred before."""
    threadless: PairSetName | None = Field(None, exclude=True)
    """Name of a further set: the pairs of this set that hold no thread of the parts ``selection``
    and ``test`` (docs/pairs.md)."""
    excluded_keys: Names = Field((), exclude=True)
    """With ``threadless``: keys of pairs that the further set lacks, too."""

    @model_validator(mode="after")
    def _check_excluded(self) -> Self:
        if self.excluded_keys and self.threadless is None:
            raise ValueError("excluded_keys go with threadless")
        return self


class PostOptions(_CommonOptions):
    """Pairs of titles and snippets of posts."""

    kind: Literal["posts"]
    """Titles and snippets of posts."""
    tags: Annotated[Names, Field(min_length=1)]
    """Tags of the questions that are taken."""
    tags_needed: Literal["all", "any"] = "all"
    """The tags that a question must have: ``all`` of the tags, or ``any`` of them."""
    answers: Literal["upvoted", "accepted", "best", "all"] = "upvoted"
    """Answers that are taken: answers with a score above 0, the accepted answer, the answer with
    the highest score of its question (ties by ascending id), or all answers (DEV-50)."""
    snippets: Literal["each", "first", "longest", "joined"] = "each"
    """Snippets made of the code blocks of an answer that pass the filters: each block, only the
    first or the longest block, or all blocks joined."""
    java_only: bool = False
    """True where a block must be Java by its text (docs/judge.md)."""
    xml_tags: Literal["dropped", "kept"] = "dropped"
    """Treatment of blocks with XML tags (DEV-53)."""
    calls: Literal["needed", "ignored"] = "needed"
    """``needed``: a block must have an opening parenthesis; ``ignored``: it need not."""
    excluded_words: Names = ()
    """Words, in any case, that exclude a question whose title has one of them; single words as
    titles are split, such as studio, not AndroidStudio or c++."""

    @model_validator(mode="after")
    def _check_words(self) -> Self:
        for word in self.excluded_words:
            if split_words(word) != [word.casefold()]:
                raise ValueError(
                    f"excluded_words has {word!r}, which no title can hold as one word; give "
                    "single words of letters or digits"
                )
        return self


class PostPairSettings(PostOptions):
    """Settings of the stage ``pair_posts``."""

    site: str
    """Address of the site that links to posts and authors point to."""


class DocstringOptions(_CommonOptions):
    """Pairs of docstrings and their methods."""

    kind: Literal["docstrings"]
    """Docstrings and their methods."""
    text: Literal["sentence", "raw"] = "sentence"
    """The part of a docstring that is the query: the first ``sentence`` without tags, links and
    HTML (DEV-52), or the unchanged text before the first full stop or line end (``raw``,
    DEV-180)."""
    licence_notices: Literal["dropped", "kept"] = "kept"
    """Treatment of methods whose docstring is a notice of copyright or licence."""
    generated: Literal["dropped", "kept"] = "kept"
    """Treatment of methods whose docstring a tool has written."""
    other_scripts: Literal["dropped", "kept"] = "kept"
    """Treatment of sentences whose letters are mostly not Latin."""


class FileOptions(_CommonOptions):
    """Pairs of a text and code in each line of a file."""

    kind: Literal["file"]
    """A text and code in each line of a file."""
    path: str = Field(min_length=1)
    """File with a JSON object in each line, plain or gzip, from the folder of the Snakefile. Where
    it is missing, the set and the models that learn from it are left out."""
    source: str = Field(pattern="^[A-Za-z0-9_.-]+$")
    """Name that pairs have as their source and at the begin of their keys; must differ from the
    sources of posts and methods."""
    code_field: str = Field("code", min_length=1)
    """Field of the object that holds the code."""
    query_field: str = Field("comment", min_length=1)
    """Field of the object that holds the text."""
    key_fields: Names = ()
    """Fields whose texts or whole numbers identify the objects of a file; without fields the
    numbers of the lines do."""
    licence: str = ""
    """Licence of texts and code; empty where it is not known."""
    maximum_broken: Share = 0.001
    """Largest share of lines that cannot be read; with more such lines the run ends."""

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if self.source.casefold() in _OWN_SOURCES:
            raise ValueError(f"source is {self.source!r} and must be a name of its own")
        return self


class SampleOptions(StrictModel):
    """Some pairs drawn at random (DEV-182)."""

    size_of: PairSetName
    """Set of pairs whose number of pairs the sample has."""
    draw: int = Field(1, ge=1)
    """Number of the sample among several samples of a seed."""
    seed: int = Field(2019, ge=0)
    """Seed of the samples."""


class DerivedOptions(StrictModel):
    """Pairs of another set: filtered pairs, a random sample, or pairs without threads."""

    kind: Literal["derived"]
    """Pairs of another set."""
    of: PairSetName
    """The other set, of any kind."""
    rules: Literal["as_published", "as_released"] | None = None
    """Rules against comments that a query must pass (docs/cleaning.md); rules that remove parts of
    a comment change the query."""
    filter: Filled | None = None
    """Folder of a filter that ``ncsbench clean fit`` made, from the folder of the Snakefile, in
    place of ``rules``. Where it is missing, the set and the models that learn from it are left
    out."""
    sample: SampleOptions | None = None
    """A random sample, as a control for a filter that keeps as many pairs."""
    without_threads: Annotated[tuple[ThreadPart, ...], Distinct, Field(min_length=1)] | None = None
    """Pairs that hold nothing of the threads of these parts (docs/pairs.md). Where the dataset
    has no posts, the set and the models that learn from it are left out."""
    excluded_keys: Names = ()
    """With ``without_threads``: keys of pairs that are left out, too, such as near copies of
    functions that another benchmark asks for."""

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        ways = (self.rules, self.filter, self.sample, self.without_threads)
        if sum(one is not None for one in ways) != 1:
            raise ValueError(
                "a derived set needs one of rules, filter, sample and without_threads, and no more"
            )
        if self.excluded_keys and self.without_threads is None:
            raise ValueError("excluded_keys go with without_threads")
        return self

    def sources(self) -> tuple[str, ...]:
        """Return the sets to read: the set of the pairs, and for a sample the set of equal size."""
        return (self.of,) if self.sample is None else (self.of, self.sample.size_of)


PairOptions = PostOptions | DocstringOptions | FileOptions | DerivedOptions
KINDS: dict[str, type[PairOptions]] = {
    "posts": PostOptions,
    "docstrings": DocstringOptions,
    "file": FileOptions,
    "derived": DerivedOptions,
}
"""Options of each kind of pairs."""


def find_raw_path(options: PairOptions) -> str | None:
    """Return the file that a set reads and no rule makes; None for a set without such a file."""
    if isinstance(options, FileOptions):
        return options.path
    if isinstance(options, DerivedOptions) and options.filter:
        return f"{options.filter.rstrip('/')}/filter.json"
    return None


def derive_threadless(name: str, options: PairOptions) -> dict[str, DerivedOptions]:
    """Return the further set that ``threadless`` asks for, by its name; empty without the option.

    Args:
        name: name of the set.
        options: options of the set.
    """
    if isinstance(options, DerivedOptions) or options.threadless is None:
        return {}
    keys: dict[str, Any] = {"kind": "derived", "of": name}
    keys["without_threads"] = ("selection", "test")
    if options.excluded_keys:
        keys["excluded_keys"] = options.excluded_keys
    return {options.threadless: DerivedOptions(**keys)}


def needs_posts(options: PairOptions) -> bool:
    """Say whether a set needs a dataset with posts: for its pairs, or for threads."""
    if isinstance(options, DerivedOptions):
        return options.without_threads is not None
    return isinstance(options, PostOptions)


def parse_pair_options(value: Any, *, where: str) -> PairOptions:
    """Parse the options of a set of pairs, by its ``kind``.

    Raises:
        ConfigurationError: with one line that names file and key.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    if kind is not None and kind not in list(KINDS):
        raise ConfigurationError(
            f"{where}: kind: {kind!r} is unknown; {nearest(str(kind), [*KINDS])}"
        )
    return KINDS[kind or "posts"].parse(value, where=where, texts=True)


class ThreadOptions(StrictModel):
    """The block ``threads`` of the configuration."""

    tags: Names = ("android", "java")
    """Tags of which a question must have one; without tags every question counts."""
    count: int = Field(20000, ge=1)
    """Number of the most popular questions from which threads are chosen."""
    popularity: Literal["views", "score"] = "views"
    """Measure of popularity: ``views`` (questions without a count of views come last, by score) or
    ``score``."""
    snippet: Literal["first", "longest"] = "first"
    """The Java block of the answer that is its code."""
    title_rules: Annotated[tuple[TitleRuleName, ...], Distinct] = (
        *("comparison", "reason", "opinion", "concept"),
        *("fact", "tools"),
    )
    """Names of the rules that reject titles, as in ``selection.title_rules``."""


class ThreadSettings(ThreadOptions):
    """Settings of the stage ``choose_threads``."""

    site: str = Field(min_length=1)
    """Address of the site without a slash at its end, for links to posts and authors."""
