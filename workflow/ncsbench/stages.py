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
}
"""Module of this package and name of the function, by name of the stage."""
