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
}
"""Module of this package and name of the function, by name of the stage."""
