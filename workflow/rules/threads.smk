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
        states_of("score_sheet", published=True),
        code=f"{CODE}/choose_threads.json",
        settings=f"{SETTINGS}/threads.json",
        post_questions=f"{DATA}/posts/questions.parquet",
        post_answers=f"{DATA}/posts/answers.parquet",
        questions=f"{DATA}/questions.parquet",
    output:
        f"{THREADS}/threads.parquet",
        f"{THREADS}/thread_parts.parquet",
        reported(f"{THREADS}/funnel.csv", "Threads", "thread_funnel"),
        f"{THREADS}/counts.json",
    log:
        f"{LOGS}/choose_threads.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(score_sheet=SCORE_SHEET, output=THREADS),
    shell:
        "ncsbench stage choose_threads {params.options} 2> {log}"
