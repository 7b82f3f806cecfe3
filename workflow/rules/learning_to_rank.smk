# Threads of posts that a ranker is fitted on, and training pairs without some of them; included where
# the dataset has posts. Nothing is made unless something asks for it.


localrules:
    threads,


rule threads:
    input:
        f"{THREADS}/threads.parquet",
        expand(
            f"{DATA}/pairs/{{name}}.parquet",
            name=THREAD_SETS,
        ),


rule choose_threads:
    input:
        code=f"{CODE}/choose_threads.json",
        settings=f"{SETTINGS}/threads.json",
        post_questions=f"{DATA}/posts/questions.parquet",
        post_answers=f"{DATA}/posts/answers.parquet",
        questions=f"{DATA}/questions.parquet",
        states=states_of("score_sheet", published=True),
    output:
        threads=f"{THREADS}/threads.parquet",
        parts=f"{THREADS}/thread_parts.parquet",
        funnel=reported(f"{THREADS}/funnel.csv", "Threads", "thread_funnel"),
        counts=f"{THREADS}/counts.json",
    log:
        f"{LOGS}/choose_threads.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        score_sheet=SCORE_SHEET,
        output=output_folder("threads"),
    shell:
        "ncsbench learning-to-rank threads --settings {input.settings}"
        " --post-questions {input.post_questions} --post-answers {input.post_answers}"
        " --questions {input.questions} --score-sheet {params.score_sheet}"
        " --output {params.output} 2> {log}"


# What a model without trees finds for the threads of a part, and what is known of it.
rule thread_features:
    input:
        code=f"{CODE}/thread_features.json",
        ranker_code=code_of_searcher,
        settings=f"{SETTINGS}/thread_features/{{key}}.json",
        words=words_of_searcher,
        index=index_of_searcher,
        parts=parts_of_searcher,
        threads=f"{THREADS}/threads.parquet",
        thread_parts=f"{THREADS}/thread_parts.parquet",
        methods=text_of_searcher,
    output:
        run=f"{THREADS}/runs/{{key}}/{{part}}.trec",
        features=f"{THREADS}/features/{{key}}/{{part}}.parquet",
    log:
        f"{LOGS}/thread_features-{{key}}-{{part}}.log",
    wildcard_constraints:
        key=one_of(SEARCHERS),
        part=one_of(PARTS),
    conda:
        RANKERS_ENVIRONMENT
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        text=text_option,
        part=thread_part_option,
        tag="{key}",
    shell:
        "ncsbench rankers features --settings {input.settings} --words {input.words}"
        " --index {input.index} --questions {input.threads} {params.part} {params.text}"
        " --tag {params.tag} --run {output.run} --output {output.features} 2> {log}"


# It is judged as what models find for evaluation questions is.
use rule judge as judge_threads with:
    input:
        code=f"{CODE}/judge_threads.json",
        run=f"{THREADS}/runs/{{searcher}}/{{part}}.trec",
        questions=f"{THREADS}/threads.parquet",
        index=JUDGE_INDEX,
    output:
        f"{THREADS}/judgements/{{searcher}}/{{part}}.parquet",
    log:
        f"{LOGS}/judge_threads-{{searcher}}-{{part}}.log",
    wildcard_constraints:
        searcher=one_of(SEARCHERS),
        part=one_of(PARTS),


rule trees:
    input:
        code=f"{CODE}/trees.json",
        settings=f"{SETTINGS}/trees/{{key}}.json",
        features=features_of_trees,
        judgements=judgements_of_trees,
        thread_parts=f"{THREADS}/thread_parts.parquet",
    output:
        directory(f"{DATA}/trees/{{key}}"),
    log:
        f"{LOGS}/trees-{{key}}.log",
    wildcard_constraints:
        key=one_of(index.trees_key for index in RUN.indexes.values()),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        features=features_option,
        judgements=judgements_option,
    shell:
        "ncsbench learning-to-rank trees --settings {input.settings} {params.features}"
        " {params.judgements} --thread-parts {input.thread_parts} --output {output} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"
