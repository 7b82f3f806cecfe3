localrules:
    duplicates,


rule duplicates:
    input:
        f"{RESULTS}/duplicates.csv",
        f"{TABLE_FOLDER}/table1_without_copies.csv",


rule count_duplicates:
    input:
        f"{CORPUS}/manifest.json",
        f"{CORPUS}/ledger.parquet",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
        code=f"{CODE}/count_duplicates.json",
    output:
        firsts=f"{DATA}/first_methods.parquet",
        output=reported(f"{RESULTS}/duplicates.csv", "Duplicates"),
    log:
        f"{LOGS}/count_duplicates.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(corpus=CORPUS, dataset=RUN.dataset),
    shell:
        "ncsbench stage count_duplicates {params.options} 2> {log}"


rule table1_without_copies:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        code=f"{CODE}/table1_without_copies.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        firsts=f"{DATA}/first_methods.parquet",
        questions=TABLE_QUESTIONS,
    output:
        output=reported(f"{TABLE_FOLDER}/table1_without_copies.csv", "Duplicates"),
    log:
        f"{LOGS}/table1_without_copies.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(results=RESULTS, judgements=f"{DATA}/judgements"),
    shell:
        "ncsbench stage table1_without_copies {params.options} 2> {log}"
