# Does cleaning training pairs help? (docs/cleaning.md)


wildcard_constraints:
    cleaning=one_of(NAMED["cleaning"]),
    source="[a-z][a-z0-9_]*",
    benchmark="[a-z][a-z0-9_]*",


rule cleaning_positives:
    input:
        of_named(cleaning_inputs),
        of_named(lambda one, at: one.list_java(one.benchmarks[at.benchmark])),
        of_named(cleaning_extracted),
        code=f"{CLEANING_SETTINGS}/code/cleaning_positives.json",
        settings=f"{CLEANING_SETTINGS}/positives/{{benchmark}}.json",
    output:
        queries=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/queries.parquet",
        positives=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/positives.parquet",
        listing=f"{CLEANING_RESULTS}/benchmarks/{{benchmark}}.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_positives-{{benchmark}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(
            extracted=of_named(
                lambda one, at: one.find_java(
                    one.benchmarks[at.benchmark], "extracted"
                )
            ),
            corpus=of_named(
                lambda one, at: one.find_java(one.benchmarks[at.benchmark])
            ),
        ),
    shell:
        "ncsbench stage cleaning_positives {params.options} 2> {log}"


rule cleaning_raw_pairs:
    input:
        of_named(lambda one, at: one.list_guard()),
        of_named(lambda one, at: one.list_java(one.file.sources[at.source])),
        code=f"{CLEANING_SETTINGS}/code/cleaning_raw_pairs.json",
        settings=f"{CLEANING_SETTINGS}/raw/{{source}}.json",
        published=CLEANING_FIGURES,
    output:
        output=f"{CLEANING_DATA}/raw/{{source}}.parquet",
        funnel=f"{CLEANING_RESULTS}/raw/{{source}}_funnel.csv",
        overlap=f"{CLEANING_RESULTS}/raw/{{source}}_overlap.csv",
        shares=f"{CLEANING_RESULTS}/raw/{{source}}_rule_shares.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_raw_pairs-{{source}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(
            corpus=of_named(
                lambda one, at: one.find_java(one.file.sources[at.source])
            ),
            benchmarks=of_named(lambda one, at: one.list_benchmarks()),
            questions=of_named(lambda one, at: one.questions),
        ),
    shell:
        "ncsbench stage cleaning_raw_pairs {params.options} 2> {log}"


rule cleaning_titles:
    input:
        of_named(lambda one, at: one.list_guard()),
        f"{CLEANING_SETTINGS}/inputs/titles.json",
        code=f"{CLEANING_SETTINGS}/code/cleaning_titles.json",
        settings=f"{CLEANING_SETTINGS}/titles.json",
    output:
        output=f"{CLEANING_DATA}/titles.txt",
        overlap=f"{CLEANING_RESULTS}/titles_overlap.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_titles.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        options=options(
            benchmarks=of_named(lambda one, at: one.list_benchmarks()),
            questions=of_named(lambda one, at: one.questions),
        ),
    shell:
        "ncsbench stage cleaning_titles {params.options} 2> {log}"


rule cleaning_distractors:
    input:
        of_named(lambda one, at: one.list_java(one.benchmarks[at.benchmark])),
        code=f"{CLEANING_SETTINGS}/code/cleaning_distractors.json",
        settings=f"{CLEANING_SETTINGS}/distractors/{{benchmark}}.json",
        positives=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/positives.parquet",
        raw=of_named(lambda one, at: one.list_raw()),
    output:
        f"{CLEANING_DATA}/benchmarks/{{benchmark}}/distractors.parquet",
    log:
        f"{CLEANING_LOGS}/cleaning_distractors-{{benchmark}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        options=options(
            corpus=of_named(
                lambda one, at: one.find_java(one.benchmarks[at.benchmark])
            )
        ),
    shell:
        "ncsbench stage cleaning_distractors {params.options} 2> {log}"


rule cleaning_comment_model:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_comment_model.json",
        settings=f"{CLEANING_SETTINGS}/comment_model.json",
        titles=f"{CLEANING_DATA}/titles.txt",
    output:
        directory(f"{CLEANING_DATA}/comment_model"),
    log:
        f"{CLEANING_LOGS}/cleaning_comment_model.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(checkpoint=f"{CLEANING_DATA}/checkpoints/comment_model"),
    shell:
        "ncsbench stage cleaning_comment_model {params.options} 2> {log}"


# Another processor finds slightly other losses: those that are committed in results/ are taken.
rule cleaning_losses:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_losses.json",
        settings=f"{CLEANING_SETTINGS}/losses/{{source}}.json",
        pairs=f"{CLEANING_DATA}/raw/{{source}}.parquet",
        model=f"{CLEANING_DATA}/comment_model",
    output:
        output=f"{CLEANING_MADE}/losses/{{source}}.parquet",
        record=f"{CLEANING_MADE}/losses/{{source}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_losses-{{source}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage cleaning_losses {params.options} 2> {log}"


rule cleaning_training_set:
    input:
        unpack(of_named(lambda one, at: one.files_of_set(at.training_set))),
        of_named(lambda one, at: one.list_losses(at.training_set, ".json")),
        code=f"{CLEANING_SETTINGS}/code/cleaning_training_set.json",
        settings=f"{CLEANING_SETTINGS}/sets/{{training_set}}.json",
    output:
        output=f"{CLEANING_DATA}/sets/{{training_set}}.parquet",
        record=f"{CLEANING_DATA}/sets/{{training_set}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_training_set-{{training_set}}.log",
    wildcard_constraints:
        training_set="[a-z][a-z0-9_]*",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage cleaning_training_set {params.options} 2> {log}"
