# What a dataset is made of, under which licences: a page, a list of whom to name, and Croissant.

DATA_CARD = [f"{RESULTS}/data_card.md", f"{RESULTS}/attribution_repositories.csv"]
# Those that the rows of Table 1 learn from.
CARD_PAIRS = sorted({name for model in RUN.models.values() for name in model.pair_sets})


localrules:
    card,


rule card:
    input:
        DATA_CARD,
        f"{RESULTS}/croissant.json" if RUN.ceiling else [],


rule data_card:
    input:
        code=f"{CODE}/data_card.json",
        settings=f"{SETTINGS}/card.json",
        manifest=f"{CORPUS}/manifest.json",
        inventory=f"{CORPUS}/inventory.parquet",
        ledger=f"{CORPUS}/ledger.parquet",
        licences=f"{CORPUS}/licences.parquet",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        questions=f"{DATA}/questions.parquet",
        pairs=expand(f"{DATA}/pairs/{{name}}.parquet", name=CARD_PAIRS),
    output:
        page=DATA_CARD[0],
        attribution=reported(DATA_CARD[1], "Data card"),
    log:
        f"{LOGS}/data_card.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        corpus=input_folder("manifest"),
        pairs=lambda wildcards, input: [f"--pairs {path}" for path in input.pairs],
    shell:
        "ncsbench tables card --settings {input.settings} --corpus {params.corpus}"
        " --licences {input.licences} --questions {input.questions} {params.pairs}"
        " --output {output.page} --attribution {output.attribution} 2> {log}"


if RUN.ceiling:

    rule croissant:
        input:
            code=f"{CODE}/croissant.json",
            settings=f"{SETTINGS}/card.json",
            manifest=f"{CORPUS}/manifest.json",
            licences=f"{CORPUS}/licences.parquet",
            released=f"{DATA}/released",
            tables=[f"{RESULTS}/{name}" for name in ("table1.csv", *TABLES)],
            card=DATA_CARD,
        output:
            f"{RESULTS}/croissant.json",
        log:
            f"{LOGS}/croissant.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            corpus=input_folder("manifest"),
            tables=lambda wildcards, input: [
                f"--tables {path}" for path in [*input.tables, *input.card]
            ],
        shell:
            "ncsbench tables croissant --settings {input.settings} --corpus {params.corpus}"
            " --licences {input.licences} --released {input.released} {params.tables}"
            " --output {output} 2> {log}"
