"""The stages: functions that rules run as ``ncsbench stage NAME``, each where its subject is.

A stage takes paths, settings and plain values by name, and writes files. Its options are its
parameters: ``run_control.stage_command`` makes them from the signature, rules from the names of
their inputs and outputs (``run_control.stage_options``). The table is static, so that the hash of a
rule's code is found without an import (``run_control.rule_code``).
"""

from __future__ import annotations

STAGES = {
    # The corpus: published inputs, sources, methods, words; what it holds twice, its card.
    "published_input": "published_inputs.provision:provide",
    "fetch": "archives.sealed_store:fill_store",
    "list_files": "sources.listing:list_files",
    "released_methods": "corpus.released_spans:write_spans",
    "extract": "corpus.extraction:extract_shard",
    "build_corpus": "corpus.assembly:make_corpus",
    "licences": "corpus.licences:find_licences",
    "words": "corpus.word_extraction:make_words",
    "count_duplicates": "corpus.duplicate_counts:write_duplicates",
    "table1_without_copies": "tables.table1_without_copies:write_table1_without_copies",
    "released": "tables.release:write_release",
    "data_card": "tables.data_card:write_data_card",
    "croissant": "tables.croissant:write_croissant",
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
    # Posts of a dump, questions chosen from them, training pairs.
    "post_questions": "posts.dump_passes:read_questions",
    "post_ids": "posts.merged_dumps:join_ids",
    "post_answers": "posts.dump_passes:read_answers",
    "post_ledger": "posts.merged_dumps:join_ledgers",
    "post_users": "posts.users:write_users",
    "merge_posts": "posts.merged_dumps:merge_posts",
    "post_links": "posts.links:write_links",
    "candidates": "questions.candidates:write_candidates",
    "select_questions": "published.selected_questions:write_selection",
    "choose_threads": "pairs.threads:write_threads",
    "pair_posts": "pairs.post_pairs:pair_posts",
    "pair_docstrings": "pairs.docstring_pairs:pair_docstrings",
    "pair_file": "pairs.json_pairs:pair_file",
    "pair_derived": "pairs.derived_pairs:pair_derived",
    # Cleaning experiments.
    "cleaning_positives": "cleaning.benchmark_positives:make_positives",
    "cleaning_raw_pairs": "cleaning.raw_pairs:make_raw_pairs",
    "cleaning_titles": "cleaning.titles_apart:write_titles",
    "cleaning_distractors": "cleaning.distractors:draw_distractors",
    "cleaning_comment_model": "cleaning.query_model:make_query_model",
    "cleaning_losses": "cleaning.comment_losses:score_pairs",
    "cleaning_training_set": "cleaning.training_sets:make_set",
    "cleaning_train": "cleaning.cell_training:train_cell",
    "cleaning_rank": "cleaning.cell_ranks:rank_cell",
    "cleaning_main_table": "cleaning.main_tables:write_table",
    "cleaning_filter_table": "cleaning.filter_tables:write_filter_table",
    "cleaning_table7": "cleaning.filter_tables:write_table7",
    "cleaning_figure1": "cleaning.comment_features:write_comment_features",
    "cleaning_figure4": "cleaning.percentile_figure:draw_percentiles",
    # CodeSearchNet.
    "csn_inventory": "codesearchnet.csn_listing:list_files",
    "csn_extract": "codesearchnet.csn_extraction:extract_shard",
    "csn_build_corpus": "codesearchnet.csn_building:build_corpus_of",
    "csn_train_encoder": "encoders.training:train_encoder",
    "csn_embed": "codesearchnet.unif_training:embed_functions",
    "csn_weights": "codesearchnet.unif_training:train_on_functions",
    "csn_rank": "codesearchnet.system_results:write_results",
    "csn_pools": "codesearchnet.function_pool:write_pools",
    "csn_table1": "codesearchnet.table1:count_functions",
    "csn_table2": "codesearchnet.table2:write_table2",
    "csn_table3": "codesearchnet.table3:write_table3",
    "csn_choices": "codesearchnet.table3:compare_choices",
    "csn_table4": "codesearchnet.table4:write_table4",
}
"""Module of this package and name of the function, by name of the stage."""
