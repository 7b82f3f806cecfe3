localrules:
    duplicates,


rule duplicates:
    input:
        f"{RESULTS}/duplicates.csv",
        f"{TABLE_FOLDER}/duplicates.md",


rule count_duplicates:
    input:
        code=f"{CODE}/count_duplicates.json",
        manifest=f"{CORPUS}/manifest.json",
        ledger=f"{CORPUS}/ledger.parquet",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        item_shards=expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
    output:
        firsts=f"{DATA}/first_methods.parquet",
        table=reported(f"{RESULTS}/duplicates.csv", "Duplicates"),
    log:
        f"{LOGS}/count_duplicates.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        corpus=input_folder("manifest"),
        dataset=RUN.dataset,
    shell:
        "ncsbench corpus duplicates --corpus {params.corpus} --dataset {params.dataset}"
        " --firsts {output.firsts} --output {output.table} 2> {log}"


rule table1_without_copies:
    input:
        code=f"{CODE}/table1_without_copies.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        firsts=f"{DATA}/first_methods.parquet",
        counts=f"{RESULTS}/duplicates.csv",
        questions=TABLE_QUESTIONS,
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
    output:
        table=reported(f"{TABLE_FOLDER}/table1_without_copies.csv", "Duplicates"),
        page=f"{TABLE_FOLDER}/duplicates.md",
    log:
        f"{LOGS}/table1_without_copies.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        results=results_of_run,
        judgements=input_folder("judgements"),
    shell:
        "ncsbench tables duplicates --settings {input.settings} --firsts {input.firsts}"
        " --counts {input.counts} --questions {input.questions} --results {params.results}"
        " --judgements {params.judgements} --output {output.table} --report {output.page} 2> {log}"
