"""The names that ``import ncsbench`` offers: corpus, questions, rankers, judge, figures, tables.

Results are pandas frames that share their columns: ``query_id`` is the number of a question from 1,
``method_id`` the id of a method in its corpus, ``rank`` counts from 1. This module, and with it all
modules that are slow to load, is read when one of its names is first asked for.
"""

from ncsbench.apps.notebook.corpora import (
    Corpus,
    Dataset,
    load_corpus,
    load_dataset,
    load_questions,
    load_sample,
)
from ncsbench.apps.notebook.experiments import evaluate_rankings, experiment, judge_rankings
from ncsbench.apps.notebook.rankers import Ranker, create_ranker, list_models, load_index, ranker
from ncsbench.base.runs.ranking_frames import read_table
from ncsbench.errors import NcsbenchError

__all__ = [
    "Corpus", "Dataset", "NcsbenchError", "Ranker", "create_ranker", "evaluate_rankings",
    "experiment", "judge_rankings", "list_models", "load_corpus", "load_dataset", "load_index",
    "load_questions", "load_sample", "ranker", "read_table",
]  # fmt: skip
