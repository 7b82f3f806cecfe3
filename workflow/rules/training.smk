# Supervised training.


rule query_vectors:
    # Apart from the embedding: NCS must not wait for pairs, nor be made again where they change.
    input:
        code=f"{CODE}/query_vectors.json",
        embedding=embedding_of_query_vectors,
        pairs=pairs_of_query_vectors,
    output:
        directory(f"{DATA}/query_vectors/{{key}}"),
    log:
        f"{LOGS}/query_vectors-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.query_vectors_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        pairs=pairs_option,
    shell:
        "ncsbench training query-vectors --embedding {input.embedding} {params.pairs}"
        " --output {output} 2> {log}"


rule weights:
    input:
        code=f"{CODE}/weights.json",
        settings=f"{SETTINGS}/weights/{{key}}.json",
        embedding=embedding_of_weights,
        query_vectors=query_vectors_of_weights,
        pairs=pairs_of_weights,
    output:
        weights=directory(f"{DATA}/weights/{{key}}"),
        # What tables read. The weights themselves are not versioned: indexes alone read them.
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/weights-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.weights_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of_weights
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        query_vectors=query_vectors_option,
        pairs=pairs_option,
        checkpoint=checkpoint_folder,
    shell:
        "ncsbench training weights --settings {input.settings} --embedding {input.embedding}"
        " {params.query_vectors} {params.pairs} --checkpoint {params.checkpoint}"
        " --record {output.record}"
        " --output {output.weights} 2> {log}"


rule train_encoder:
    input:
        code=f"{CODE}/train_encoder.json",
        settings=f"{SETTINGS}/encoders/{{key}}.json",
        pairs=pairs_of_encoder,
    output:
        encoder=directory(f"{DATA}/encoders/{{key}}"),
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/encoder-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.encoder_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of_encoder
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        pairs=pairs_option,
        checkpoint=checkpoint_folder,
    shell:
        "ncsbench training encoder --settings {input.settings} {params.pairs}"
        " --checkpoint {params.checkpoint} --record {output.record}"
        " --output {output.encoder} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule train_field_encoder:
    input:
        code=f"{CODE}/train_field_encoder.json",
        settings=f"{SETTINGS}/field_encoders/{{key}}.json",
        pairs=pairs_of_field_encoder,
    output:
        encoder=directory(f"{DATA}/field_encoders/{{key}}"),
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/field_encoder-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.field_encoder_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of_field_encoder
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        pairs=pairs_option,
        checkpoint=checkpoint_folder,
    shell:
        "ncsbench training field-encoder --settings {input.settings} {params.pairs}"
        " --checkpoint {params.checkpoint} --record {output.record}"
        " --output {output.encoder} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


if TRAININGS:

    include: "learning_curves.smk"
