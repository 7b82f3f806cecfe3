rule questions:
    input:
        RUN.file.questions if RUN.questions_are_selected else [],
        states_of(*QUESTION_FILES, *GOLD_FILES),
        published_inputs(*QUESTION_FILES),
        code=f"{CODE}/questions.json",
        settings=f"{SETTINGS}/questions.json",
    output:
        QUESTIONS,
    log:
        f"{LOGS}/questions.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage questions {params.options} 2> {log}"


if RUN.part:

    rule part_questions:
        input:
            code=f"{CODE}/part_questions.json",
            settings=f"{SETTINGS}/parts/{RUN.part}.json",
            questions=QUESTIONS,
        output:
            TABLE_QUESTIONS,
        log:
            f"{LOGS}/part_questions.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        params:
            options=options(),
        shell:
            "ncsbench stage part_questions {params.options} 2> {log}"


rule parse_answers:
    input:
        code=f"{CODE}/parse_answers.json",
        questions=QUESTIONS,
    output:
        f"{RESULTS}/answers.csv",
    log:
        f"{LOGS}/parse_answers.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage parse_answers {params.options} 2> {log}"


rule judge_index:
    input:
        f"{CORPUS}/manifest.json",
        f"{CORPUS}/methods/{{shard}}.parquet",
        code=f"{CODE}/judge_index.json",
    output:
        directory(f"{JUDGE_INDEX}/{{shard}}"),
    log:
        f"{LOGS}/judge_index-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(corpus=CORPUS, shard="{shard}", output=JUDGE_INDEX),
    shell:
        "ncsbench stage judge_index {params.options} 2> {log}"


rule judge:
    input:
        JUDGE_SHARDS,
        code=f"{CODE}/judge.json",
        run=f"{RESULTS}/runs/{{model}}.trec.gz",
        questions=QUESTIONS,
    output:
        f"{JUDGEMENTS}/{{model}}.parquet",
    log:
        f"{LOGS}/judge-{{model}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(index=JUDGE_INDEX),
    shell:
        "ncsbench stage judge {params.options} 2> {log}"


rule match:
    input:
        f"{JUDGE_INDEX}/{{shard}}",
        code=f"{CODE}/match.json",
        settings=f"{SETTINGS}/matches.json",
        questions=QUESTIONS,
    output:
        temp(f"{DATA}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/match-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(index=JUDGE_INDEX, shard="{shard}"),
    shell:
        "ncsbench stage match {params.options} 2> {log}"


rule merge_matches:
    input:
        code=f"{CODE}/merge_matches.json",
        settings=f"{SETTINGS}/matches.json",
        parts=expand(f"{DATA}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{DATA}/matches.parquet",
    log:
        f"{LOGS}/merge_matches.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage merge_matches {params.options} 2> {log}"


rule examples:
    input:
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        code=f"{CODE}/examples.json",
        matches=f"{DATA}/matches.parquet",
        questions=QUESTIONS,
    output:
        f"{RESULTS}/examples.csv",
    log:
        f"{LOGS}/examples.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(corpus=CORPUS),
    shell:
        "ncsbench stage examples {params.options} 2> {log}"


rule repository_intervals:
    input:
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        JUDGE_SHARDS,
        code=f"{CODE}/repository_intervals.json",
        settings=f"{SETTINGS}/repositories/intervals.json",
        questions=QUESTIONS,
        run=f"{DATA}/deep_runs/{{model}}.trec",
    output:
        f"{INTERVALS}/{{model}}.csv",
    log:
        f"{LOGS}/repository_intervals-{{model}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(corpus=CORPUS, index=JUDGE_INDEX),
    shell:
        "ncsbench stage repository_intervals {params.options} 2> {log}"


rule dataset_tables:
    input:
        f"{CORPUS}/manifest.json",
        f"{CORPUS}/inventory.parquet",
        f"{CORPUS}/ledger.parquet",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=TABLE_RUNS),
        expand(f"{JUDGEMENTS}/{{model}}.parquet", model=TABLE_RUNS),
        states_of(*PUBLISHED_FILES, "score_sheet", published=True),
        TRAININGS.values(),
        REPOSITORY_INTERVALS,
        code=f"{CODE}/dataset_tables.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        questions=TABLE_QUESTIONS,
        answers=f"{RESULTS}/answers.csv",
        matches=f"{DATA}/matches.parquet" if RUN.file.ceiling else [],
    output:
        [f"{TABLE_FOLDER}/{name}" for name in TABLES if name not in COMPARISONS],
        [reported(f"{TABLE_FOLDER}/{name}", "Comparisons") for name in COMPARISONS],
        directory(f"{TABLE_FOLDER}/metrics"),
        f"{TABLE_FOLDER}/table1.csv",
    log:
        f"{LOGS}/dataset_tables.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(
            corpus=CORPUS,
            judgements=JUDGEMENTS,
            published=PUBLISHED,
            score_sheet=SCORE_SHEET,
            results=RESULTS,
            trainings=f"{TRAINED}/trainings" if TRAININGS else None,
            repository_intervals=REPOSITORY_INTERVALS and INTERVALS,
            output=TABLE_FOLDER,
        ),
    shell:
        "ncsbench stage dataset_tables {params.options} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


# Of a trial that a study describes (config/studies): each changed row beside the one unchanged.
rule study_table:
    input:
        code=f"{CODE}/study_table.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        per_question=f"{TABLE_FOLDER}/per_question.parquet",
    output:
        f"{TABLE_FOLDER}/study.csv",
    log:
        f"{LOGS}/study_table.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage study_table {params.options} 2> {log}"


# Updated, not written anew: of what was made elsewhere and pulled there are no records here.
rule provenance:
    input:
        code=f"{CODE}/provenance.json",
        tables=expand(f"{TABLE_FOLDER}/{{name}}", name=["table1.csv", *TABLES]),
    output:
        update(reported(f"{TABLE_FOLDER}/provenance.json", "Provenance")),
    log:
        f"{LOGS}/provenance.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(
            dataset=RUN.dataset,
            settings=SETTINGS,
            also=TABLE_FOLDER,
            made=["data", RESULTS],
        ),
    shell:
        "ncsbench stage provenance {params.options} 2> {log}"


# The tables of a trial or of a part lie in its own folder alone.
if OF_ALL:
    PUBLIC_TABLES = ["table1.csv", "table1_long.csv", "table1.md", "table1.tex"]

    localrules:
        table1,

    rule table1:
        input:
            [] if HAS_EVIDENCE else f"{RESULTS}/provenance.json",
            "data/configured.json",
            code=f"{CODE}/table1.json",
            tables=expand(f"{RESULTS}/{{name}}", name=PUBLIC_TABLES),
        output:
            reported("results/table1.csv", "Table 1"),
            expand("results/{name}", name=PUBLIC_TABLES[1:]),
        log:
            "data/logs/table1.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            options=options(output="results"),
        shell:
            "ncsbench stage table1 {params.options} 2> {log}"


rule published_table1:
    input:
        states_of("ncsed_table1", "score_sheet", published=True),
        code=f"{CODE}/published_table1.json",
    output:
        reported("results/published_table1.csv", "Table 1"),
    log:
        "data/logs/published_table1.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(printed=f"{PUBLISHED}/ncsed_table1.csv", sheet=SCORE_SHEET),
    shell:
        "ncsbench stage published_table1 {params.options} 2> {log}"
