# The systems of Tables 3 and 4 of CodeSearchNet: training, rankings, tables (docs/codesearchnet.md).


rule csn_train_encoder:
    input:
        CSN_CORPORA,
        code=f"{CSN_SETTINGS}/code/csn_train_encoder.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
    output:
        output=directory(f"{CSN_TRAINED}/encoder"),
        record=directory(f"{CSN_TRAINED}/record"),
    log:
        f"{CSN_DATA}/logs/csn_train_encoder-{{system}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(
            corpora=CSN_CORPORA_OPTION, checkpoint=f"{CSN_DATA}/checkpoints/{{system}}"
        ),
    shell:
        "ncsbench stage csn_train_encoder {params.options} 2> {log}"


rule csn_embed:
    input:
        f"{CSN_CORPUS}/functions.parquet",
        f"{CSN_CORPUS}/manifest.json",
        code=f"{CSN_SETTINGS}/code/csn_embed.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
    output:
        directory(f"{CSN_TRAINED}/unif/{{language}}/embedding"),
    log:
        f"{CSN_DATA}/logs/csn_embed-{{system}}-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(corpus=CSN_CORPUS),
    shell:
        "ncsbench stage csn_embed {params.options} 2> {log}"


rule csn_weights:
    input:
        f"{CSN_CORPUS}/functions.parquet",
        f"{CSN_CORPUS}/manifest.json",
        code=f"{CSN_SETTINGS}/code/csn_weights.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
        embedding=f"{CSN_TRAINED}/unif/{{language}}/embedding",
    output:
        output=directory(f"{CSN_TRAINED}/unif/{{language}}/weights"),
        record=directory(f"{CSN_TRAINED}/unif/{{language}}/record"),
    log:
        f"{CSN_DATA}/logs/csn_weights-{{system}}-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(
            corpus=CSN_CORPUS,
            checkpoint=f"{CSN_DATA}/checkpoints/{{system}}-{{language}}",
        ),
    shell:
        "ncsbench stage csn_weights {params.options} 2> {log}"


rule csn_rank:
    input:
        CSN_CORPORA,
        CSN_CHALLENGE,
        of_named(lambda one, at: one.list_ranker_code(at.system)),
        of_named(lambda one, at: one.list_trained(at.system)),
        code=f"{CSN_SETTINGS}/code/csn_rank.json",
        settings=f"{CSN_SETTINGS}/systems/{{system}}.json",
    output:
        predictions=f"{CSN_MADE}/predictions/{{system}}.csv",
        ranks=f"{CSN_MADE}/ranks/{{system}}.parquet",
        challenge=f"{CSN_MADE}/challenge/{{system}}.parquet",
        record=f"{CSN_MADE}/systems/{{system}}.json",
    log:
        f"{CSN_DATA}/logs/csn_rank-{{system}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        options=options(
            corpora=CSN_CORPORA_OPTION, trained=CSN_TRAINED, **CSN_CHALLENGE_OPTIONS
        ),
    shell:
        "ncsbench stage csn_rank {params.options} 2> {log}"


rule csn_table1:
    input:
        CSN_CORPORA,
        code=f"{CSN_SETTINGS}/code/csn_table1.json",
        published=CSN_PRINTED,
    output:
        reported(f"{CSN_RESULTS}/table1.csv", "CodeSearchNet", "csn_table1"),
    log:
        f"{CSN_DATA}/logs/csn_table1.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(corpora=CSN_CORPORA_OPTION),
    shell:
        "ncsbench stage csn_table1 {params.options} 2> {log}"


rule csn_table3:
    input:
        code=f"{CSN_SETTINGS}/code/csn_table3.json",
        settings=f"{CSN_SETTINGS}/tables.json",
        ranks=csn_results("ranks", ".parquet"),
        records=csn_results("systems", ".json"),
        pools=of_named(lambda one, at: one.find_pools()),
        published=CSN_PRINTED,
    output:
        reported(f"{CSN_RESULTS}/table3.csv", "CodeSearchNet", "csn_table3"),
    log:
        f"{CSN_DATA}/logs/csn_table3.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage csn_table3 {params.options} 2> {log}"


rule csn_choices:
    input:
        code=f"{CSN_SETTINGS}/code/csn_choices.json",
        settings=f"{CSN_SETTINGS}/tables.json",
        ranks=csn_results("ranks", ".parquet", choices=True),
    output:
        reported(f"{CSN_RESULTS}/csn_choices.csv", "CodeSearchNet"),
    log:
        f"{CSN_DATA}/logs/csn_choices.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(),
    shell:
        "ncsbench stage csn_choices {params.options} 2> {log}"


rule csn_pools:
    input:
        CSN_CORPORA,
        CSN_CHALLENGE,
        code=f"{CSN_SETTINGS}/code/csn_pools.json",
    output:
        f"{CSN_MADE}/pools.parquet",
    log:
        f"{CSN_DATA}/logs/csn_pools.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(corpora=CSN_CORPORA_OPTION, **CSN_CHALLENGE_OPTIONS),
    shell:
        "ncsbench stage csn_pools {params.options} 2> {log}"


rule csn_table4:
    input:
        CSN_CHALLENGE,
        code=f"{CSN_SETTINGS}/code/csn_table4.json",
        settings=f"{CSN_SETTINGS}/tables.json",
        pools=of_named(lambda one, at: one.find_pools()),
        ranks=csn_results("challenge", ".parquet"),
        published=CSN_PRINTED,
    output:
        output=reported(f"{CSN_RESULTS}/table4.csv", "CodeSearchNet", "csn_table4"),
        differences=reported(
            f"{CSN_RESULTS}/table4_differences.csv", "CodeSearchNet", "csn_table4"
        ),
    log:
        f"{CSN_DATA}/logs/csn_table4.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        options=options(**CSN_CHALLENGE_OPTIONS),
    shell:
        "ncsbench stage csn_table4 {params.options} 2> {log}"
