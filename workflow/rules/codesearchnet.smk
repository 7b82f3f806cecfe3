# Corpora of functions in six languages (docs/codesearchnet.md).


wildcard_constraints:
    csn=one_of(NAMED["csn"]),
    language="[a-z]+",


rule csn_inventory:
    input:
        of_named(csn_states),
        code=f"{CSN_SETTINGS}/code/csn_inventory.json",
        settings=f"{CSN_SETTINGS}/{{language}}/inventory.json",
    output:
        f"{CSN_EXTRACTED}/inventory.parquet",
    log:
        f"{CSN_DATA}/logs/csn_inventory-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    threads: 4
    params:
        options=options(memory=f"{CSN_DATA}/commits/{{language}}"),
    shell:
        "ncsbench stage csn_inventory --threads {threads} {params.options} 2> {log}"


# Its outputs stay: other options of a corpus parse nothing again.
rule csn_extract:
    input:
        f"{CSN_SETTINGS}/code/functions_{{language}}.json",
        code=f"{CSN_SETTINGS}/code/csn_extract.json",
        settings=f"{CSN_SETTINGS}/{{language}}/extraction.json",
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
    output:
        functions=f"{CSN_EXTRACTED}/{{shard}}.parquet",
        ledger=f"{CSN_EXTRACTED}/{{shard}}.ledger.parquet",
    log:
        f"{CSN_DATA}/logs/csn_extract-{{language}}-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(shard="{shard}"),
    shell:
        "ncsbench stage csn_extract {params.options} 2> {log}"


rule csn_build_corpus:
    input:
        CSN_CHALLENGE,
        of_named(lambda one, at: one.list_extracted(at.language)),
        code=f"{CSN_SETTINGS}/code/csn_build_corpus.json",
        settings=f"{CSN_SETTINGS}/{{language}}/corpus.json",
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
    output:
        f"{CSN_CORPUS}/functions.parquet",
        f"{CSN_CORPUS}/duplicates.parquet",
        f"{CSN_CORPUS}/ledger.parquet",
        f"{CSN_CORPUS}/manifest.json",
    log:
        f"{CSN_DATA}/logs/csn_build_corpus-{{language}}.log",
    wildcard_constraints:
        csn=one_of(set(NAMED["csn"]) - set(CSN_OF_ZIPS)),
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(extracted=CSN_EXTRACTED, output=CSN_CORPUS),
    shell:
        "ncsbench stage csn_build_corpus {params.options} 2> {log}"


rule csn_import:
    input:
        CSN_CHALLENGE,
        of_named(csn_states),
        code=f"{CSN_SETTINGS}/code/csn_import.json",
        settings=f"{CSN_SETTINGS}/{{language}}/import.json",
        released=ancient(of_named(lambda one, at: one.zips[at.language])),
        published=CSN_PRINTED,
    output:
        f"{CSN_CORPUS}/functions.parquet",
        f"{CSN_CORPUS}/duplicates.parquet",
        f"{CSN_CORPUS}/ledger.parquet",
        f"{CSN_CORPUS}/manifest.json",
    log:
        f"{CSN_DATA}/logs/csn_import-{{language}}.log",
    wildcard_constraints:
        csn=one_of(CSN_OF_ZIPS),
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(output=CSN_CORPUS),
    shell:
        "ncsbench stage csn_import {params.options} 2> {log}"


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
