"""Labels of methods matched with the questions and the methods of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ncsbench.exports.built_dataset import BuiltDataset
from ncsbench.label_files.label_file import LANGUAGE, Label, match_query
from ncsbench.labels.labelled_methods import find_labelled


@dataclass(frozen=True)
class MatchedLabels:
    """Labels whose question and method a dataset has.

    Attributes:
        labels: in their order, each with the id of its method.
        left_out: numbers of the others, by reason.
    """

    labels: Sequence[tuple[Label, int]]
    left_out: Mapping[str, int]

    @property
    def pairs(self) -> list[tuple[str, int]]:
        """Question, as ``match_query`` has it, and method id of each label."""
        return [(label.pair[0], id_) for label, id_ in self.labels]

    def describe_left_out(self) -> list[str]:
        """A line for each reason that left labels out."""
        return [
            f"left out, {reason}: {count:,}" for reason, count in self.left_out.items() if count
        ]


def match_labels(dataset: BuiltDataset, labels: Sequence[Label]) -> MatchedLabels:
    """Find the questions and the methods of labels in a dataset."""
    questions = set(map(match_query, dataset.read_questions()["question"].to_pylist()))
    own = [label for label in labels if label.language.lower() == LANGUAGE.lower()]
    asked = [label for label in own if label.pair[0] in questions]
    ids = find_labelled(dataset.corpus, (label.document for label in asked))
    known = [(label, ids[label.document]) for label in asked if label.document in ids]
    return MatchedLabels(
        known,
        {
            f"not of {LANGUAGE}": len(labels) - len(own),
            "no such question": len(own) - len(asked),
            "no such method": len(asked) - len(known),
        },
    )
