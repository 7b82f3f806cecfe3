# The judge study: how much the choice of the measure matters. Not part of Table 1.

STUDY = f"{DATA}/study"
FIGURES = ["trade_off.svg", "mrr_by_threshold.svg", "accepted_by_length.svg"]


localrules:
    judge_study,


rule judge_study:
    input:
        f"{RESULTS}/judge_study.csv",
        f"{RESULTS}/judge_choice.csv",
        f"{RESULTS}/judge_weights.csv",
        f"{RESULTS}/table1_sensitivity.csv",
        f"{RESULTS}/copies.csv",
        f"{RESULTS}/examples_found.csv",
        expand(f"{RESULTS}/figures/{{figure}}", figure=FIGURES),


rule study_pairs:
    input:
        settings=f"{SETTINGS}/study/pairs.json",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        index=JUDGE_INDEX,
    output:
        pairs=f"{STUDY}/pairs.parquet",
        judgements=f"{STUDY}/judgements.parquet",
    log:
        f"{LOGS}/study_pairs.log",
    benchmark:
        f"{DATA}/benchmarks/study_pairs.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        corpus=input_folder("manifest"),
        index=input_folder("index"),
        output=output_folder("pairs"),
    shell:
        "ncsbench study pairs --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --index {params.index} --output {params.output} 2> {log}"


rule study_tables:
    input:
        settings=f"{SETTINGS}/study/tables.json",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        sheet="config/published/score_sheet.csv",
        pairs=f"{STUDY}/pairs.parquet",
        study_judgements=f"{STUDY}/judgements.parquet",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
    output:
        study=f"{RESULTS}/judge_study.csv",
        choice=f"{RESULTS}/judge_choice.csv",
        weights=f"{RESULTS}/judge_weights.csv",
    log:
        f"{LOGS}/study_tables.log",
    benchmark:
        f"{DATA}/benchmarks/study_tables.tsv"
    conda:
        ENVIRONMENT
    params:
        corpus=input_folder("manifest"),
        judgements=input_folder("judgements"),
        study=input_folder("pairs"),
        output=output_folder("study"),
    shell:
        "ncsbench study tables --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --sheet {input.sheet} --judgements {params.judgements}"
        " --study {params.study} --output {params.output} 2> {log}"


rule study_match:
    input:
        settings=f"{SETTINGS}/study/matches.json",
        questions=f"{DATA}/questions.parquet",
        index=JUDGE_INDEX,
    output:
        temp(f"{STUDY}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/study_match-{{shard}}.log",
    benchmark:
        f"{DATA}/benchmarks/study_match-{{shard}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        mem_mb=2000,
    params:
        index=input_folder("index"),
    shell:
        "ncsbench judge match --settings {input.settings} --questions {input.questions}"
        " --index {params.index} --shard {wildcards.shard} --output {output} 2> {log}"


rule study_merge_matches:
    input:
        settings=f"{SETTINGS}/study/matches.json",
        parts=expand(f"{STUDY}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{STUDY}/matches.parquet",
    log:
        f"{LOGS}/study_merge_matches.log",
    benchmark:
        f"{DATA}/benchmarks/study_merge_matches.tsv"
    conda:
        ENVIRONMENT
    shell:
        "ncsbench judge merge --settings {input.settings} --output {output} {input.parts}"
        " 2> {log}"


rule table1_sensitivity:
    input:
        settings=f"{SETTINGS}/study/tables.json",
        questions=f"{DATA}/questions.parquet",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        matches=f"{STUDY}/matches.parquet",
    output:
        table=f"{RESULTS}/table1_sensitivity.csv",
    log:
        f"{LOGS}/table1_sensitivity.log",
    benchmark:
        f"{DATA}/benchmarks/table1_sensitivity.tsv"
    conda:
        ENVIRONMENT
    params:
        judgements=input_folder("judgements"),
        results=output_folder("table"),
    shell:
        "ncsbench study sensitivity --settings {input.settings} --questions {input.questions}"
        " --judgements {params.judgements} --results {params.results}"
        " --matches {input.matches} --output {output.table} 2> {log}"


rule examples_found:
    input:
        settings=f"{SETTINGS}/study/matches.json",
        pairs=f"{STUDY}/pairs.parquet",
        matches=f"{STUDY}/matches.parquet",
    output:
        f"{RESULTS}/examples_found.csv",
    log:
        f"{LOGS}/examples_found.log",
    benchmark:
        f"{DATA}/benchmarks/examples_found.tsv"
    conda:
        ENVIRONMENT
    shell:
        "ncsbench study examples --settings {input.settings} --pairs {input.pairs}"
        " --matches {input.matches} --output {output} 2> {log}"


rule copies:
    input:
        settings=f"{SETTINGS}/study/tables.json",
        questions=f"{DATA}/questions.parquet",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        index=JUDGE_INDEX,
    output:
        table=f"{RESULTS}/copies.csv",
    log:
        f"{LOGS}/copies.log",
    benchmark:
        f"{DATA}/benchmarks/copies.tsv"
    conda:
        ENVIRONMENT
    params:
        judgements=input_folder("judgements"),
        index=input_folder("index"),
        results=output_folder("table"),
    shell:
        "ncsbench study copies --settings {input.settings} --questions {input.questions}"
        " --judgements {params.judgements} --results {params.results} --index {params.index}"
        " --output {output.table} 2> {log}"


rule judge_plots:
    input:
        settings=f"{SETTINGS}/study/tables.json",
        table=f"{RESULTS}/judge_study.csv",
    output:
        figures=expand(f"{RESULTS}/figures/{{figure}}", figure=FIGURES),
    log:
        f"{LOGS}/judge_plots.log",
    benchmark:
        f"{DATA}/benchmarks/judge_plots.tsv"
    conda:
        ENVIRONMENT
    params:
        output=output_folder("figures"),
    shell:
        "ncsbench study plots --settings {input.settings} --table {input.table}"
        " --output {params.output} 2> {log}"
