# Lists of methods as NCSED releases them: read as what a corpus is made of, and written.

if RELEASED_LISTS:

    rule released_methods:
        input:
            states_of(*RELEASED_LISTS),
            published_inputs(*RELEASED_LISTS),
            code=f"{CODE}/released_methods.json",
            settings=f"{SETTINGS}/released_methods.json",
        output:
            **SPANS,
        log:
            f"{LOGS}/released_methods.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        params:
            options=options(),
        shell:
            "ncsbench stage released_methods {params.options} 2> {log}"


# With the dataset's score sheet, which a trial does not make.
if RUN.file.ceiling and not RUN.trial:

    rule released:
        input:
            f"{CORPUS}/inventory.parquet",
            f"{CORPUS}/manifest.json",
            expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
            code=f"{CODE}/released.json",
            settings=f"{SETTINGS}/matches.json",
            questions=f"{DATA}/questions.parquet",
            matches=f"{DATA}/matches.parquet",
            score_sheet=f"{RESULTS}/score_sheet.csv",
        output:
            directory(f"{DATA}/released"),
        log:
            f"{LOGS}/released.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            options=options(corpus=CORPUS),
        shell:
            "ncsbench stage released {params.options} 2> {log}"
