# What DVC versions of a dataset, stage by stage (dvc.yaml).


localrules:
    corpus,
    models,
    runs,
    judgements,
    tables,
    trained,


rule corpus:
    input:
        f"{CORPUS}/manifest.json",


rule models:
    input:
        expand(f"{DATA}/words/{{key}}", key=ARTIFACTS.keys("words", TABLE_RUNS)),
        ARTIFACTS.list_learnt(TABLE_RUNS, small=True),
        expand(
            f"{TRAINED}/trainings/{{key}}", key=ARTIFACTS.keys("training", TABLE_RUNS)
        ),


rule runs:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=TABLE_RUNS),


rule judgements:
    input:
        expand(f"{DATA}/judgements/{{model}}.parquet", model=TABLE_RUNS),
        f"{DATA}/matches.parquet" if RUN.file.ceiling else [],
        f"{RESULTS}/answers.csv",
        REPOSITORY_INTERVALS,


rule tables:
    input:
        GOLD_TABLES,
        (
            [f"{TABLE_FOLDER}/{name}" for name in ("table1.csv", "metrics")]
            if RUN.judged
            else []
        ),
        f"{TABLE_FOLDER}/provenance.json" if RUN.judged else [],


if RUN.trial:

    localrules:
        trial,

    rule trial:
        input:
            rules.tables.input,
            f"{TABLE_FOLDER}/study.csv" if config.get("study") else [],


# What other datasets can take with trained_in; DVC does not version it.
rule trained:
    input:
        ARTIFACTS.list_learnt(TABLE_RUNS),
