"""Options of the rankers that order what others found, and of those that search nothing."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions


class CarlcsOptions(RankerOptions):
    """The base's best candidates by the co-attention that the block ``field_encoder`` trains."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods", "field_encoder")
    of_queries: ClassVar[tuple[str, ...]] = ("depth",)
    depth: int = Field(1000, ge=1)
    """How many of the base's best methods are scored; no ranking is longer."""


class PostRankOptions(RankerOptions):
    """The base's best candidates by the six rules of the NCS paper."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods",)
    depth: int = Field(500, ge=1)
    """How many of the base's best methods are put in order."""
    rule_2_tokens: Literal["lexer", "words"] = "lexer"
    """What rule 2 counts: tokens of the Java lexer, or extracted words (DEV-19)."""
    unsplit_in: Literal["text", "identifiers"] = "text"
    """Where rules 5 and 6 look for the unsplit tokens of a query: among all tokens of a method's
    comment, code and class name, or among its names, calls and constants (DEV-84)."""
    unsplit_counts: Literal["all", "content"] = "all"
    """Which tokens m counts: all of them, or those that are no stop words (DEV-84)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that do not count in n, nor in m with ``unsplit_counts: content``; a line
    ``stop_words: true`` of the model file fills them in."""


class ExpandedOptions(RankerOptions):
    """Code words of answers, added to the queries of the base."""

    takes_base: ClassVar[bool] = True
    refers_to_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("expansion",)
    of_queries: ClassVar[tuple[str, ...]] = ("minimum_value", "additions", "stop_words")
    minimum_value: Share = 0.05
    """Least share of its row that a code word must have to be added."""
    additions: Literal["new", "all"] = "new"
    """Which of these are added: those with a word that is no stop word and that the query has not,
    or all (DEV-86)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that are removed from a query; a line ``stop_words: true`` of the model
    file fills them in."""


class LongestFirstOptions(RankerOptions):
    """A chance or length baseline: the base's best candidates, the longest first."""

    takes_base: ClassVar[bool] = True
    candidates: int = Field(400, ge=1)
    """How many of the base's best methods are put in order."""


class RankFusionOptions(RankerOptions):
    """The rankings of several models as one, by the ranks alone (Cormack et al., SIGIR 2009)."""

    takes_parts: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k")
    depth: int = Field(200, ge=1)
    """How many methods of each part's ranking count."""
    k: int = Field(60, ge=0)
    """Added to each rank: the larger, the less first ranks count over later ones. 60 is the
    paper's."""
    duplicates: Literal["kept", "collapsed"] = "kept"
    """Whether methods with the same words in the same order, those of the block ``words``, are
    all found, or the first of them alone."""


class FusedOptions(RankerOptions):
    """The rankings of several models as one, by the ranks alone, without copies."""

    takes_parts: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k", "duplicates", "near_copies")
    depth: int = Field(200, ge=1)
    """How many methods of each part's ranking count."""
    k: int = Field(60, ge=0)
    """Added to each rank in the sum of reciprocal ranks, as in kind `rank_fusion`."""
    duplicates: Literal["collapsed", "kept"] = "collapsed"
    """Whether of methods with the same words in the same order, those of the block `words`, the
    first alone is found, or all are."""
    near_copies: Share = 0.8
    """A result that shares so much of its distinct words with an earlier one leaves the ranking
    (size of the intersection by that of the union); 0 keeps all."""


class GivenRunOptions(RankerOptions):
    """A run made elsewhere; ``ncsbench runs add`` writes such a file (docs/add-a-model.md)."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    files: ClassVar[tuple[str, ...]] = ("run", "questions")
    given: ClassVar[bool] = True
    run: str = Field(min_length=1)
    """The run, in the format of TREC: its documents are method ids of this corpus, or say where
    methods stand, ``owner/repo/path/File.java:12``."""
    questions: str = Field(min_length=1)
    """Which questions it answers: a CSV file with the number of each one and the beginning of the
    SHA-256 of its title."""
    corpus: str = Field(pattern="^[0-9a-f]{64}$")
    """Hash of the corpus that was searched; in every other one the model ends in one line."""


class RandomOrderOptions(RankerOptions):
    """A chance or length baseline: methods in random order."""

    minimum_lines: int = Field(0, ge=0)
    """Only methods of at least so many lines are drawn."""


OPTIONS: dict[str, type[RankerOptions]] = {
    "carlcs": CarlcsOptions,
    "ncs_postrank": PostRankOptions,
    "ncs_expanded": ExpandedOptions,
    "longest_first": LongestFirstOptions,
    "rank_fusion": RankFusionOptions,
    "fused": FusedOptions,
    "given_run": GivenRunOptions,
    "random_order": RandomOrderOptions,
}
"""By kind."""
