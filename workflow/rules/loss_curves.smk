# How trainings went; included where a model is trained.


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
