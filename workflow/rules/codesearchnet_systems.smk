# The systems of Tables 3 and 4 of CodeSearchNet: training, rankings, tables (docs/codesearchnet-systems.md).


rule csn_train_encoder:
    input:
        code=f"{CSN_SETTINGS}/code/csn_train_encoder.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
        corpora=of_csn(csn_corpora),
    output:
        encoder=directory(f"{CSN_TRAINED}/encoder"),
        record=directory(f"{CSN_TRAINED}/record"),
    log:
        f"{CSN_DATA}/logs/csn_train_encoder-{{system}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        corpora=f"{CSN_DATA}/corpus",
        languages=of_csn(csn_language_options),
        checkpoint=f"{CSN_DATA}/checkpoints/{{system}}",
    shell:
        "ncsbench codesearchnet-systems train --settings {input.settings} --corpora {params.corpora}"
        " {params.languages} --checkpoint {params.checkpoint}"
        " --record {output.record} --output {output.encoder} 2> {log}"


rule csn_embed:
    input:
        code=f"{CSN_SETTINGS}/code/csn_embed.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
        functions=f"{CSN_CORPUS}/functions.parquet",
        manifest=f"{CSN_CORPUS}/manifest.json",
    output:
        directory(f"{CSN_TRAINED}/unif/{{language}}/embedding"),
    log:
        f"{CSN_DATA}/logs/csn_embed-{{system}}-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench codesearchnet-systems embed --settings {input.settings} --corpus {params.corpus}"
        " --output {output} 2> {log}"


rule csn_weights:
    input:
        code=f"{CSN_SETTINGS}/code/csn_weights.json",
        settings=f"{CSN_SETTINGS}/training/{{system}}.json",
        functions=f"{CSN_CORPUS}/functions.parquet",
        manifest=f"{CSN_CORPUS}/manifest.json",
        embedding=f"{CSN_TRAINED}/unif/{{language}}/embedding",
    output:
        weights=directory(f"{CSN_TRAINED}/unif/{{language}}/weights"),
        record=directory(f"{CSN_TRAINED}/unif/{{language}}/record"),
    log:
        f"{CSN_DATA}/logs/csn_weights-{{system}}-{{language}}.log",
    conda:
        f"{ENVIRONMENTS}/models.yaml"
    params:
        corpus=input_folder("manifest"),
        checkpoint=f"{CSN_DATA}/checkpoints/{{system}}-{{language}}",
    shell:
        "ncsbench codesearchnet-systems weights --settings {input.settings} --corpus {params.corpus}"
        " --embedding {input.embedding} --checkpoint {params.checkpoint}"
        " --record {output.record} --output {output.weights} 2> {log}"


rule csn_rank:
    input:
        code=f"{CSN_SETTINGS}/code/csn_rank.json",
        ranker_code=of_csn(csn_ranker_code),
        settings=f"{CSN_SETTINGS}/systems/{{system}}.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        corpora=of_csn(csn_corpora),
        trained=of_csn(csn_training_of),
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
        corpora=f"{CSN_DATA}/corpus",
        annotations=of_csn(lambda run, wildcards: run.file.annotations),
        queries=of_csn(lambda run, wildcards: run.file.queries),
        trained=csn_training_option,
    shell:
        "ncsbench codesearchnet-systems rank --settings {input.settings} --corpora {params.corpora}"
        " --annotations {params.annotations} --queries {params.queries} {params.trained}"
        " --predictions {output.predictions} --ranks {output.ranks}"
        " --challenge {output.challenge} --record {output.record} 2> {log}"


rule csn_table1:
    input:
        code=f"{CSN_SETTINGS}/code/csn_table1.json",
        corpora=of_csn(csn_corpora),
        figures=of_csn(csn_figures),
    output:
        reported(f"{CSN_RESULTS}/table1.csv", "CodeSearchNet", "csn_table1"),
    log:
        f"{CSN_DATA}/logs/csn_table1.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        corpora=f"{CSN_DATA}/corpus",
        languages=of_csn(csn_language_options),
        figures=csn_figures_option,
    shell:
        "ncsbench codesearchnet table1 --corpora {params.corpora} {params.languages}"
        " {params.figures} --output {output} 2> {log}"


rule csn_table3:
    input:
        code=f"{CSN_SETTINGS}/code/csn_table3.json",
        settings=f"{CSN_SETTINGS}/table3.json",
        ranks=csn_results_of("ranks", ".parquet"),
        records=csn_results_of("systems", ".json"),
        figures=of_csn(csn_figures),
    output:
        reported(f"{CSN_RESULTS}/table3.csv", "CodeSearchNet", "csn_table3"),
    log:
        f"{CSN_DATA}/logs/csn_table3.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        ranks=repeat_option("ranks"),
        records=repeat_option("records"),
        figures=csn_figures_option,
    shell:
        "ncsbench codesearchnet table3 --settings {input.settings} {params.ranks}"
        " {params.records} {params.figures} --output {output} 2> {log}"


rule csn_choices:
    input:
        code=f"{CSN_SETTINGS}/code/csn_choices.json",
        settings=f"{CSN_SETTINGS}/choices.json",
        ranks=csn_results_of("ranks", ".parquet", choices=True),
    output:
        reported(f"{CSN_RESULTS}/csn_choices.csv", "CodeSearchNet"),
    log:
        f"{CSN_DATA}/logs/csn_choices.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        ranks=repeat_option("ranks"),
    shell:
        "ncsbench codesearchnet choices --settings {input.settings} {params.ranks}"
        " --output {output} 2> {log}"


rule csn_pools:
    input:
        code=f"{CSN_SETTINGS}/code/csn_pools.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        corpora=of_csn(csn_corpora),
    output:
        f"{CSN_MADE}/pools.parquet",
    log:
        f"{CSN_DATA}/logs/csn_pools.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        corpora=f"{CSN_DATA}/corpus",
        languages=of_csn(csn_language_options),
        annotations=of_csn(lambda run, wildcards: run.file.annotations),
        queries=of_csn(lambda run, wildcards: run.file.queries),
    shell:
        "ncsbench codesearchnet pools --corpora {params.corpora} {params.languages}"
        " --annotations {params.annotations} --queries {params.queries} --output {output} 2> {log}"


rule csn_table4:
    input:
        code=f"{CSN_SETTINGS}/code/csn_table4.json",
        settings=f"{CSN_SETTINGS}/table4.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        pools=of_csn(csn_pools_of),
        ranks=csn_results_of("challenge", ".parquet"),
        figures=of_csn(csn_figures),
    output:
        table=reported(f"{CSN_RESULTS}/table4.csv", "CodeSearchNet", "csn_table4"),
        differences=reported(
            f"{CSN_RESULTS}/table4_differences.csv", "CodeSearchNet", "csn_table4"
        ),
    log:
        f"{CSN_DATA}/logs/csn_table4.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        ranks=repeat_option("ranks"),
        annotations=of_csn(lambda run, wildcards: run.file.annotations),
        queries=of_csn(lambda run, wildcards: run.file.queries),
        figures=csn_figures_option,
    shell:
        "ncsbench codesearchnet table4 --settings {input.settings}"
        " --annotations {params.annotations} --queries {params.queries}"
        " {params.ranks} --pools {input.pools} {params.figures}"
        " --output {output.table} --differences {output.differences} 2> {log}"
