rule questions:
    input:
        settings=f"{SETTINGS}/questions.json",
        files=RUN.questions,
    output:
        f"{DATA}/questions.parquet",
    log:
        f"{LOGS}/questions.log",
    benchmark:
        f"{DATA}/benchmarks/questions.tsv"
    conda:
        ENVIRONMENT
    shell:
        "ncsbench evaluation questions --settings {input.settings} --output {output} 2> {log}"


rule parse_answers:
    input:
        f"{DATA}/questions.parquet",
    output:
        f"{RESULTS}/answers.csv",
    log:
        f"{LOGS}/parse_answers.log",
    benchmark:
        f"{DATA}/benchmarks/parse_answers.tsv"
    conda:
        ENVIRONMENT
    shell:
        "ncsbench judge answers --questions {input} --output {output} 2> {log}"


rule judge:
    input:
        run=f"{RESULTS}/runs/{{model}}.trec",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{DATA}/judgements/{{model}}.parquet",
    log:
        f"{LOGS}/judge-{{model}}.log",
    benchmark:
        f"{DATA}/benchmarks/judge-{{model}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench judge score --run {input.run} --questions {input.questions}"
        " --corpus {params.corpus} --output {output} 2> {log}"


rule ceiling:
    input:
        settings=f"{SETTINGS}/judge.json",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{DATA}/judgements/ceiling.json",
    log:
        f"{LOGS}/ceiling.log",
    benchmark:
        f"{DATA}/benchmarks/ceiling.tsv"
    conda:
        ENVIRONMENT
    threads: 16
    resources:
        mem_mb=4000,
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench judge ceiling --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --workers {threads} --output {output} 2> {log}"


rule dataset_tables:
    input:
        settings=f"{SETTINGS}/table.json",
        questions=f"{DATA}/questions.parquet",
        answers=f"{RESULTS}/answers.csv",
        manifest=f"{CORPUS}/manifest.json",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        ceiling=f"{DATA}/judgements/ceiling.json" if RUN.ceiling else [],
    output:
        table=f"{RESULTS}/table1.csv",
        differences=f"{RESULTS}/paired_differences.csv",
        sheet=f"{RESULTS}/score_sheet.csv",
        qrels=f"{RESULTS}/qrels.txt",
    log:
        f"{LOGS}/dataset_tables.log",
    benchmark:
        f"{DATA}/benchmarks/dataset_tables.tsv"
    conda:
        ENVIRONMENT
    params:
        corpus=input_folder("manifest"),
        judgements=input_folder("judgements"),
        output=output_folder("table"),
    shell:
        "ncsbench tables build --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --judgements {params.judgements} --output {params.output}"
        " 2> {log}"


rule table1:
    input:
        table=f"{RESULTS}/table1.csv",
        configured="data/configured.json",
    output:
        "results/table1.csv",
    log:
        "data/logs/table1.log",
    conda:
        ENVIRONMENT
    shell:
        "cp {input.table} {output}.tmp 2> {log} && mv {output}.tmp {output} 2>> {log}"


rule published_table1:
    input:
        printed="config/published/ncsed_table1.csv",
        sheet="config/published/score_sheet.csv",
    output:
        "results/published_table1.csv",
    log:
        "data/logs/published_table1.log",
    conda:
        ENVIRONMENT
    shell:
        "ncsbench tables published --printed {input.printed} --sheet {input.sheet}"
        " --output {output} 2> {log}"
