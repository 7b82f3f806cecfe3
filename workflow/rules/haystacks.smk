# Searching among more and more of the corpus; the searches are variants of the models.


localrules:
    haystacks,


rule haystacks:
    input:
        f"{TABLE_FOLDER}/haystacks.csv",


rule haystack_members:
    input:
        code=f"{CODE}/haystack_members.json",
        settings=f"{SETTINGS}/haystacks/members.json",
        states=states_of("haystack_base"),
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        index=JUDGE_INDEX,
    output:
        f"{DATA}/haystacks.parquet",
    log:
        f"{LOGS}/haystack_members.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        corpus=input_folder("manifest"),
        index=input_folder("index"),
    shell:
        "ncsbench haystacks members --settings {input.settings} --questions {input.questions}"
        " --corpus {params.corpus} --index {params.index} --output {output} 2> {log}"


rule haystack_table:
    input:
        code=f"{CODE}/haystack_table.json",
        settings=f"{TABLE_SETTINGS}/haystacks/table.json",
        members=f"{DATA}/haystacks.parquet",
        questions=TABLE_QUESTIONS,
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=HAYSTACK_RUNS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=HAYSTACK_RUNS),
    output:
        table=reported(f"{TABLE_FOLDER}/haystacks.csv", "Haystacks"),
        figure=reported(f"{TABLE_FOLDER}/figures/haystacks.svg", "Haystacks"),
    log:
        f"{LOGS}/haystack_table.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        results=results_of_run,
        judgements=input_folder("judgements"),
    shell:
        "ncsbench haystacks table --settings {input.settings} --members {input.members}"
        " --questions {input.questions} --results {params.results}"
        " --judgements {params.judgements} --output {output.table} --figure {output.figure} 2> {log}"
