"""Options of rankers that reorder or combine results of others, and of rankers without search."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from ncsbench.base.configuration.strict_model import Share
from ncsbench.rankers.ranker_options import RankerOptions


class CarlcsOptions(RankerOptions):
    """The base's best methods, ordered by the network that the block ``field_encoder`` trains."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods", "field_encoder")
    of_queries: ClassVar[tuple[str, ...]] = ("depth",)
    depth: int = Field(1000, ge=1)
    """Number of the base's best methods that are scored; no ranking is longer."""


class PostRankOptions(RankerOptions):
    """The base's best methods, ordered by the six rules of the NCS paper."""

    takes_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("methods",)
    depth: int = Field(500, ge=1)
    """Number of the base's best methods that are put in order; no ranking is longer."""
    rule_2_tokens: Literal["lexer", "words"] = "lexer"
    """The items that rule 2 counts: tokens of the Java lexer, or extracted words (DEV-19)."""
    unsplit_in: Literal["text", "identifiers"] = "text"
    """The place where rules 5 and 6 look for the unsplit tokens of a query: among all tokens of a
    method's comment, code and class name, or among its names, calls and constants (DEV-84)."""
    unsplit_counts: Literal["all", "content"] = "all"
    """The tokens that m counts (rules 5 and 6): all tokens of the query, or all but stop words
    (DEV-84)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that do not count in n (rules 3 and 4), nor in m with
    ``unsplit_counts: content``; a line ``stop_words: true`` of the model file fills them in."""


class ExpandedOptions(RankerOptions):
    """Code words of answers, added to the queries of the base."""

    takes_base: ClassVar[bool] = True
    refers_to_base: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("expansion",)
    of_queries: ClassVar[tuple[str, ...]] = ("minimum_value", "additions", "stop_words")
    minimum_value: Share = 0.05
    """Smallest share of its row in the expansion table with which a code word is added."""
    additions: Literal["new", "all"] = "new"
    """The code words that are added: ``new``, only code words with a word that is no stop word and
    is not in the query, or ``all`` (DEV-86)."""
    stop_words: tuple[str, ...] = ()
    """Words, lower-case, that are removed from a query; a line ``stop_words: true`` of the model
    file fills them in."""


class LongestFirstOptions(RankerOptions):
    """A length baseline: the base's best candidates, the longest first."""

    takes_base: ClassVar[bool] = True
    candidates: int = Field(400, ge=1)
    """Number of the base's best methods that are put in order; no ranking is longer."""


class RankFusionOptions(RankerOptions):
    """The rankings of several models in one, by ranks alone (Cormack et al., SIGIR 2009)."""

    takes_parts: ClassVar[bool] = True
    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k")
    depth: int = Field(200, ge=1)
    """Number of the best methods of each part's ranking that count."""
    k: int = Field(60, ge=0)
    """Number added to each rank: the larger it is, the less first ranks count over later ones. 60
    is the paper's."""
    duplicates: Literal["kept", "collapsed"] = "kept"
    """Treatment of methods with the same words in the same order (words of the block ``words``):
    all of them are found, or the first one alone."""


class FusedOptions(RankFusionOptions):
    """The rankings of several models in one, by ranks alone, without copies of methods."""

    of_queries: ClassVar[tuple[str, ...]] = ("depth", "k", "duplicates", "near_copies")
    duplicates: Literal["collapsed", "kept"] = "collapsed"
    """Treatment of methods with the same words in the same order (words of the block `words`): the
    first one alone is found, or all of them."""
    near_copies: Share = 0.8
    """A result that shares at least this part of its distinct words with an earlier result is
    removed (size of the intersection divided by that of the union); 0 keeps all."""


class GivenRunOptions(RankerOptions):
    """A run made elsewhere; ``ncsbench runs add`` writes such a file (docs/add-a-model.md)."""

    needs: ClassVar[tuple[str, ...]] = ("methods",)
    files: ClassVar[tuple[str, ...]] = ("run", "questions")
    given: ClassVar[bool] = True
    run: str = Field(min_length=1)
    """File of the run, in the format of TREC: its documents are method ids of this corpus, or
    places of methods such as ``owner/repo/path/File.java:12``."""
    questions: str = Field(min_length=1)
    """List of the questions that the run answers: a CSV file with the number of each question and
    the beginning of the SHA-256 of its title."""
    corpus: str = Field(pattern="^[0-9a-f]{64}$")
    """Hash of the corpus that was searched; on any other corpus the model ends with an error."""


class RandomOrderOptions(RankerOptions):
    """A chance baseline: methods in random order, or only long ones."""

    minimum_lines: int = Field(0, ge=0)
    """Smallest number of lines of a method that is drawn."""


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
"""Options classes by kind of ranker."""
