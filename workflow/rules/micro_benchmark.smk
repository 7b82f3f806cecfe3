# Methods found again by some of their own words (NCS paper, section 3.1): no judge, no questions.

MICRO = f"{DATA}/micro_benchmark"
MICRO_WORDS = f"{DATA}/words/{RUN.micro.words_key}"


rule micro_queries:
    input:
        code=f"{CODE}/micro_queries.json",
        settings=f"{SETTINGS}/micro_benchmark/queries.json",
        words=MICRO_WORDS,
    output:
        f"{MICRO}/queries.parquet",
    log:
        f"{LOGS}/micro_queries.log",
    priority: 1  # A corpus that is too small is refused before anything is trained.
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    shell:
        "ncsbench micro-benchmark queries --settings {input.settings} --words {input.words}"
        " --output {output} 2> {log}"


rule micro_search:
    input:
        code=f"{CODE}/micro_search.json",
        ranker_code=code_of_model,
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/micro_benchmark/retrieval.json",
        states=states_of_search,
        words=words_of_model,
        index=index_of_model,
        base_index=base_of_model,
        parts=parts_of_model,
        queries=f"{MICRO}/queries.parquet",
    output:
        f"{MICRO}/runs/{{model}}.trec",
    log:
        f"{LOGS}/micro_search-{{model}}.log",
    wildcard_constraints:
        model=one_of(RUN.micro.by_name),
    conda:
        RANKERS_ENVIRONMENT
    threads: 2
    shell:
        "ncsbench micro-benchmark search --settings {input.settings}"
        " --retrieval {input.retrieval} --words {input.words} --index {input.index}"
        " --queries {input.queries} --tag {wildcards.model} --output {output} 2> {log}"


if RUN.micro.rows:

    rule micro_benchmark:
        input:
            code=f"{CODE}/micro_benchmark.json",
            settings=f"{TABLE_SETTINGS}/micro_benchmark/table.json",
            words=MICRO_WORDS,
            queries=f"{MICRO}/queries.parquet",
            states=states_of("ncs_2018", published=True),
            runs=expand(
                f"{MICRO}/runs/{{model}}.trec", model=sorted(set(RUN.micro.rows))
            ),
        output:
            reported(f"{TABLE_FOLDER}/micro_benchmark.csv", "Micro-benchmark"),
        log:
            f"{LOGS}/micro_benchmark.log",
        conda:
            f"{ENVIRONMENTS}/models.yaml"
        params:
            runs=input_folder("runs"),
            published=f"{PUBLISHED}/ncs_2018.csv",
        shell:
            "ncsbench micro-benchmark table --settings {input.settings} --words {input.words}"
            " --queries {input.queries} --runs {params.runs} --published {params.published}"
            " --output {output} 2> {log}"


if RUN.micro.choices:

    rule micro_choices:
        input:
            code=f"{CODE}/micro_choices.json",
            settings=f"{TABLE_SETTINGS}/micro_benchmark/choices.json",
            words=MICRO_WORDS,
            queries=f"{MICRO}/queries.parquet",
            runs=expand(f"{MICRO}/runs/{{model}}.trec", model=RUN.micro.choices),
        output:
            reported(f"{TABLE_FOLDER}/micro_choices.csv", "Micro-benchmark"),
        log:
            f"{LOGS}/micro_choices.log",
        conda:
            f"{ENVIRONMENTS}/models.yaml"
        params:
            runs=input_folder("runs"),
        shell:
            "ncsbench micro-benchmark choices --settings {input.settings} --words {input.words}"
            " --queries {input.queries} --runs {params.runs} --output {output} 2> {log}"
