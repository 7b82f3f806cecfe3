# The judge study: how much the choice of the similarity matters. Not part of Table 1.

STUDY = f"{DATA}/study"
OF_RULE = ["ncs", "ncs_postrank"]
FIGURES = ["trade_off.svg", "mrr_by_threshold.svg", "accepted_by_length.svg"]


localrules:
    judge_study,


rule judge_study:
    input:
        f"{TABLE_FOLDER}/judge_study.csv",
        f"{TABLE_FOLDER}/judge_choice.csv",
        f"{TABLE_FOLDER}/table1_sensitivity.csv",
        f"{TABLE_FOLDER}/copies.csv",
        expand(f"{TABLE_FOLDER}/figures/{{figure}}", figure=FIGURES),


rule study_pairs:
    input:
        code=f"{CODE}/study_pairs.json",
        settings=f"{SETTINGS}/study/pairs.json",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        duplicates=f"{CORPUS}/duplicates.parquet",
        index=JUDGE_INDEX,
    output:
        pairs=f"{STUDY}/pairs.parquet",
        judgements=f"{STUDY}/judgements.parquet",
    log:
        f"{LOGS}/study_pairs.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        corpus=input_folder("manifest"),
        index=input_folder("index"),
        output=output_folder("pairs"),
    shell:
        "ncsbench judge-study pairs --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --index {params.index} --output {params.output} 2> {log}"


rule study_tables:
    input:
        code=f"{CODE}/study_tables.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        questions=TABLE_QUESTIONS,
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        states=states_of("score_sheet", published=True),
        pairs=f"{STUDY}/pairs.parquet",
        study_judgements=f"{STUDY}/judgements.parquet",
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
    output:
        study=reported(f"{TABLE_FOLDER}/judge_study.csv", "Judge"),
        choice=reported(f"{TABLE_FOLDER}/judge_choice.csv", "Judge"),
    log:
        f"{LOGS}/study_tables.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        sheet=SCORE_SHEET,
        corpus=input_folder("manifest"),
        judgements=input_folder("judgements"),
        study=input_folder("pairs"),
        results=results_of_run,
        output=output_folder("study"),
    shell:
        "ncsbench judge-study tables --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --sheet {params.sheet} --judgements {params.judgements}"
        " --study {params.study} --results {params.results} --output {params.output} 2> {log}"


use rule match as study_match with:
    input:
        code=f"{CODE}/study_match.json",
        settings=f"{SETTINGS}/study/matches.json",
        questions=f"{DATA}/questions.parquet",
        index=f"{DATA}/judge_index/{{shard}}",
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
        code=f"{CODE}/table1_sensitivity.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        questions=TABLE_QUESTIONS,
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        matches=f"{STUDY}/matches.parquet",
    output:
        table=reported(f"{TABLE_FOLDER}/table1_sensitivity.csv", "Judge"),
    log:
        f"{LOGS}/table1_sensitivity.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        judgements=input_folder("judgements"),
        results=results_of_run,
    shell:
        "ncsbench judge-study sensitivity --settings {input.settings} --questions {input.questions}"
        " --judgements {params.judgements} --results {params.results}"
        " --matches {input.matches} --output {output.table} 2> {log}"


# Of the questions of the score sheet alone (docs/judge-rule.md).
rule judge_rule:
    input:
        code=f"{CODE}/judge_rule.json",
        settings=f"{SETTINGS}/study/rule.json",
        questions=TABLE_QUESTIONS,
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        states=states_of("score_sheet", published=True),
        pairs=f"{STUDY}/pairs.parquet",
        study_judgements=f"{STUDY}/judgements.parquet",
        index=JUDGE_INDEX,
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=OF_RULE),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=OF_RULE),
    output:
        table=reported(f"{TABLE_FOLDER}/judge_rule.csv", "Judge"),
    log:
        f"{LOGS}/judge_rule.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        sheet=SCORE_SHEET,
        corpus=input_folder("manifest"),
        index=input_folder("index"),
        judgements=input_folder("judgements"),
        study=input_folder("pairs"),
        results=results_of_run,
    shell:
        "ncsbench judge-study rule --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --index {params.index} --sheet {params.sheet}"
        " --judgements {params.judgements} --results {params.results} --study {params.study}"
        " --output {output.table} 2> {log}"


rule copies:
    input:
        code=f"{CODE}/copies.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        questions=TABLE_QUESTIONS,
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=MODELS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=MODELS),
        index=JUDGE_INDEX,
    output:
        table=reported(f"{TABLE_FOLDER}/copies.csv", "Judge"),
    log:
        f"{LOGS}/copies.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        judgements=input_folder("judgements"),
        index=input_folder("index"),
        results=results_of_run,
    shell:
        "ncsbench judge-study copies --settings {input.settings} --questions {input.questions}"
        " --judgements {params.judgements} --results {params.results} --index {params.index}"
        " --output {output.table} 2> {log}"


rule judge_plots:
    input:
        code=f"{CODE}/judge_plots.json",
        settings=f"{TABLE_SETTINGS}/study/tables.json",
        table=f"{TABLE_FOLDER}/judge_study.csv",
    output:
        figures=[
            reported(f"{TABLE_FOLDER}/figures/{name}", "Judge", "judge_figure")
            for name in FIGURES
        ],
    log:
        f"{LOGS}/judge_plots.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        output=output_folder("figures"),
    shell:
        "ncsbench judge-study plots --settings {input.settings} --table {input.table}"
        " --output {params.output} 2> {log}"
