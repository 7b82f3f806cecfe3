# Posts of a dump; included where the dataset has some.

POST_PARTS = [f"{part:04}" for part in range(RUN.file.posts.parts)]
ASKED, ANSWERED = f"{DATA}/posts/parts/questions", f"{DATA}/posts/parts/answers"
POSTS_OF_PARTS = expand(
    "{folder}/{part}/posts.parquet", folder=[ASKED, ANSWERED], part=POST_PARTS
)


rule post_questions:
    input:
        states_of("posts"),
        code=f"{CODE}/post_questions.json",
        settings=f"{SETTINGS}/posts.json",
    output:
        temp(f"{ASKED}/{{shard}}/posts.parquet"),
        temp(f"{ASKED}/{{shard}}/ledger.parquet"),
        temp(f"{ASKED}/{{shard}}/ids.npy"),
        temp(f"{ASKED}/{{shard}}/counts.json"),
    log:
        f"{LOGS}/post_questions-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(part="{shard}", output=f"{ASKED}/{{shard}}"),
    shell:
        "ncsbench stage post_questions {params.options} 2> {log}"


rule post_ids:
    input:
        expand(f"{ASKED}/{{part}}/posts.parquet", part=POST_PARTS),
        expand(f"{ASKED}/{{part}}/ids.npy", part=POST_PARTS),
        code=f"{CODE}/post_ids.json",
        settings=f"{SETTINGS}/posts.json",
    output:
        temp(f"{DATA}/posts/ids/all.npy"),
        temp(f"{DATA}/posts/ids/taken.npy"),
    log:
        f"{LOGS}/post_ids.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(questions=ASKED, output=f"{DATA}/posts/ids"),
    shell:
        "ncsbench stage post_ids {params.options} 2> {log}"


rule post_answers:
    input:
        states_of("posts"),
        f"{DATA}/posts/ids/all.npy",
        f"{DATA}/posts/ids/taken.npy",
        code=f"{CODE}/post_answers.json",
        settings=f"{SETTINGS}/posts.json",
    output:
        temp(f"{ANSWERED}/{{shard}}/posts.parquet"),
        temp(f"{ANSWERED}/{{shard}}/ledger.parquet"),
    log:
        f"{LOGS}/post_answers-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(
            part="{shard}", ids=f"{DATA}/posts/ids", output=f"{ANSWERED}/{{shard}}"
        ),
    shell:
        "ncsbench stage post_answers {params.options} 2> {log}"


# A rule of its own, so that the ledger is there also where merge_posts finds it too long.
rule post_ledger:
    input:
        POSTS_OF_PARTS,
        expand(
            f"{ASKED}/{{part}}/{{file}}",
            part=POST_PARTS,
            file=["ledger.parquet", "counts.json"],
        ),
        expand(f"{ANSWERED}/{{part}}/ledger.parquet", part=POST_PARTS),
        code=f"{CODE}/post_ledger.json",
        settings=f"{SETTINGS}/posts.json",
    output:
        f"{DATA}/posts/ledger.parquet",
        f"{DATA}/posts/counts.json",
    log:
        f"{LOGS}/post_ledger.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(questions=ASKED, answers=ANSWERED, output=f"{DATA}/posts"),
    shell:
        "ncsbench stage post_ledger {params.options} 2> {log}"


rule post_users:
    input:
        POSTS_OF_PARTS,
        states_of("users") if RUN.file.posts.users else [],
        code=f"{CODE}/post_users.json",
        settings=f"{SETTINGS}/posts.json",
    output:
        temp(f"{DATA}/posts/users.parquet"),
    log:
        f"{LOGS}/post_users.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(questions=ASKED, answers=ANSWERED),
    shell:
        "ncsbench stage post_users {params.options} 2> {log}"


rule merge_posts:
    input:
        POSTS_OF_PARTS,
        code=f"{CODE}/merge_posts.json",
        settings=f"{SETTINGS}/posts.json",
        counts=f"{DATA}/posts/counts.json",
        users=f"{DATA}/posts/users.parquet" if RUN.file.posts.users else [],
    output:
        f"{DATA}/posts/questions.parquet",
        f"{DATA}/posts/answers.parquet",
    log:
        f"{LOGS}/merge_posts.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(questions=ASKED, answers=ANSWERED, output=f"{DATA}/posts"),
    shell:
        "ncsbench stage merge_posts {params.options} 2> {log}"


if RUN.file.posts.links:

    rule post_links:
        input:
            states_of("links"),
            code=f"{CODE}/post_links.json",
            settings=f"{SETTINGS}/post_links.json",
            questions=f"{DATA}/posts/questions.parquet",
        output:
            f"{DATA}/posts/links.parquet",
        log:
            f"{LOGS}/post_links.log",
        conda:
            f"{ENVIRONMENTS}/posts.yaml"
        params:
            options=options(),
        shell:
            "ncsbench stage post_links {params.options} 2> {log}"
