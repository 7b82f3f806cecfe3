# Tables, questions and methods as pages to look at.


localrules:
    explorer,


rule explorer:
    input:
        f"{TABLE_FOLDER}/explorer/index.html",


rule write_explorer:
    input:
        code=f"{CODE}/write_explorer.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        page=sorted(map(str, (WORKFLOW / "ncsbench" / "explorer" / "page").iterdir())),
        questions=TABLE_QUESTIONS,
        answers=f"{RESULTS}/answers.csv",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        licences=f"{CORPUS}/licences.parquet",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        table=f"{TABLE_FOLDER}/table1.csv",
        tables=expand(
            f"{TABLE_FOLDER}/{{name}}",
            name=["significance.csv", "per_question.parquet"],
        ),
        # How the questions were selected, and who wrote them.
        selected=(
            expand(
                f"{RESULTS}/selected/{{name}}", name=["funnel.csv", "attribution.csv"]
            )
            if RUN.posts
            else []
        ),
    output:
        index=f"{TABLE_FOLDER}/explorer/index.html",
    log:
        f"{LOGS}/write_explorer.log",
    conda:
        f"{ENVIRONMENTS}/explorer.yaml"
    params:
        corpus=input_folder("manifest"),
        judgements=input_folder("judgements"),
        results=results_of_run,
        tables=input_folder("table"),
        selected=selected_option,
        logs=LOGS,
        trial=f"--trial {RUN.trial}" if RUN.trial else "",
        output=output_folder("index"),
    shell:
        "ncsbench explorer build --settings {input.settings} --questions {input.questions}"
        " --answers {input.answers} --corpus {params.corpus} --licences {input.licences}"
        " --judgements {params.judgements} --results {params.results} --tables {params.tables}"
        " {params.selected} {params.trial} --logs {params.logs} --output {params.output} 2> {log}"
