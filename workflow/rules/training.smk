# Supervised training.


rule query_vectors:
    # Apart from the embedding: NCS must not wait for pairs, nor be made again where they change.
    input:
        code=f"{CODE}/query_vectors.json",
        embedding=own("query_vectors", of="embedding"),
        pairs=pairs_of("query_vectors"),
    output:
        directory(f"{DATA}/query_vectors/{{key}}"),
    log:
        f"{LOGS}/query_vectors-{{key}}.log",
    wildcard_constraints:
        key=keys_of("query_vectors"),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage query_vectors {params.options} 2> {log}"


rule weights:
    input:
        code=f"{CODE}/weights.json",
        settings=f"{SETTINGS}/weights/{{key}}.json",
        embedding=own("weights", of="embedding"),
        query_vectors=own("weights", of="query_vectors"),
        pairs=pairs_of("weights"),
    output:
        output=directory(f"{DATA}/weights/{{key}}"),
        # What tables read. The weights themselves are not versioned: indexes alone read them.
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/weights-{{key}}.log",
    wildcard_constraints:
        key=keys_of("weights"),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of("weights")
    params:
        # The checkpoint is removed when the training has ended.
        options=options(checkpoint=f"{DATA}/checkpoints/{{key}}"),
    shell:
        "ncsbench stage weights {params.options} 2> {log}"


rule train_encoder:
    input:
        code=f"{CODE}/train_encoder.json",
        settings=f"{SETTINGS}/encoders/{{key}}.json",
        pairs=pairs_of("encoder"),
    output:
        output=directory(f"{DATA}/encoders/{{key}}"),
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/encoder-{{key}}.log",
    wildcard_constraints:
        key=keys_of("encoder"),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of("encoder")
    params:
        options=options(checkpoint=f"{DATA}/checkpoints/{{key}}"),
    shell:
        "ncsbench stage train_encoder {params.options} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule train_field_encoder:
    input:
        code=f"{CODE}/train_field_encoder.json",
        settings=f"{SETTINGS}/field_encoders/{{key}}.json",
        pairs=pairs_of("field_encoder"),
    output:
        output=directory(f"{DATA}/field_encoders/{{key}}"),
        record=directory(f"{DATA}/trainings/{{key}}"),
    log:
        f"{LOGS}/field_encoder-{{key}}.log",
    wildcard_constraints:
        key=keys_of("field_encoder"),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of("field_encoder")
    params:
        options=options(checkpoint=f"{DATA}/checkpoints/{{key}}"),
    shell:
        "ncsbench stage train_field_encoder {params.options} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


if TRAININGS:

    include: "loss_curves.smk"
