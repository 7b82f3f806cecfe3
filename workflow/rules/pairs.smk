# Training pairs, apart from the evaluation questions. A set whose file in config/pairs/ reads posts
# is made only where the dataset has posts, and one that reads a file only where the file is.

from ncsbench.experiment.pair_sets import name_thread_sets

THREADS = f"{DATA}/threads"
# Sets that the target of threads makes.
THREAD_SETS = name_thread_sets(RUN.pairs)

PAIR_SETS = {
    kind: [name for name, options in RUN.pairs.items() if options.kind == kind]
    for kind in ("posts", "docstrings", "file", "derived")
}


localrules:
    pairs,


# Derived sets, and the raw comments that they are made of, are left to rows that learn from them.
rule pairs:
    input:
        expand(
            f"{DATA}/pairs/{{name}}.parquet",
            name=[
                name
                for name, options in RUN.pairs.items()
                if options.kind != "derived" and getattr(options, "text", "") != "raw"
            ],
        ),


rule pair_posts:
    input:
        code=f"{CODE}/pair_posts.json",
        settings=f"{SETTINGS}/pairs/{{name}}.json",
        post_questions=f"{DATA}/posts/questions.parquet",
        post_answers=f"{DATA}/posts/answers.parquet",
        questions=f"{DATA}/questions.parquet",
        states=states_of("score_sheet", published=True),
    output:
        pairs=f"{DATA}/pairs/{{name}}.parquet",
        funnel=reported(
            f"{RESULTS}/pairs/{{name}}_funnel.csv", "Training pairs", "pair_funnel"
        ),
        leaks=f"{RESULTS}/pairs/{{name}}_leaks.csv",
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["posts"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        score_sheet=SCORE_SHEET,
    shell:
        "ncsbench pairs posts --settings {input.settings}"
        " --post-questions {input.post_questions} --post-answers {input.post_answers}"
        " --questions {input.questions} --score-sheet {params.score_sheet}"
        " --output {output.pairs} --funnel {output.funnel} --leaks {output.leaks} 2> {log}"


rule pair_docstrings:
    input:
        code=f"{CODE}/pair_docstrings.json",
        settings=f"{SETTINGS}/pairs/{{name}}.json",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        item_shards=expand(f"{CORPUS}/items/{{shard}}.parquet", shard=SHARDS),
        questions=f"{DATA}/questions.parquet",
        states=states_of("score_sheet", published=True),
    output:
        pairs=f"{DATA}/pairs/{{name}}.parquet",
        funnel=reported(
            f"{RESULTS}/pairs/{{name}}_funnel.csv", "Training pairs", "pair_funnel"
        ),
        leaks=f"{RESULTS}/pairs/{{name}}_leaks.csv",
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["docstrings"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        score_sheet=SCORE_SHEET,
        corpus=input_folder("manifest"),
    shell:
        "ncsbench pairs docstrings --settings {input.settings} --corpus {params.corpus}"
        " --questions {input.questions} --score-sheet {params.score_sheet}"
        " --output {output.pairs} --funnel {output.funnel} --leaks {output.leaks} 2> {log}"


rule pair_file:
    input:
        code=f"{CODE}/pair_file.json",
        settings=f"{SETTINGS}/pairs/{{name}}.json",
        file_state=f"{SETTINGS}/inputs/pairs-{{name}}.json",
        questions=f"{DATA}/questions.parquet",
        states=states_of("score_sheet", published=True),
    output:
        pairs=f"{DATA}/pairs/{{name}}.parquet",
        funnel=reported(
            f"{RESULTS}/pairs/{{name}}_funnel.csv", "Training pairs", "pair_funnel"
        ),
        leaks=f"{RESULTS}/pairs/{{name}}_leaks.csv",
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["file"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        score_sheet=SCORE_SHEET,
    shell:
        "ncsbench pairs file --settings {input.settings}"
        " --questions {input.questions} --score-sheet {params.score_sheet}"
        " --output {output.pairs} --funnel {output.funnel} --leaks {output.leaks} 2> {log}"


rule pair_derived:
    input:
        code=f"{CODE}/pair_derived.json",
        settings=f"{SETTINGS}/pairs/{{name}}.json",
        sources=lambda wildcards: [
            f"{DATA}/pairs/{name}.parquet"
            for name in RUN.pairs[wildcards.name].sources()
        ],
        filter_state=lambda wildcards: (
            states_of(f"pairs-{wildcards.name}")
            if RUN.pairs[wildcards.name].filter
            else []
        ),
        threads=lambda wildcards: (
            [f"{THREADS}/threads.parquet", f"{THREADS}/thread_parts.parquet"]
            if RUN.pairs[wildcards.name].without_threads
            else []
        ),
        questions=f"{DATA}/questions.parquet",
        states=states_of("score_sheet", published=True),
    output:
        pairs=f"{DATA}/pairs/{{name}}.parquet",
        funnel=reported(
            f"{RESULTS}/pairs/{{name}}_funnel.csv", "Training pairs", "pair_funnel"
        ),
        leaks=f"{RESULTS}/pairs/{{name}}_leaks.csv",
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["derived"]),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        score_sheet=SCORE_SHEET,
        threads=threads_option,
    shell:
        "ncsbench pairs derived {input.sources} --settings {input.settings}"
        " --questions {input.questions} --score-sheet {params.score_sheet} {params.threads}"
        " --output {output.pairs} --funnel {output.funnel} --leaks {output.leaks} 2> {log}"
