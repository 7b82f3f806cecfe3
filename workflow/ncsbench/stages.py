"""The stages: functions that rules run as ``ncsbench stage NAME``, each where its subject is.

A stage takes paths, settings and plain values by name, and writes files. Its options are its
parameters: ``run_control.stage_command`` makes them from the signature, rules from the names of
their inputs and outputs (``run_control.stage_options``). The table is static, so that the hash of a
rule's code is found without an import (``run_control.rule_code``).
"""

from __future__ import annotations

STAGES = {
    # What is learnt, indexes and runs.
    "embedding": "training.word_vectors:make_embedding",
    "query_vectors": "training.query_vectors:make_query_vectors",
    "expansion": "training.query_expansion:make_expansion",
    "translation": "training.translation_model:make_translation",
    "weights": "training.unif_training:make_weights",
    "train_encoder": "encoders.pair_training:train_on_pairs",
    "train_field_encoder": "deepcs.field_training:train_field_encoder",
    "index": "rankers.model_index:make_index",
    "retrieve": "rankers.model_run:retrieve",
    "postrank_rules": "rankers.postrank_rules:write_rule_counts",
    # Questions, judgements and tables.
    "questions": "questions.questions_file:write_questions",
    "part_questions": "questions.questions_file:write_part",
    "parse_answers": "evaluation.judging:list_answers",
    "judge_index": "evaluation.judging:index_corpus",
    "judge": "evaluation.judging:judge_run",
    "match": "evaluation.judging:match_answers",
    "merge_matches": "evaluation.judging:join_matches",
    "examples": "tables.examples:write_examples",
    "repository_intervals": "tables.repository_interval_table:write_repository_intervals",
    "dataset_tables": "tables.dataset_tables:write_dataset_tables",
    "table1": "tables.table1_files:publish_tables",
    "published_table1": "published.score_sheet_table:write_published_table1",
    "provenance": "provenance.provenance_file:write_provenance",
    "evidence_tables": "evidence.evidence_tables:write_evidence_tables",
    "remade": "evidence.remade_runs:write_agreement",
    "write_explorer": "explorer.explorer_folder:write_explorer",
    # Studies beside Table 1.
    "study_pairs": "judge_study.judged_pairs:write_judged_pairs",
    "study_tables": "judge_study.study_tables:write_study_tables",
    "table1_sensitivity": "judge_study.sensitivity:write_sensitivity",
    "judge_rule": "judge_study.rule_inputs:write_judge_rule",
    "copies": "judge_study.copies:write_copies",
    "judge_plots": "judge_study.study_figures:draw_judge_study",
    "loss_curves": "learning_curves.training_figures:draw_loss_curves",
    "learning_curve_table": "learning_curves.curves:write_learning_curves",
    "learning_curve_figure": "learning_curves.training_figures:draw_learning_curves",
    "haystack_members": "haystacks.members:write_members",
    "haystack_table": "haystacks.haystack_table:write_haystacks",
    "haystack_figure": "haystacks.haystack_figure:draw_haystacks",
    "micro_queries": "micro_benchmark.micro_queries:write_micro_queries",
    "micro_search": "rankers.model_run:search_micro_queries",
    "micro_benchmark": "micro_benchmark.micro_tables:write_micro_benchmark",
    "micro_choices": "micro_benchmark.micro_tables:write_micro_choices",
}
"""Module of this package and name of the function, by name of the stage."""
