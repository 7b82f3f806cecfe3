# Searching among more and more of the corpus; the searches are variants of the models.


localrules:
    haystacks,


rule haystacks:
    input:
        f"{TABLE_FOLDER}/haystacks.csv",


rule haystack_members:
    input:
        states_of("haystack_base"),
        f"{CORPUS}/manifest.json",
        expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        JUDGE_SHARDS,
        code=f"{CODE}/haystack_members.json",
        settings=f"{SETTINGS}/haystacks/members.json",
        questions=QUESTIONS,
    output:
        HAYSTACKS,
    log:
        f"{LOGS}/haystack_members.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        options=options(corpus=CORPUS, index=JUDGE_INDEX),
    shell:
        "ncsbench stage haystack_members {params.options} 2> {log}"


rule haystack_table:
    input:
        expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=HAYSTACK_RUNS),
        expand(f"{JUDGEMENTS}/{{model}}.parquet", model=HAYSTACK_RUNS),
        code=f"{CODE}/haystack_table.json",
        settings=f"{TABLE_SETTINGS}/haystacks/table.json",
        members=HAYSTACKS,
        questions=TABLE_QUESTIONS,
    output:
        reported(f"{TABLE_FOLDER}/haystacks.csv", "Haystacks"),
    log:
        f"{LOGS}/haystack_table.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(results=RESULTS, judgements=JUDGEMENTS),
    shell:
        "ncsbench stage haystack_table {params.options} 2> {log}"
