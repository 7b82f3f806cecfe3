# What training looked like, and what more pairs bring; where no model is trained there are none.


localrules:
    learning_curves,


rule learning_curves:
    input:
        f"{TABLE_FOLDER}/learning_curves.csv" if CURVE_RUNS else [],
        f"{TABLE_FOLDER}/figures/loss_curves.svg",


rule loss_curves:
    input:
        TRAININGS.values(),
        code=f"{CODE}/loss_curves.json",
    output:
        reported(f"{TABLE_FOLDER}/figures/loss_curves.svg", "Training"),
    log:
        f"{LOGS}/loss_curves.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(
            histories={name: f"{at}/history.csv" for name, at in TRAININGS.items()}
        ),
    shell:
        "ncsbench stage loss_curves {params.options} 2> {log}"


if CURVE_RUNS:

    rule learning_curve_table:
        input:
            expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=CURVE_RUNS),
            expand(f"{JUDGEMENTS}/{{model}}.parquet", model=CURVE_RUNS),
            # They say how many pairs a point has.
            [
                f"{TRAINED}/trainings/{RUN.runs[run].keys['weights']}"
                for run in CURVE_RUNS
            ],
            code=f"{CODE}/learning_curve_table.json",
            settings=f"{TABLE_SETTINGS}/learning_curves.json",
            questions=TABLE_QUESTIONS,
        output:
            reported(f"{TABLE_FOLDER}/learning_curves.csv", "Training"),
        log:
            f"{LOGS}/learning_curves.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            options=options(
                results=RESULTS,
                judgements=JUDGEMENTS,
                trainings=f"{TRAINED}/trainings",
            ),
        shell:
            "ncsbench stage learning_curve_table {params.options} 2> {log}"
