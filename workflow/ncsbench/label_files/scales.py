"""The two scales on which people judge: their grades, their instructions, their files' columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """What is graded, and how.

    Attributes:
        name: as the command line has it.
        grades: from the lowest, which is 0, to the highest.
        columns: of a labels file, in order: language, text, method, grade, notes.
        of_methods: whether a method is graded for a text, or the text alone, wherever it stands.
        instructions: what a person reads first; a line for each grade begins with it.
    """

    name: str
    grades: tuple[int, ...]
    columns: tuple[str, str, str, str, str]
    of_methods: bool
    instructions: str


RELEVANCE = Scale(
    name="relevance",
    grades=(0, 1, 2, 3),
    columns=("Language", "Query", "GitHubUrl", "Relevance", "Notes"),
    of_methods=True,
    instructions="""\
You see a question and a method. Say how well the method answers the question:

3  what was asked for: you would copy it, or call it, nearly as it is
2  close: it does the work, or its main part, and needs changes that are easy to see
1  related: it shows a part of the way, or the same work on something else
0  something else: it does not help with the question

Judge what the code does, not how well it is written. Read the question as its author would mean
it; where it has several readings, one that fits is enough. Code that only passes the work on
counts by what its name says is done. Do not look the method up in a search engine.""",
)
"""How well a method answers a question: CodeSearchNet's annotations (Husain et al. 2019)."""

QUERY_LIKENESS = Scale(
    name="query-likeness",
    grades=(0, 1, 2),
    columns=("Language", "Comment", "GitHubUrl", "QueryLikeness", "Notes"),
    of_methods=False,
    instructions="""\
You see the first sentence of a method's comment. Say how much it is like a query of a code search:

2  like a query: somebody who needs such a method could type it, nearly as it is
1  partly: it says what is done, among words that nobody would type
0  not like a query: it does not say what is done, or only somebody who knows this code could ask so

Judge the words as they stand, not how well they describe a method that you do not see. Full
stops, capitals and "This method ..." do no harm. Remarks, references, permissions, signs without
words and languages other than English are not like a query.""",
)
"""How much a comment is like a query: the scale of Sun et al. (ICSE 2022), Table 4 (DEV-111)."""

SCALES = (RELEVANCE, QUERY_LIKENESS)
