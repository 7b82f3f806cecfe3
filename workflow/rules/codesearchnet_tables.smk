# Tables of CodeSearchNet that need no model (docs/codesearchnet-challenge.md).


rule csn_table2:
    input:
        code=f"{CSN_SETTINGS}/code/csn_table2.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        figures=of_csn(csn_figures),
    output:
        table=reported(f"{CSN_RESULTS}/table2.csv", "CodeSearchNet", "csn_table2"),
        annotators=reported(
            f"{CSN_RESULTS}/annotators.csv", "CodeSearchNet", "csn_annotators"
        ),
    log:
        f"{CSN_DATA}/logs/csn_table2.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        annotations=of_csn(lambda run, wildcards: run.file.annotations),
        queries=of_csn(lambda run, wildcards: run.file.queries),
        figures=csn_figures_option,
    shell:
        "ncsbench codesearchnet table2 --annotations {params.annotations}"
        " --queries {params.queries} {params.figures} --output {output.table}"
        " --annotators {output.annotators} 2> {log}"
