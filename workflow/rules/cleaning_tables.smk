# Tables of what the filter of cleaning experiments does with comments (docs/cleaning.md).


rule cleaning_filter_table:
    input:
        unpack(of_named(lambda one, at: one.files_of_filter(at.table))),
        code=f"{CLEANING_SETTINGS}/code/cleaning_filter_table.json",
        settings=f"{CLEANING_SETTINGS}/filter_tables.json",
        published=CLEANING_FIGURES,
    output:
        reported(
            f"{CLEANING_RESULTS}/{{table}}.csv", "Cleaning", "cleaning_filter_table"
        ),
    log:
        f"{CLEANING_LOGS}/cleaning_filter_table-{{table}}.log",
    wildcard_constraints:
        table="table[46]",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(table="{table}"),
    shell:
        "ncsbench stage cleaning_filter_table {params.options} 2> {log}"


rule cleaning_table7:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_table7.json",
        sets=of_named(lambda one, at: one.list_sets(*one.sets)),
        published=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/table7.csv", "Cleaning", "cleaning_table7"),
    log:
        f"{CLEANING_LOGS}/cleaning_table7.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage cleaning_table7 {params.options} 2> {log}"


rule cleaning_figure1:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_figure1.json",
        raw=of_named(lambda one, at: one.files_of_filter("figure1")["raw"]),
        published=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/figure1.csv", "Cleaning", "cleaning_figure1"),
    log:
        f"{CLEANING_LOGS}/cleaning_figure1.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage cleaning_figure1 {params.options} 2> {log}"
