# Does cleaning training pairs help? (docs/cleaning-experiment.md); targets need no --config. What an experiment is made
# of is read where one of its files is asked for.


wildcard_constraints:
    cleaning=one_of(CLEANING_NAMES),
    source="[a-z][a-z0-9_]*",
    benchmark="[a-z][a-z0-9_]*",


# A name that is also a run of CodeSearchNet is refused where a file of it is asked for.
for _cleaning in sorted({*CLEANING_NAMES} - {*CSN_NAMES}):

    rule:
        name:
            _cleaning
        input:
            cleaning_targets(_cleaning),
        localrule: True


rule cleaning_positives:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_positives.json",
        settings=f"{CLEANING_SETTINGS}/positives/{{benchmark}}.json",
        states=of_cleaning(cleaning_benchmark_states),
        published=of_cleaning(cleaning_published),
        corpus=cleaning_corpus("benchmarks", "benchmark"),
        extracted=of_cleaning(cleaning_extracted),
    output:
        queries=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/queries.parquet",
        positives=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/positives.parquet",
        listing=f"{CLEANING_RESULTS}/benchmarks/{{benchmark}}.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_positives-{{benchmark}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        extracted=input_folder("extracted"),
        corpus=input_folder("corpus"),
        benchmark=output_folder("queries"),
    shell:
        "ncsbench cleaning positives --settings {input.settings} --extracted {params.extracted}"
        " --corpus {params.corpus} --output {params.benchmark} --listing {output.listing} 2> {log}"


rule cleaning_raw_pairs:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_raw_pairs.json",
        settings=f"{CLEANING_SETTINGS}/raw/{{source}}.json",
        guard=of_cleaning(cleaning_guard),
        corpus=cleaning_corpus("sources", "source"),
        figures=CLEANING_FIGURES,
    output:
        pairs=f"{CLEANING_DATA}/raw/{{source}}.parquet",
        funnel=f"{CLEANING_RESULTS}/raw/{{source}}_funnel.csv",
        overlap=f"{CLEANING_RESULTS}/raw/{{source}}_overlap.csv",
        shares=f"{CLEANING_RESULTS}/raw/{{source}}_rule_shares.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_raw_pairs-{{source}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        corpus=input_folder("corpus"),
        benchmarks=of_cleaning(cleaning_benchmark_options),
        questions=of_cleaning(cleaning_question_options),
    shell:
        "ncsbench cleaning raw-pairs --settings {input.settings} --corpus {params.corpus}"
        " {params.benchmarks} {params.questions} --published {input.figures}"
        " --output {output.pairs} --funnel {output.funnel} --overlap {output.overlap}"
        " --shares {output.shares} 2> {log}"


rule cleaning_titles:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_titles.json",
        settings=f"{CLEANING_SETTINGS}/titles.json",
        state=f"{CLEANING_SETTINGS}/inputs/titles.json",
        guard=of_cleaning(cleaning_guard),
    output:
        titles=f"{CLEANING_DATA}/titles.txt",
        overlap=f"{CLEANING_RESULTS}/titles_overlap.csv",
    log:
        f"{CLEANING_LOGS}/cleaning_titles.log",
    conda:
        f"{ENVIRONMENTS}/posts.yaml"
    params:
        benchmarks=of_cleaning(cleaning_benchmark_options),
        questions=of_cleaning(cleaning_question_options),
    shell:
        "ncsbench cleaning titles --settings {input.settings} {params.benchmarks}"
        " {params.questions} --output {output.titles} --overlap {output.overlap} 2> {log}"


rule cleaning_distractors:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_distractors.json",
        settings=f"{CLEANING_SETTINGS}/distractors/{{benchmark}}.json",
        positives=f"{CLEANING_DATA}/benchmarks/{{benchmark}}/positives.parquet",
        corpus=cleaning_corpus("benchmarks", "benchmark"),
        raw=of_cleaning(cleaning_raw),
    output:
        f"{CLEANING_DATA}/benchmarks/{{benchmark}}/distractors.parquet",
    log:
        f"{CLEANING_LOGS}/cleaning_distractors-{{benchmark}}.log",
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    params:
        corpus=input_folder("corpus"),
        benchmark=input_folder("positives"),
        raw=lambda wildcards, input: [f"--raw {path}" for path in input.raw],
    shell:
        "ncsbench cleaning distractors --settings {input.settings} --corpus {params.corpus}"
        " --benchmark {params.benchmark} {params.raw} --output {output} 2> {log}"


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
        checkpoint=f"{CLEANING_DATA}/checkpoints/comment_model",
    shell:
        "ncsbench cleaning comment-model --settings {input.settings} --titles {input.titles}"
        " --checkpoint {params.checkpoint} --output {output} 2> {log}"


# Another processor finds slightly other losses: those that are committed in results/ are taken.
rule cleaning_losses:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_losses.json",
        settings=f"{CLEANING_SETTINGS}/losses/{{source}}.json",
        pairs=f"{CLEANING_DATA}/raw/{{source}}.parquet",
        model=f"{CLEANING_DATA}/comment_model",
    output:
        losses=f"{CLEANING_MADE}/losses/{{source}}.parquet",
        record=f"{CLEANING_MADE}/losses/{{source}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_losses-{{source}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    shell:
        "ncsbench cleaning losses --settings {input.settings} --pairs {input.pairs}"
        " --model {input.model} --output {output.losses} --record {output.record} 2> {log}"


rule cleaning_training_set:
    input:
        code=f"{CLEANING_SETTINGS}/code/cleaning_training_set.json",
        settings=f"{CLEANING_SETTINGS}/sets/{{training_set}}.json",
        pairs=of_cleaning(cleaning_of_set),
        losses=of_cleaning(cleaning_losses_of),
        size_of=of_cleaning(cleaning_size_of),
    output:
        pairs=f"{CLEANING_DATA}/sets/{{training_set}}.parquet",
        record=f"{CLEANING_DATA}/sets/{{training_set}}.json",
    log:
        f"{CLEANING_LOGS}/cleaning_training_set-{{training_set}}.log",
    wildcard_constraints:
        training_set="[a-z][a-z0-9_]*",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        losses=cleaning_option("--losses", "losses"),
        size_of=cleaning_option("--size-of", "size_of"),
    shell:
        "ncsbench cleaning training-set --settings {input.settings} --pairs {input.pairs}"
        " {params.losses} {params.size_of} --output {output.pairs} --record {output.record} 2> {log}"
