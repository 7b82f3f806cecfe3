# Tables, questions and methods as pages to look at. Those of evidence are in evidence.smk.
EXPLORER_PAGE = sorted(
    map(str, (WORKFLOW / "ncsbench" / "apps" / "explorer" / "page").iterdir())
)
EXPLORER_TABLES = [
    "table1.csv",
    "table1_long.csv",
    "significance.csv",
    "per_question.parquet",
]


localrules:
    explorer,


rule explorer:
    input:
        f"{TABLE_FOLDER}/explorer/index.html",


rule write_explorer:
    input:
        EXPLORER_PAGE,
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        expand(f"{JUDGEMENTS}/{{model}}.parquet", model=MODELS),
        expand(f"{TABLE_FOLDER}/{{name}}", name=EXPLORER_TABLES),
        # Who wrote the questions.
        f"{RESULTS}/selected/attribution.csv" if RUN.file.posts else [],
        code=f"{CODE}/write_explorer.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        questions=TABLE_QUESTIONS,
        answers=f"{RESULTS}/answers.csv",
        licences=f"{CORPUS}/licences.parquet",
    output:
        f"{TABLE_FOLDER}/explorer/index.html",
    log:
        f"{LOGS}/write_explorer.log",
    conda:
        f"{ENVIRONMENTS}/explorer.yaml"
    params:
        options=options(
            corpus=CORPUS,
            results=RESULTS,
            judgements=JUDGEMENTS,
            tables=TABLE_FOLDER,
            selected=f"{RESULTS}/selected" if RUN.file.posts else None,
            trial=RUN.trial,
            output=f"{TABLE_FOLDER}/explorer",
        ),
    shell:
        "ncsbench stage write_explorer {params.options} 2> {log}"
