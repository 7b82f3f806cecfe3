# Supervised training.


rule weights:
    input:
        code=f"{CODE}/weights.json",
        settings=f"{SETTINGS}/weights/{{key}}.json",
        embedding=embedding_of_weights,
        pairs=pairs_of_weights,
    output:
        weights=directory(f"{DATA}/weights/{{key}}"),
        # What tables read. The weights themselves are not versioned: indexes alone read them.
        record=directory(f"{DATA}/trainings/{{key}}"),
        speed=f"{DATA}/benchmarks/weights-{{key}}-speed.tsv",
    log:
        f"{LOGS}/weights-{{key}}.log",
    benchmark:
        f"{DATA}/benchmarks/weights-{{key}}.tsv"
    wildcard_constraints:
        key=one_of(index.weights_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    threads: threads_of_weights
    resources:
        mem_mb=6000,
    params:
        pairs=pairs_option,
        checkpoint=checkpoint_folder,
    shell:
        "ncsbench training weights --settings {input.settings} --embedding {input.embedding}"
        " {params.pairs} --checkpoint {params.checkpoint} --benchmark {output.speed}"
        " --record {output.record}"
        " --output {output.weights} 2> {log}"


if TRAININGS:

    include: "learning_curves.smk"
