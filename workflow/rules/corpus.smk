rule list_files:
    input:
        states_of_sources,
        published_inputs(*LISTS),
        STORE,
        code=f"{CODE}/list_files.json",
        settings=f"{SETTINGS}/listing.json",
    output:
        f"{CORPUS}/inventory.parquet",
    log:
        f"{LOGS}/list_files.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    threads: 4
    params:
        options=options(memory=DATA),
    shell:
        "ncsbench stage list_files --threads {threads} {params.options} 2> {log}"


rule extract:
    input:
        code=f"{CODE}/extract.json",
        settings=f"{SETTINGS}/corpus.json",
        inventory=f"{CORPUS}/inventory.parquet",
        spans=SPANS["spans"] if RELEASED_LISTS else [],
    output:
        methods=temp(f"{DATA}/extracted/{{shard}}.parquet"),
        ledger=temp(f"{DATA}/extracted/{{shard}}.ledger.parquet"),
    log:
        f"{LOGS}/extract-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(shard="{shard}"),
    shell:
        "ncsbench stage extract {params.options} 2> {log}"


rule build_corpus:
    input:
        expand(f"{DATA}/extracted/{{shard}}.parquet", shard=SHARDS),
        expand(f"{DATA}/extracted/{{shard}}.ledger.parquet", shard=SHARDS),
        code=f"{CODE}/build_corpus.json",
        settings=f"{SETTINGS}/corpus.json",
        inventory=f"{CORPUS}/inventory.parquet",
        released=SPANS["counts"] if RELEASED_LISTS else [],
    output:
        f"{CORPUS}/manifest.json",
        f"{CORPUS}/ledger.parquet",
        f"{CORPUS}/duplicates.parquet",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
    log:
        f"{LOGS}/build_corpus.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(extracted=f"{DATA}/extracted", output=CORPUS),
    shell:
        "ncsbench stage build_corpus {params.options} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule words:
    input:
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
        code=f"{CODE}/words.json",
        settings=f"{SETTINGS}/words/{{key}}.json",
    output:
        directory(f"{DATA}/words/{{key}}"),
    log:
        f"{LOGS}/words-{{key}}.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(corpus=CORPUS),
    shell:
        "ncsbench stage words {params.options} 2> {log}"


rule licences:
    input:
        code=f"{CODE}/licences.json",
        settings=f"{SETTINGS}/listing.json",
        inventory=f"{CORPUS}/inventory.parquet",
    output:
        f"{CORPUS}/licences.parquet",
    log:
        f"{LOGS}/licences.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage licences {params.options} 2> {log}"
