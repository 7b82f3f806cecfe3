# Threads of posts that rankers are chosen by, and training pairs without them; included where the dataset has
# posts. Nothing is made unless something asks for it.


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
    params:
        score_sheet=SCORE_SHEET,
        output=output_folder("threads"),
    shell:
        "ncsbench pairs threads --settings {input.settings}"
        " --post-questions {input.post_questions} --post-answers {input.post_answers}"
        " --questions {input.questions} --score-sheet {params.score_sheet}"
        " --output {params.output} 2> {log}"
