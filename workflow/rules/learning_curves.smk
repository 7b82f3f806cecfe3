# What training looked like, and what more pairs bring; where no model is trained there are none.


localrules:
    learning_curves,


rule learning_curves:
    input:
        f"{TABLE_FOLDER}/figures/learning_curves.svg" if CURVE_RUNS else [],
        f"{TABLE_FOLDER}/figures/loss_curves.svg",


rule loss_curves:
    input:
        code=f"{CODE}/loss_curves.json",
        trainings=TRAININGS.values(),
    output:
        reported(f"{TABLE_FOLDER}/figures/loss_curves.svg", "Training"),
    log:
        f"{LOGS}/loss_curves.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        histories=history_options,
    shell:
        "ncsbench learning-curves losses {params.histories} --output {output} 2> {log}"


if CURVE_RUNS:

    rule learning_curve_table:
        input:
            code=f"{CODE}/learning_curve_table.json",
            settings=f"{TABLE_SETTINGS}/learning_curves.json",
            questions=TABLE_QUESTIONS,
            runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=CURVE_RUNS),
            judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=CURVE_RUNS),
            trainings=trainings_of_curves,
        output:
            table=reported(f"{TABLE_FOLDER}/learning_curves.csv", "Training"),
            figure=reported(f"{TABLE_FOLDER}/figures/learning_curves.svg", "Training"),
        log:
            f"{LOGS}/learning_curves.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            results=results_of_run,
            judgements=input_folder("judgements"),
            trainings=input_folder("trainings"),
        shell:
            "ncsbench learning-curves build --settings {input.settings} --questions {input.questions}"
            " --results {params.results} --judgements {params.judgements}"
            " --trainings {params.trainings} --output {output.table} --figure {output.figure} 2> {log}"
