"""The stages: functions that rules run as ``ncsbench stage NAME``, each where its subject is.

A stage takes paths, settings and plain values by name, and writes files. Its options are its
parameters: ``pipeline.freshness.stage_command`` makes them from the signature, and rules from the
names of their inputs and outputs. The table is static, so that the hash of a
rule's code is found without an import (``pipeline.freshness.rule_code``).
"""

from __future__ import annotations

STAGES = {
    # The corpus: published inputs, sources, methods, words; what it holds twice, its card.
    "published_input": "posts.published_inputs.checksums:provide",
    "fetch": "corpus.archives.fetching:fill_store",
    "list_files": "corpus.sources.listing:list_files",
    "released_methods": "corpus.methods.released_methods:write_spans",
    "extract": "corpus.methods.extraction:extract_shard",
    "build_corpus": "corpus.methods.assembly:make_corpus",
    "licences": "corpus.checks.licences:find_licences",
    "words": "corpus.methods.word_extraction:make_words",
    "count_duplicates": "corpus.checks.duplicate_counts:write_duplicates",
    "table1_without_copies": "studies.ncsed.table1_without_copies:write_table1_without_copies",
    "data_card": "apps.data_card.data_card:write_data_card",
    # Indexes and runs. Stages that learn something are rows of ``rankers.learnt_kinds``.
    "index": "rankers.model_index:make_index",
    "retrieve": "rankers.model_run:retrieve",
    # Questions, judgements and tables.
    "questions": "posts.questions.questions_file:write_questions",
    "part_questions": "posts.questions.questions_file:write_part",
    "parse_answers": "evaluation.measures.judging:list_answers",
    "judge_index": "evaluation.measures.judging:index_corpus",
    "judge": "evaluation.measures.judging:judge_run",
    "match": "evaluation.measures.judging:match_answers",
    "merge_matches": "evaluation.measures.judging:join_matches",
    "gold": "studies.gold.gold_methods:find_gold",
    "gold_tables": "studies.gold.gold_tables:write_gold_tables",
    "examples": "studies.ncsed.examples:write_examples",
    "study_table": "studies.ncsed.study_table:write_study",
    "repository_intervals": "studies.ncsed.repository_interval_table:write_repository_intervals",
    "dataset_tables": "studies.ncsed.dataset_tables:write_dataset_tables",
    "table1": "studies.ncsed.table1_files:publish_tables",
    "published_table1": "evaluation.published.printed_figures:write_published_table1",
    "provenance": "pipeline.provenance.job_graph:write_provenance",
    "evidence_tables": "pipeline.evidence.evidence_tables:write_evidence_tables",
    "remade": "pipeline.evidence.publishing:write_agreement",
    "write_explorer": "apps.explorer.explorer_folder:write_explorer",
    "evidence_explorer": "apps.explorer.evidence_explorer:write_evidence_explorer",
    # Studies beside Table 1.
    "table1_sensitivity": "evaluation.measures.result_checks:write_sensitivity",
    "copies": "evaluation.measures.result_checks:write_copies",
    "haystack_members": "evaluation.haystacks.members:write_members",
    "haystack_table": "evaluation.haystacks.haystack_table:write_haystacks",
    "micro_queries": "studies.ncs_2018.micro_queries:write_micro_queries",
    "micro_search": "studies.ncs_2018.micro_search:search_micro_queries",
    "micro_benchmark": "studies.ncs_2018.micro_tables:write_micro_benchmark",
    # Posts of a dump, questions chosen from them, training pairs.
    "post_questions": "posts.dump.dump_passes:read_questions",
    "post_ids": "posts.dump.merged_dumps:join_ids",
    "post_answers": "posts.dump.dump_passes:read_answers",
    "post_ledger": "posts.dump.merged_dumps:join_ledgers",
    "post_users": "posts.dump.other_files:write_users",
    "merge_posts": "posts.dump.merged_dumps:merge_posts",
    "post_links": "posts.dump.other_files:write_links",
    "candidates": "posts.questions.candidates:write_candidates",
    "select_questions": "evaluation.published.selected_questions:write_selection",
    "choose_threads": "pairs.training_pairs.threads:write_threads",
    "pair_posts": "pairs.training_pairs.post_pairs:pair_posts",
    "pair_docstrings": "pairs.training_pairs.docstring_pairs:pair_docstrings",
    "pair_file": "pairs.training_pairs.json_pairs:pair_file",
    "pair_derived": "pairs.training_pairs.derived_pairs:pair_derived",
    # Cleaning experiments.
    "cleaning_positives": "pairs.cleaned_pairs.benchmarks:make_positives",
    "cleaning_raw_pairs": "pairs.cleaned_pairs.raw_pairs:make_raw_pairs",
    "cleaning_titles": "pairs.cleaned_pairs.titles_apart:write_titles",
    "cleaning_distractors": "pairs.cleaned_pairs.benchmarks:draw_distractors",
    "cleaning_comment_model": "pairs.cleaned_pairs.query_model:make_query_model",
    "cleaning_losses": "pairs.cleaned_pairs.query_model:score_pairs",
    "cleaning_training_set": "pairs.cleaned_pairs.training_sets:make_set",
    "cleaning_train": "studies.icse_2022.cell_training:train_cell",
    "cleaning_rank": "studies.icse_2022.cell_ranks:rank_cell",
    "cleaning_main_table": "studies.icse_2022.main_tables:write_table",
    "cleaning_filter_table": "studies.icse_2022.filter_tables:write_filter_table",
    "cleaning_table7": "studies.icse_2022.filter_tables:write_table7",
    "cleaning_figure1": "studies.icse_2022.filter_tables:write_comment_features",
    # CodeSearchNet.
    "csn_inventory": "corpus.function_corpus.function_extraction:list_files",
    "csn_extract": "corpus.function_corpus.function_extraction:extract_shard",
    "csn_build_corpus": "corpus.function_corpus.function_corpus:build_corpus_of",
    "csn_import": "studies.codesearchnet.released_import:import_corpus",
    "csn_train_encoder": "learning.encoders.training:train_encoder",
    "csn_embed": "studies.codesearchnet.unif_training:embed_functions",
    "csn_weights": "studies.codesearchnet.unif_training:train_on_functions",
    "csn_rank": "studies.codesearchnet.system_results:write_results",
    "csn_pools": "studies.codesearchnet.system_ranks:write_pools",
    "csn_table1": "studies.codesearchnet.corpus_tables:count_functions",
    "csn_table2": "studies.codesearchnet.corpus_tables:write_table2",
    "csn_table3": "studies.codesearchnet.table3:write_table3",
    "csn_choices": "studies.codesearchnet.table3:compare_choices",
    "csn_table4": "studies.codesearchnet.table4:write_table4",
}
"""Module of this package and name of the function, by name of the stage."""
