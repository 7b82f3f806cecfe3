# Training pairs, apart from the evaluation questions. A set whose file in config/pairs/ reads posts
# is made only where the dataset has posts, and one that reads a file only where the file is.

from ncsbench.pipeline.runs.row_models import name_thread_sets

THREADS = f"{DATA}/threads"
# Sets that the target of threads makes.
THREAD_SETS = name_thread_sets(RUN.pairs)

PAIR_SETS = {
    kind: [name for name, options in RUN.pairs.items() if options.kind == kind]
    for kind in ("posts", "docstrings", "file", "derived")
}
# What each set is made with, and its files.
PAIR_INPUTS = {
    "settings": f"{SETTINGS}/pairs/{{name}}.json",
    "questions": f"{DATA}/questions.parquet",
}
PAIR_FILES = {
    "output": f"{DATA}/pairs/{{name}}.parquet",
    "funnel": reported(
        f"{RESULTS}/pairs/{{name}}_funnel.csv", "Training pairs", "pair_funnel"
    ),
    "leaks": f"{RESULTS}/pairs/{{name}}_leaks.csv",
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
        states_of("score_sheet", published=True),
        **PAIR_INPUTS,
        code=f"{CODE}/pair_posts.json",
        post_questions=f"{DATA}/posts/questions.parquet",
        post_answers=f"{DATA}/posts/answers.parquet",
    output:
        **PAIR_FILES,
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["posts"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(score_sheet=SCORE_SHEET),
    shell:
        "ncsbench stage pair_posts {params.options} 2> {log}"


rule pair_docstrings:
    input:
        states_of("score_sheet", published=True),
        f"{CORPUS}/manifest.json",
        expand(
            f"{CORPUS}/{{kind}}/{{shard}}.parquet",
            kind=["methods", "items"],
            shard=SHARDS,
        ),
        **PAIR_INPUTS,
        code=f"{CODE}/pair_docstrings.json",
    output:
        **PAIR_FILES,
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["docstrings"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(corpus=CORPUS, score_sheet=SCORE_SHEET),
    shell:
        "ncsbench stage pair_docstrings {params.options} 2> {log}"


rule pair_file:
    input:
        states_of("score_sheet", published=True),
        f"{SETTINGS}/inputs/pairs-{{name}}.json",
        **PAIR_INPUTS,
        code=f"{CODE}/pair_file.json",
    output:
        **PAIR_FILES,
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["file"]),
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(score_sheet=SCORE_SHEET),
    shell:
        "ncsbench stage pair_file {params.options} 2> {log}"


rule pair_derived:
    input:
        states_of("score_sheet", published=True),
        lambda wildcards: (
            states_of(f"pairs-{wildcards.name}")
            if RUN.pairs[wildcards.name].filter
            else []
        ),
        lambda wildcards: (
            [f"{THREADS}/threads.parquet", f"{THREADS}/thread_parts.parquet"]
            if RUN.pairs[wildcards.name].without_threads
            else []
        ),
        **PAIR_INPUTS,
        code=f"{CODE}/pair_derived.json",
        pairs=lambda wildcards: expand(
            f"{DATA}/pairs/{{name}}.parquet",
            name=RUN.pairs[wildcards.name].sources(),
        ),
    output:
        **PAIR_FILES,
    log:
        f"{LOGS}/pairs-{{name}}.log",
    wildcard_constraints:
        name=one_of(PAIR_SETS["derived"]),
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(score_sheet=SCORE_SHEET, threads=THREADS),
    shell:
        "ncsbench stage pair_derived {params.options} 2> {log}"
