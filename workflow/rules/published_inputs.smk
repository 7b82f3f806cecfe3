# Files that others published (config/sources/): got where they are absent, for all datasets at once.


localrules:
    published_inputs,
    published_input,


rule published_inputs:
    input:
        RUN.published_inputs,


# What is there stays, whatever the code, the address or the folder: its checksum says what it is.
rule published_input:
    input:
        settings=ancient(f"{SOURCES}/{{source}}/settings/{{file}}.json"),
    output:
        f"{SOURCES}/{{source}}/{{file}}",
    log:
        "data/logs/published_input-{source}-{file}.log",
    wildcard_constraints:
        source=one_of(Path(path).parent.name for path in RUN.published),
        file=one_of(re.escape(Path(path).name) for path in RUN.published),
    conda:
        f"{ENVIRONMENTS}/archives.yaml"
    resources:
        network_kb=lambda wildcards: RUN.published[
            f"{SOURCES}/{wildcards.source}/{wildcards.file}"
        ].largest_kb,
    params:
        options=options(),
    shell:
        "ncsbench stage published_input {params.options} 2> {log}"
