localrules:
    fetch,


# One job for all archives, so that limits per host hold; the store lies outside of what rules make,
# since Snakemake removes what a job left that was killed. What is in the store was fetched by other code
# or with other options for all that is known, so these alone repeat nothing.
rule fetch:
    input:
        states_of("repositories", "source"),
        published_inputs("repositories"),
        code=ancient(f"{CODE}/fetch.json"),
        settings=ancient(f"{SETTINGS}/fetch.json"),
    output:
        f"{DATA}/store.json",
    log:
        f"{LOGS}/fetch.log",
    conda:
        f"{ENVIRONMENTS}/archives.yaml"
    resources:
        mem_mb=1000,
    params:
        options=options(state=states_of("source")),
    shell:
        "ncsbench stage fetch {params.options} 2> {log}"
