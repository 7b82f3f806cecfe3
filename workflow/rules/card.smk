# What a dataset is made of, under which licences: a page, and a list of whom to name.

DATA_CARD = [f"{RESULTS}/data_card.md", f"{RESULTS}/attribution_repositories.csv"]
# Those that the rows of Table 1 learn from.
CARD_PAIRS = sorted({name for model in RUN.models.values() for name in model.pair_sets})


localrules:
    card,


rule card:
    input:
        DATA_CARD,


rule data_card:
    input:
        f"{CORPUS}/manifest.json",
        f"{CORPUS}/inventory.parquet",
        f"{CORPUS}/ledger.parquet",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        code=f"{CODE}/data_card.json",
        settings=f"{SETTINGS}/card.json",
        licences=f"{CORPUS}/licences.parquet",
        questions=f"{DATA}/questions.parquet",
        pairs=expand(f"{DATA}/pairs/{{name}}.parquet", name=CARD_PAIRS),
    output:
        output=DATA_CARD[0],
        attribution=reported(DATA_CARD[1], "Data card"),
    log:
        f"{LOGS}/data_card.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(corpus=CORPUS),
    shell:
        "ncsbench stage data_card {params.options} 2> {log}"
