# Tables by gold: what a dataset file says is right, in place of judges or beside them.

if GOLD_FILES:

    rule gold:
        input:
            f"{CORPUS}/manifest.json",
            expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
            states_of(*GOLD_FILES),
            code=f"{CODE}/gold.json",
            settings=f"{SETTINGS}/gold.json",
            questions=QUESTIONS,
        output:
            f"{DATA}/gold.parquet",
        log:
            f"{LOGS}/gold.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        params:
            options=options(corpus=CORPUS),
        shell:
            "ncsbench stage gold {params.options} 2> {log}"
            " && (grep ': warning: ' {log} >&2 || true)"

    rule gold_tables:
        input:
            expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=list(RUN.models)),
            code=f"{CODE}/gold_tables.json",
            settings=f"{TABLE_SETTINGS}/gold_table.json",
            questions=TABLE_QUESTIONS,
            gold=f"{DATA}/gold.parquet",
        output:
            GOLD_TABLES,
        log:
            f"{LOGS}/gold_tables.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            options=options(
                results=RESULTS, output=TABLE_FOLDER, per_question=GOLD_TABLES[-1]
            ),
        shell:
            "ncsbench stage gold_tables {params.options} 2> {log}"


if GOLD_FILES and not RUN.judged:

    # Both make per_question.parquet.
    ruleorder: gold_tables > dataset_tables
