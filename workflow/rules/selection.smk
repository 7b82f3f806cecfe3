# Evaluation questions: candidates among the posts, matched against the corpus.

SELECTED = f"{RESULTS}/selected"


localrules:
    selected_questions,


rule selected_questions:
    input:
        f"{SELECTED}/questions.json",
        f"{SELECTED}/attribution.csv",
        f"{SELECTED}/funnel.csv",


rule candidates:
    input:
        code=f"{CODE}/candidates.json",
        settings=f"{SETTINGS}/selection/candidates.json",
        questions=f"{DATA}/posts/questions.parquet",
        answers=f"{DATA}/posts/answers.parquet",
        links=f"{DATA}/posts/links.parquet" if RUN.ordered_by_links else [],
    output:
        f"{CANDIDATES}/questions.parquet",
        f"{CANDIDATES}/attribution.parquet",
        f"{CANDIDATES}/funnel.json",
    log:
        f"{LOGS}/candidates.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(output=CANDIDATES),
    shell:
        "ncsbench stage candidates {params.options} 2> {log}"


use rule match as candidate_match with:
    input:
        f"{JUDGE_INDEX}/{{shard}}",
        code=f"{CODE}/candidate_match.json",
        settings=f"{SETTINGS}/selection/matches.json",
        questions=f"{CANDIDATES}/questions.parquet",
    output:
        temp(f"{CANDIDATES}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/candidate_match-{{shard}}.log",


use rule merge_matches as merge_candidate_matches with:
    input:
        code=f"{CODE}/merge_candidate_matches.json",
        settings=f"{SETTINGS}/selection/matches.json",
        parts=expand(f"{CANDIDATES}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{CANDIDATES}/matches.parquet",
    log:
        f"{LOGS}/merge_candidate_matches.log",


rule select_questions:
    input:
        f"{CANDIDATES}/questions.parquet",
        f"{CANDIDATES}/attribution.parquet",
        f"{CANDIDATES}/funnel.json",
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        states_of("ncsed_funnel", published=True),
        code=f"{CODE}/select_questions.json",
        settings=f"{SETTINGS}/selection/questions.json",
        matches=f"{CANDIDATES}/matches.parquet",
    output:
        f"{SELECTED}/questions.json",
        f"{SELECTED}/attribution.csv",
        reported(f"{SELECTED}/funnel.csv", "Questions", "question_funnel"),
    log:
        f"{LOGS}/select_questions.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(
            candidates=CANDIDATES,
            corpus=CORPUS,
            published=f"{PUBLISHED}/ncsed_funnel.csv",
            output=SELECTED,
        ),
    shell:
        "ncsbench stage select_questions {params.options} 2> {log}"
