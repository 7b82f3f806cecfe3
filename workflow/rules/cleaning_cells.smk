# Cells of cleaning experiments, a training set with a model and a seed each, and tables (docs/cleaning.md).


rule cleaning_train:
    input:
        unpack(of_named(lambda one, at: one.files_of_cell(at.cell))),
        code=f"{CLEANING_SETTINGS}/code/cleaning_train.json",
        settings=f"{CLEANING_SETTINGS}/cells/{{cell}}.json",
    output:
        output=directory(f"{CLEANING_DATA}/encoders/{{cell}}"),
        record=directory(f"{CLEANING_DATA}/trainings/{{cell}}"),
    log:
        f"{CLEANING_LOGS}/cleaning_train-{{cell}}.log",
    wildcard_constraints:
        cell="[a-z0-9_]+-[a-z0-9_]+-seed[0-9]+",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(checkpoint=f"{CLEANING_DATA}/checkpoints/{{cell}}"),
    shell:
        "ncsbench stage cleaning_train {params.options} 2> {log}"


rule cleaning_rank:
    input:
        of_named(
            lambda one, at: one.list_benchmarks("positives", "queries", "distractors")
        ),
        code=f"{CLEANING_SETTINGS}/code/cleaning_rank.json",
        settings=f"{CLEANING_SETTINGS}/cells/{{cell}}.json",
        encoder=f"{CLEANING_DATA}/encoders/{{cell}}",
        record=f"{CLEANING_DATA}/trainings/{{cell}}",
    output:
        ranks=f"{CLEANING_MADE}/ranks/{{cell}}.parquet",
        cell=f"{CLEANING_MADE}/cells/{{cell}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_rank-{{cell}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(benchmarks=of_named(lambda one, at: one.list_benchmarks())),
    shell:
        "ncsbench stage cleaning_rank {params.options} 2> {log}"


rule cleaning_main_table:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_main_table.json",
        settings=f"{CLEANING_SETTINGS}/{{table}}.json",
        results=of_named(lambda one, at: one.list_results(at.table)),
        published=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/{{table}}.csv", "Cleaning", "cleaning_main_table"),
    log:
        f"{CLEANING_LOGS}/cleaning_main_table-{{table}}.log",
    wildcard_constraints:
        table="table[2358]",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage cleaning_main_table {params.options} 2> {log}"
