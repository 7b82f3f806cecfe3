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
        expand(f"{DATA}/words/{{key}}", key=keys_of_tables("words")),
        expand(f"{TRAINED}/expansions/{{key}}.parquet", key=keys_of_tables("expansion")),
        expand(f"{TRAINED}/translations/{{key}}", key=keys_of_tables("translation")),
        expand(f"{TRAINED}/trainings/{{key}}", key=keys_of_tables("training")),


rule runs:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=TABLE_RUNS),


rule judgements:
    input:
        expand(f"{DATA}/judgements/{{model}}.parquet", model=TABLE_RUNS),
        f"{DATA}/matches.parquet" if RUN.ceiling else [],
        f"{RESULTS}/answers.csv",
        REPOSITORY_INTERVALS,


rule tables:
    input:
        f"{TABLE_FOLDER}/table1.csv",
        f"{TABLE_FOLDER}/metrics",
        f"{TABLE_FOLDER}/provenance.json",
        f"{TABLE_FOLDER}/figures/loss_curves.svg" if TRAININGS else [],


if RUN.trial:

    localrules:
        trial,

    rule trial:
        input:
            rules.tables.input,


# What other datasets can take with trained_in; DVC does not version it.
rule trained:
    input:
        expand(f"{TRAINED}/embeddings/{{key}}", key=keys_of_tables("embedding")),
        expand(f"{TRAINED}/expansions/{{key}}.parquet", key=keys_of_tables("expansion")),
        expand(f"{TRAINED}/translations/{{key}}", key=keys_of_tables("translation")),
        expand(f"{TRAINED}/weights/{{key}}", key=keys_of_tables("weights")),
        expand(f"{TRAINED}/encoders/{{key}}", key=keys_of_tables("encoder")),
        expand(f"{TRAINED}/field_encoders/{{key}}", key=keys_of_tables("field_encoder")),
