rule embedding:
    input:
        code=f"{CODE}/embedding.json",
        settings=f"{SETTINGS}/embeddings/{{key}}.json",
        words=words_of_embedding,
    output:
        directory(f"{DATA}/embeddings/{{key}}"),
    log:
        f"{LOGS}/embedding-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.embedding_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    shell:
        "ncsbench training embed --settings {input.settings} --words {input.words}"
        " --output {output} 2> {log}"


rule expansion:
    input:
        code=f"{CODE}/expansion.json",
        settings=f"{SETTINGS}/expansions/{{key}}.json",
        pairs=pairs_of_expansion,
    output:
        f"{DATA}/expansions/{{key}}.parquet",
    log:
        f"{LOGS}/expansion-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.expansion_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    shell:
        "ncsbench training expansion --settings {input.settings} --pairs {input.pairs}"
        " --output {output} 2> {log}"


rule translation:
    input:
        code=f"{CODE}/translation.json",
        settings=f"{SETTINGS}/translations/{{key}}.json",
        pairs=pairs_of_translation,
    output:
        directory(f"{DATA}/translations/{{key}}"),
    log:
        f"{LOGS}/translation-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.translation_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        pairs=pairs_option,
    shell:
        "ncsbench training translation --settings {input.settings} {params.pairs}"
        " --output {output} 2> {log}"


rule index:
    input:
        code=f"{CODE}/index.json",
        ranker_code=code_of_index,
        settings=f"{SETTINGS}/models/{{model}}.json",
        words=words_of_index,
        embedding=embedding_of_index,
        expansion=expansion_of_index,
        weights=weights_of_index,
        encoder=encoder_of_index,
        field_encoder=field_encoder_of_index,
        translation=translation_of_index,
        base_index=base_of_index,
        parts=parts_of_index,
        methods=text_of_index,
        states=states_of_index,
    output:
        directory(f"{DATA}/indexes/{{model}}"),
    log:
        f"{LOGS}/index-{{model}}.log",
    wildcard_constraints:
        model=one_of(RUN.indexes),
    conda:
        RANKERS_ENVIRONMENT
    threads: threads_of_index
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        embedding=embedding_option,
        expansion=expansion_option,
        weights=weights_option,
        encoder=encoder_option,
        field_encoder=field_encoder_option,
        translation=translation_option,
        base_index=base_option,
        parts=parts_option,
        text=text_option,
    shell:
        "ncsbench rankers index --settings {input.settings} --words {input.words}"
        " {params.embedding} {params.expansion} {params.weights} {params.base_index}"
        " {params.parts} {params.encoder} {params.field_encoder} {params.translation} {params.text} --output {output} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule retrieve:
    input:
        code=f"{CODE}/retrieve.json",
        ranker_code=code_of_model,
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/retrieval.json",
        states=states_of_search,
        words=words_of_model,
        index=index_of_model,
        base_index=base_of_model,
        parts=parts_of_model,
        questions=f"{DATA}/questions.parquet",
        methods=methods_of_search,
        members=members_of_search,
    output:
        f"{RESULTS}/runs/{{model}}.trec.gz",
    log:
        f"{LOGS}/retrieve-{{model}}.log",
    conda:
        RANKERS_ENVIRONMENT
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        text=text_option,
        haystack=haystack_option,
        deeper="",
    shell:
        "ncsbench rankers retrieve --settings {input.settings} --retrieval {input.retrieval}"
        " --words {input.words} --index {input.index} --questions {input.questions}"
        " {params.text} {params.haystack} {params.deeper} --tag {wildcards.model}"
        " --output {output} 2> {log}"
        # Warnings belong before the eyes of whoever reads the table.
        " && (grep ': warning: ' {log} >&2 || true)"


# For intervals over repositories: methods of repositories that are not drawn leave the rankings.
use rule retrieve as retrieve_deep with:
    input:
        code=f"{CODE}/retrieve_deep.json",
        ranker_code=code_of_model,
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/repositories/retrieval.json",
        states=states_of_search,
        words=words_of_model,
        index=index_of_model,
        base_index=base_of_model,
        parts=parts_of_model,
        questions=f"{DATA}/questions.parquet",
        methods=methods_of_search,
        members=members_of_search,
    output:
        temp(f"{DATA}/deep_runs/{{model}}.trec"),
    log:
        f"{LOGS}/retrieve_deep-{{model}}.log",
    params:
        text=text_option,
        haystack=haystack_option,
        deeper="--deeper",


if POST_RANKED:

    rule postrank_rules:
        input:
            code=f"{CODE}/postrank_rules.json",
            runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=POST_RANKED),
        output:
            f"{TABLE_FOLDER}/postrank_rules.csv",
        log:
            f"{LOGS}/postrank_rules.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        resources:
            mem_mb=memory_of_job,
            runtime=minutes_of_job,
        params:
            dataset=RUN.dataset,
        shell:
            "ncsbench rankers rules --dataset {params.dataset} --output {output} {input.runs}"
            " 2> {log}"
