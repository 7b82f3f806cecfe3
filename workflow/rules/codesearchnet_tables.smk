# Tables of CodeSearchNet that need no model (docs/codesearchnet.md).


rule csn_table2:
    input:
        CSN_CHALLENGE,
        code=f"{CSN_SETTINGS}/code/csn_table2.json",
        published=CSN_PRINTED,
    output:
        output=reported(f"{CSN_RESULTS}/table2.csv", "CodeSearchNet", "csn_table2"),
        annotators=reported(
            f"{CSN_RESULTS}/annotators.csv", "CodeSearchNet", "csn_annotators"
        ),
    log:
        f"{CSN_DATA}/logs/csn_table2.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(**CSN_CHALLENGE_OPTIONS),
    shell:
        "ncsbench stage csn_table2 {params.options} 2> {log}"
