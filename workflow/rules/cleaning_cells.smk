# Cells of cleaning experiments, a training set with a model and a seed each, and tables (docs/cleaning-experiment.md).


rule cleaning_train:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_train.json",
        settings=f"{CLEANING_SETTINGS}/cells/{{cell}}.json",
        pairs=of_cleaning(cleaning_set_of),
        vocabulary=of_cleaning(cleaning_vocabulary),
        steps_of=of_cleaning(cleaning_steps_of),
    output:
        encoder=directory(f"{CLEANING_DATA}/encoders/{{cell}}"),
        record=directory(f"{CLEANING_DATA}/trainings/{{cell}}"),
    log:
        f"{CLEANING_LOGS}/cleaning_train-{{cell}}.log",
    wildcard_constraints:
        cell="[a-z0-9_]+-[a-z0-9_]+-seed[0-9]+",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        checkpoint=f"{CLEANING_DATA}/checkpoints/{{cell}}",
        vocabulary=cleaning_option("--vocabulary-pairs", "vocabulary"),
        steps_of=cleaning_option("--steps-of", "steps_of"),
    shell:
        "ncsbench cleaning train --settings {input.settings} --pairs {input.pairs}"
        " {params.vocabulary} {params.steps_of} --checkpoint {params.checkpoint}"
        " --record {output.record} --output {output.encoder} 2> {log}"


rule cleaning_rank:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_rank.json",
        settings=f"{CLEANING_SETTINGS}/cells/{{cell}}.json",
        encoder=f"{CLEANING_DATA}/encoders/{{cell}}",
        record=f"{CLEANING_DATA}/trainings/{{cell}}",
        benchmarks=of_cleaning(cleaning_benchmark_files),
    output:
        ranks=f"{CLEANING_MADE}/ranks/{{cell}}.parquet",
        cell=f"{CLEANING_MADE}/cells/{{cell}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_rank-{{cell}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        benchmarks=of_cleaning(cleaning_benchmark_options),
    shell:
        "ncsbench cleaning rank --settings {input.settings} --encoder {input.encoder}"
        " --record {input.record} {params.benchmarks} --output {output.ranks}"
        " --cell {output.cell} 2> {log}"


rule cleaning_main_table:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_main_table.json",
        settings=f"{CLEANING_SETTINGS}/{{table}}.json",
        results=of_cleaning(cleaning_table_inputs),
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/{{table}}.csv", "Cleaning", "cleaning_main_table"),
    log:
        f"{CLEANING_LOGS}/cleaning_main_table-{{table}}.log",
    wildcard_constraints:
        table=one_of(CLEANING_MAIN_TABLES),
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        results=repeat_option("results"),
    shell:
        "ncsbench cleaning main-table --settings {input.settings} {params.results}"
        " --published {input.figures} --output {output} 2> {log}"
