# Lists of methods as NCSED releases them, of which a corpus is made.

if RELEASED_LISTS:

    rule released_methods:
        input:
            states_of(*RELEASED_LISTS),
            published_inputs(*RELEASED_LISTS),
            code=f"{CODE}/released_methods.json",
            settings=f"{SETTINGS}/released_methods.json",
        output:
            **SPANS,
        log:
            f"{LOGS}/released_methods.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        params:
            options=options(),
        shell:
            "ncsbench stage released_methods {params.options} 2> {log}"
