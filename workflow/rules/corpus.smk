rule list_files:
    input:
        code=f"{CODE}/list_files.json",
        settings=f"{SETTINGS}/listing.json",
        states=states_of_sources,
        list=published_inputs("repositories"),
        store=STORE,
    output:
        f"{CORPUS}/inventory.parquet",
    log:
        f"{LOGS}/list_files.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    threads: 4
    params:
        memory=lambda wildcards, output: os.path.dirname(os.path.dirname(output[0])),
    shell:
        "ncsbench corpus inventory --settings {input.settings} --threads {threads}"
        " --memory {params.memory} --output {output} 2> {log}"


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
        spans=spans_option,
    shell:
        "ncsbench corpus extract --settings {input.settings} --inventory {input.inventory}"
        " {params.spans} --shard {wildcards.shard} --output {output.methods} --ledger {output.ledger} 2> {log}"


rule build_corpus:
    input:
        code=f"{CODE}/build_corpus.json",
        settings=f"{SETTINGS}/corpus.json",
        inventory=f"{CORPUS}/inventory.parquet",
        methods=expand(f"{DATA}/extracted/{{shard}}.parquet", shard=SHARDS),
        ledgers=expand(f"{DATA}/extracted/{{shard}}.ledger.parquet", shard=SHARDS),
        released=SPANS["counts"] if RELEASED_LISTS else [],
    output:
        manifest=f"{CORPUS}/manifest.json",
        ledger=f"{CORPUS}/ledger.parquet",
        duplicates=f"{CORPUS}/duplicates.parquet",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        item_shards=expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
    log:
        f"{LOGS}/build_corpus.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        extracted=input_folder("methods"),
        corpus=output_folder("manifest"),
        released=counts_option,
    shell:
        "ncsbench corpus build --settings {input.settings} --inventory {input.inventory}"
        " {params.released} --extracted {params.extracted} --output {params.corpus} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule words:
    input:
        code=f"{CODE}/words.json",
        settings=f"{SETTINGS}/words/{{key}}.json",
        manifest=f"{CORPUS}/manifest.json",
        item_shards=expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
    output:
        directory(f"{DATA}/words/{{key}}"),
    log:
        f"{LOGS}/words-{{key}}.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench corpus words --settings {input.settings} --corpus {params.corpus}"
        " --output {output} 2> {log}"


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
    shell:
        "ncsbench corpus licences --settings {input.settings} --inventory {input.inventory}"
        " --output {output} 2> {log}"
