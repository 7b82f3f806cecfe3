# Tables of what the filter of cleaning experiments does with comments (docs/cleaning-experiment.md).


rule cleaning_table4:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_table4.json",
        settings=f"{CLEANING_SETTINGS}/filter_tables.json",
        raw=cleaning_shown_raw(larger=False),
        kept=cleaning_shown_set(larger=False),
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/table4.csv", "Cleaning", "cleaning_table4"),
    log:
        f"{CLEANING_LOGS}/cleaning_table4.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        kept=cleaning_option("--kept", "kept"),
    shell:
        "ncsbench cleaning table4 --settings {input.settings} --raw {input.raw} {params.kept}"
        " --published {input.figures} --output {output} 2> {log}"


rule cleaning_table6:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_table6.json",
        settings=f"{CLEANING_SETTINGS}/filter_tables.json",
        raw=cleaning_shown_raw(larger=True),
        kept=cleaning_shown_set(larger=True),
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/table6.csv", "Cleaning", "cleaning_table6"),
    log:
        f"{CLEANING_LOGS}/cleaning_table6.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        kept=cleaning_option("--kept", "kept"),
    shell:
        "ncsbench cleaning table6 --settings {input.settings} --raw {input.raw} {params.kept}"
        " --published {input.figures} --output {output} 2> {log}"


rule cleaning_table7:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_table7.json",
        settings=f"{CLEANING_SETTINGS}/table7.json",
        sets=of_cleaning(cleaning_all_sets),
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/table7.csv", "Cleaning", "cleaning_table7"),
    log:
        f"{CLEANING_LOGS}/cleaning_table7.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        sets=input_folder("sets"),
    shell:
        "ncsbench cleaning table7 --settings {input.settings} --sets {params.sets}"
        " --published {input.figures} --output {output} 2> {log}"


rule cleaning_figure1:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_figure1.json",
        raw=cleaning_shown_raw(larger=False),
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/figure1.csv", "Cleaning", "cleaning_figure1"),
    log:
        f"{CLEANING_LOGS}/cleaning_figure1.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    shell:
        "ncsbench cleaning figure1 --raw {input.raw}"
        " --published {input.figures} --output {output} 2> {log}"


rule cleaning_figure4:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_figure4.json",
        table=f"{CLEANING_RESULTS}/table5.csv",
        figures=CLEANING_FIGURES,
    output:
        reported(f"{CLEANING_RESULTS}/figure4.svg", "Cleaning", "cleaning_figure4"),
    log:
        f"{CLEANING_LOGS}/cleaning_figure4.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    shell:
        "ncsbench cleaning figure4 --table {input.table}"
        " --published {input.figures} --output {output} 2> {log}"
