# Posts of a dump; included where the dataset has some.

POST_PARTS = [f"{part:04}" for part in range(RUN.posts.parts)]
ASKED, ANSWERED = f"{DATA}/posts/parts/questions", f"{DATA}/posts/parts/answers"


rule post_questions:
    input:
        code=f"{CODE}/post_questions.json",
        settings=f"{SETTINGS}/posts.json",
        states=states_of("posts"),
    output:
        posts=temp(f"{ASKED}/{{shard}}/posts.parquet"),
        ledger=temp(f"{ASKED}/{{shard}}/ledger.parquet"),
        ids=temp(f"{ASKED}/{{shard}}/ids.npy"),
        counts=temp(f"{ASKED}/{{shard}}/counts.json"),
    log:
        f"{LOGS}/post_questions-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        output=output_folder("posts"),
    shell:
        "ncsbench posts questions --settings {input.settings} --part {wildcards.shard}"
        " --output {params.output} 2> {log}"


rule post_ids:
    input:
        code=f"{CODE}/post_ids.json",
        settings=f"{SETTINGS}/posts.json",
        questions=expand(f"{ASKED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        ids=expand(f"{ASKED}/{{shard}}/ids.npy", shard=POST_PARTS),
    output:
        all=temp(f"{DATA}/posts/ids/all.npy"),
        taken=temp(f"{DATA}/posts/ids/taken.npy"),
    log:
        f"{LOGS}/post_ids.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        questions=parts_folder("questions"),
        output=output_folder("all"),
    shell:
        "ncsbench posts ids --settings {input.settings} --questions {params.questions}"
        " --output {params.output} 2> {log}"


rule post_answers:
    input:
        code=f"{CODE}/post_answers.json",
        settings=f"{SETTINGS}/posts.json",
        states=states_of("posts"),
        all=f"{DATA}/posts/ids/all.npy",
        taken=f"{DATA}/posts/ids/taken.npy",
    output:
        posts=temp(f"{ANSWERED}/{{shard}}/posts.parquet"),
        ledger=temp(f"{ANSWERED}/{{shard}}/ledger.parquet"),
    log:
        f"{LOGS}/post_answers-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        ids=input_folder("all"),
        output=output_folder("posts"),
    shell:
        "ncsbench posts answers --settings {input.settings} --part {wildcards.shard}"
        " --ids {params.ids} --output {params.output} 2> {log}"


# A rule of its own, so that the ledger is there also where merge_posts finds it too long.
rule post_ledger:
    input:
        code=f"{CODE}/post_ledger.json",
        settings=f"{SETTINGS}/posts.json",
        questions=expand(f"{ASKED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        question_ledgers=expand(f"{ASKED}/{{shard}}/ledger.parquet", shard=POST_PARTS),
        counts=expand(f"{ASKED}/{{shard}}/counts.json", shard=POST_PARTS),
        answers=expand(f"{ANSWERED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        answer_ledgers=expand(f"{ANSWERED}/{{shard}}/ledger.parquet", shard=POST_PARTS),
    output:
        ledger=f"{DATA}/posts/ledger.parquet",
        counts=f"{DATA}/posts/counts.json",
    log:
        f"{LOGS}/post_ledger.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        questions=parts_folder("questions"),
        answers=parts_folder("answers"),
        output=output_folder("ledger"),
    shell:
        "ncsbench posts ledger --settings {input.settings} --questions {params.questions}"
        " --answers {params.answers} --output {params.output} 2> {log}"


rule post_users:
    input:
        code=f"{CODE}/post_users.json",
        settings=f"{SETTINGS}/posts.json",
        states=states_of("users") if RUN.posts.users else [],
        questions=expand(f"{ASKED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        answers=expand(f"{ANSWERED}/{{shard}}/posts.parquet", shard=POST_PARTS),
    output:
        temp(f"{DATA}/posts/users.parquet"),
    log:
        f"{LOGS}/post_users.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        questions=parts_folder("questions"),
        answers=parts_folder("answers"),
    shell:
        "ncsbench posts users --settings {input.settings} --questions {params.questions}"
        " --answers {params.answers} --output {output} 2> {log}"


rule merge_posts:
    input:
        code=f"{CODE}/merge_posts.json",
        settings=f"{SETTINGS}/posts.json",
        counts=f"{DATA}/posts/counts.json",
        questions=expand(f"{ASKED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        answers=expand(f"{ANSWERED}/{{shard}}/posts.parquet", shard=POST_PARTS),
        users=f"{DATA}/posts/users.parquet" if RUN.posts.users else [],
    output:
        questions=f"{DATA}/posts/questions.parquet",
        answers=f"{DATA}/posts/answers.parquet",
    log:
        f"{LOGS}/merge_posts.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        questions=parts_folder("questions"),
        answers=parts_folder("answers"),
        output=output_folder("questions"),
        users=users_option,
    shell:
        "ncsbench posts merge --settings {input.settings} --counts {input.counts}"
        " --questions {params.questions} --answers {params.answers} {params.users}"
        " --output {params.output} 2> {log}"


if RUN.posts.links:

    rule post_links:
        input:
            code=f"{CODE}/post_links.json",
            settings=f"{SETTINGS}/post_links.json",
            states=states_of("links"),
            questions=f"{DATA}/posts/questions.parquet",
        output:
            f"{DATA}/posts/links.parquet",
        log:
            f"{LOGS}/post_links.log",
        conda:
            f"{ENVIRONMENTS}/posts.yaml"
        shell:
            "ncsbench posts links --settings {input.settings} --questions {input.questions}"
            " --output {output} 2> {log}"
