# Corpora of functions in six languages (docs/codesearchnet.md); targets need no --config. What a run of these is made
# of is read where one of its files is asked for.


wildcard_constraints:
    csn=one_of(CSN_NAMES),
    language="[a-z]+",


for _csn in CSN_NAMES:

    rule:
        name:
            _csn
        input:
            csn_targets(_csn),
        localrule: True


rule csn_inventory:
    input:
        code=f"{CSN_SETTINGS}/code/csn_inventory.json",
        settings=f"{CSN_SETTINGS}/{{language}}/inventory.json",
        states=of_csn(csn_states),
    output:
        f"{CSN_EXTRACTED}/inventory.parquet",
    log:
        f"{CSN_DATA}/logs/csn_inventory-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    threads: 4
    params:
        memory=f"{CSN_DATA}/commits/{{language}}",
    shell:
        "ncsbench codesearchnet inventory --settings {input.settings} --threads {threads}"
        " --memory {params.memory} --output {output} 2> {log}"


# Its outputs stay: other options of a corpus parse nothing again.
rule csn_extract:
    input:
        code=f"{CSN_SETTINGS}/code/csn_extract.json",
        language=f"{CSN_SETTINGS}/code/functions_{{language}}.json",
        settings=f"{CSN_SETTINGS}/{{language}}/extraction.json",
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
    output:
        functions=f"{CSN_EXTRACTED}/{{shard}}.parquet",
        ledger=f"{CSN_EXTRACTED}/{{shard}}.ledger.parquet",
    log:
        f"{CSN_DATA}/logs/csn_extract-{{language}}-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    shell:
        "ncsbench codesearchnet extract --settings {input.settings} --inventory {input.inventory}"
        " --shard {wildcards.shard} --output {output.functions} --ledger {output.ledger} 2> {log}"


rule csn_build_corpus:
    input:
        code=f"{CSN_SETTINGS}/code/csn_build_corpus.json",
        settings=f"{CSN_SETTINGS}/{{language}}/corpus.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
        functions=csn_shards(".parquet"),
        ledgers=csn_shards(".ledger.parquet"),
    output:
        functions=f"{CSN_CORPUS}/functions.parquet",
        duplicates=f"{CSN_CORPUS}/duplicates.parquet",
        ledger=f"{CSN_CORPUS}/ledger.parquet",
        manifest=f"{CSN_CORPUS}/manifest.json",
    log:
        f"{CSN_DATA}/logs/csn_build_corpus-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        extracted=input_folder("functions"),
        corpus=output_folder("manifest"),
    shell:
        "ncsbench codesearchnet build-corpus --settings {input.settings}"
        " --inventory {input.inventory} --extracted {params.extracted} --output {params.corpus} 2> {log}"
