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
