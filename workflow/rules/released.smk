# Lists of methods as NCSED releases them: read as what a corpus is made of, and written.

if RELEASED_LISTS:

    rule released_methods:
        input:
            code=f"{CODE}/released_methods.json",
            settings=f"{SETTINGS}/released_methods.json",
            states=states_of(*RELEASED_LISTS),
            published=published_inputs(*RELEASED_LISTS),
        output:
            **SPANS,
        log:
            f"{LOGS}/released_methods.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        shell:
            "ncsbench corpus spans --settings {input.settings} --output {output.spans}"
            " --counts {output.counts} 2> {log}"


# With the dataset's score sheet, which a trial does not make.
if RUN.ceiling and not RUN.trial:

    rule released:
        input:
            code=f"{CODE}/released.json",
            settings=f"{SETTINGS}/matches.json",
            inventory=f"{CORPUS}/inventory.parquet",
            manifest=f"{CORPUS}/manifest.json",
            methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
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
            corpus=input_folder("manifest"),
        shell:
            "ncsbench corpus release --settings {input.settings} --corpus {params.corpus}"
            " --questions {input.questions} --matches {input.matches}"
            " --score-sheet {input.score_sheet} --output {output} 2> {log}"
