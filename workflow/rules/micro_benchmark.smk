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
    params:
        options=options(),
    shell:
        "ncsbench stage micro_queries {params.options} 2> {log}"


rule micro_search:
    input:
        of_run(ARTIFACTS.ranker_code),
        of_run(lambda model: states_of(*model.files)),
        of_searched(ARTIFACTS.base),
        of_searched(ARTIFACTS.parts),
        code=f"{CODE}/micro_search.json",
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/micro_benchmark/retrieval.json",
        words=of_run(ARTIFACTS.words),
        index=of_run(ARTIFACTS.index),
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
    params:
        options=options(tag="{model}"),
    shell:
        "ncsbench stage micro_search {params.options} 2> {log}"


if RUN.micro.rows:

    rule micro_benchmark:
        input:
            states_of("ncs_2018", published=True),
            expand(f"{MICRO}/runs/{{model}}.trec", model=sorted(set(RUN.micro.rows))),
            code=f"{CODE}/micro_benchmark.json",
            settings=f"{TABLE_SETTINGS}/micro_benchmark/table.json",
            words=MICRO_WORDS,
            queries=f"{MICRO}/queries.parquet",
        output:
            reported(f"{TABLE_FOLDER}/micro_benchmark.csv", "Micro-benchmark"),
        log:
            f"{LOGS}/micro_benchmark.log",
        conda:
            f"{ENVIRONMENTS}/models.yaml"
        params:
            options=options(runs=f"{MICRO}/runs", published=f"{PUBLISHED}/ncs_2018.csv"),
        shell:
            "ncsbench stage micro_benchmark {params.options} 2> {log}"
