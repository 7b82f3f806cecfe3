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


rule judge_index:
    input:
        manifest=f"{CORPUS}/manifest.json",
        methods=f"{CORPUS}/methods/{{shard}}.parquet",
    output:
        folder=directory(f"{DATA}/judge_index/{{shard}}"),
    log:
        f"{LOGS}/judge_index-{{shard}}.log",
    benchmark:
        f"{DATA}/benchmarks/judge_index-{{shard}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        corpus=input_folder("manifest"),
        index=output_folder("folder"),
    shell:
        "ncsbench judge index --corpus {params.corpus} --shard {wildcards.shard}"
        " --output {params.index} 2> {log}"


rule judge:
    input:
        run=f"{RESULTS}/runs/{{model}}.trec",
        questions=f"{DATA}/questions.parquet",
        index=JUDGE_INDEX,
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
        index=input_folder("index"),
    shell:
        "ncsbench judge score --run {input.run} --questions {input.questions}"
        " --index {params.index} --output {output} 2> {log}"


rule match:
    input:
        settings=f"{SETTINGS}/matches.json",
        questions=f"{DATA}/questions.parquet",
        index=JUDGE_INDEX,
    output:
        temp(f"{DATA}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/match-{{shard}}.log",
    benchmark:
        f"{DATA}/benchmarks/match-{{shard}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        index=input_folder("index"),
    shell:
        "ncsbench judge match --settings {input.settings} --questions {input.questions}"
        " --index {params.index} --shard {wildcards.shard} --output {output} 2> {log}"


rule merge_matches:
    input:
        settings=f"{SETTINGS}/matches.json",
        parts=expand(f"{DATA}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{DATA}/matches.parquet",
    log:
        f"{LOGS}/merge_matches.log",
    benchmark:
        f"{DATA}/benchmarks/merge_matches.tsv"
    conda:
        ENVIRONMENT
    shell:
        "ncsbench judge merge --settings {input.settings} --output {output} {input.parts}"
        " 2> {log}"


rule examples:
    input:
        matches=f"{DATA}/matches.parquet",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{RESULTS}/examples.csv",
    log:
        f"{LOGS}/examples.log",
    benchmark:
        f"{DATA}/benchmarks/examples.tsv"
    conda:
        ENVIRONMENT
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench tables examples --matches {input.matches} --questions {input.questions}"
        " --corpus {params.corpus} --output {output} 2> {log}"


rule dataset_tables:
    input:
        settings=f"{SETTINGS}/table.json",
        questions=f"{DATA}/questions.parquet",
        answers=f"{RESULTS}/answers.csv",
        manifest=f"{CORPUS}/manifest.json",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec", model=TABLE_RUNS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=TABLE_RUNS),
        matches=f"{DATA}/matches.parquet" if RUN.ceiling else [],
        published=expand(f"{PUBLISHED}/{{name}}.csv", name=PUBLISHED_FILES),
        score_sheet=SCORE_SHEET,
        weights=TRAINED.values(),
    output:
        expand(f"{RESULTS}/{{name}}", name=TABLES),
        table=f"{RESULTS}/table1.csv",
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
        matches=matches_option,
        published=input_folder("published"),
        weights=weights_folder_option,
    shell:
        "ncsbench tables build --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --judgements {params.judgements} {params.matches}"
        " --published {params.published} --score-sheet {input.score_sheet} {params.weights}"
        " --output {params.output} 2> {log}"


rule table1:
    input:
        csv=f"{RESULTS}/table1.csv",
        md=f"{RESULTS}/table1.md",
        tex=f"{RESULTS}/table1.tex",
        configured="data/configured.json",
    output:
        csv="results/table1.csv",
        md="results/table1.md",
        tex="results/table1.tex",
    log:
        "data/logs/table1.log",
    conda:
        ENVIRONMENT
    shell:
        "(cp {input.csv} {output.csv}.tmp && cp {input.md} {output.md}.tmp"
        " && cp {input.tex} {output.tex}.tmp && mv {output.csv}.tmp {output.csv}"
        " && mv {output.md}.tmp {output.md} && mv {output.tex}.tmp {output.tex}) 2> {log}"


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
