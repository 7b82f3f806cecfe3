# The judge study: how much the choice of the similarity matters. Not part of Table 1.

STUDY = f"{DATA}/study"


localrules:
    judge_study,


rule judge_study:
    input:
        f"{TABLE_FOLDER}/table1_sensitivity.csv",
        f"{TABLE_FOLDER}/copies.csv",


use rule match as study_match with:
    input:
        f"{JUDGE_INDEX}/{{shard}}",
        code=f"{CODE}/study_match.json",
        settings=f"{SETTINGS}/study/matches.json",
        questions=QUESTIONS,
    output:
        temp(f"{STUDY}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/study_match-{{shard}}.log",


use rule merge_matches as study_merge_matches with:
    input:
        code=f"{CODE}/study_merge_matches.json",
        settings=f"{SETTINGS}/study/matches.json",
        parts=expand(f"{STUDY}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{STUDY}/matches.parquet",
    log:
        f"{LOGS}/study_merge_matches.log",


rule table1_sensitivity:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        expand(f"{JUDGEMENTS}/{{model}}.parquet", model=MODELS),
        code=f"{CODE}/table1_sensitivity.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        questions=TABLE_QUESTIONS,
        matches=f"{STUDY}/matches.parquet",
    output:
        reported(f"{TABLE_FOLDER}/table1_sensitivity.csv", "Judge"),
    log:
        f"{LOGS}/table1_sensitivity.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(results=RESULTS, judgements=JUDGEMENTS),
    shell:
        "ncsbench stage table1_sensitivity {params.options} 2> {log}"


rule copies:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        expand(f"{JUDGEMENTS}/{{model}}.parquet", model=MODELS),
        JUDGE_SHARDS,
        code=f"{CODE}/copies.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        questions=TABLE_QUESTIONS,
    output:
        reported(f"{TABLE_FOLDER}/copies.csv", "Judge"),
    log:
        f"{LOGS}/copies.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(index=JUDGE_INDEX, results=RESULTS, judgements=JUDGEMENTS),
    shell:
        "ncsbench stage copies {params.options} 2> {log}"
