rule questions:
    input:
        code=f"{CODE}/questions.json",
        settings=f"{SETTINGS}/questions.json",
        selected=RUN.questions if RUN.questions_are_selected else [],
        states=states_of(*QUESTION_FILES),
        published=published_inputs(*QUESTION_FILES),
    output:
        f"{DATA}/questions.parquet",
    log:
        f"{LOGS}/questions.log",
    conda:
        f"{ENVIRONMENTS}/corpus.yaml"
    shell:
        "ncsbench questions read --settings {input.settings} --output {output} 2> {log}"


if RUN.part:

    rule part_questions:
        input:
            code=f"{CODE}/part_questions.json",
            settings=f"{SETTINGS}/parts/{RUN.part}.json",
            questions=QUESTIONS,
        output:
            TABLE_QUESTIONS,
        log:
            f"{LOGS}/part_questions.log",
        conda:
            f"{ENVIRONMENTS}/corpus.yaml"
        shell:
            "ncsbench questions part --settings {input.settings} --questions {input.questions}"
            " --output {output} 2> {log}"


rule parse_answers:
    input:
        code=f"{CODE}/parse_answers.json",
        questions=f"{DATA}/questions.parquet",
    output:
        f"{RESULTS}/answers.csv",
    log:
        f"{LOGS}/parse_answers.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    shell:
        "ncsbench judge answers --questions {input.questions} --output {output} 2> {log}"


rule judge_index:
    input:
        code=f"{CODE}/judge_index.json",
        manifest=f"{CORPUS}/manifest.json",
        methods=f"{CORPUS}/methods/{{shard}}.parquet",
    output:
        folder=directory(f"{DATA}/judge_index/{{shard}}"),
    log:
        f"{LOGS}/judge_index-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        corpus=input_folder("manifest"),
        index=output_folder("folder"),
    shell:
        "ncsbench judge index --corpus {params.corpus} --shard {wildcards.shard}"
        " --output {params.index} 2> {log}"


rule judge:
    input:
        code=f"{CODE}/judge.json",
        run=f"{RESULTS}/runs/{{model}}.trec.gz",
        questions=f"{DATA}/questions.parquet",
        index=JUDGE_INDEX,
    output:
        f"{DATA}/judgements/{{model}}.parquet",
    log:
        f"{LOGS}/judge-{{model}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        index=input_folder("index"),
    shell:
        "ncsbench judge score --run {input.run} --questions {input.questions}"
        " --index {params.index} --output {output} 2> {log}"


rule match:
    input:
        code=f"{CODE}/match.json",
        settings=f"{SETTINGS}/matches.json",
        questions=f"{DATA}/questions.parquet",
        index=f"{DATA}/judge_index/{{shard}}",
    output:
        temp(f"{DATA}/matched/{{shard}}.parquet"),
    log:
        f"{LOGS}/match-{{shard}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        index=input_folder("index"),
    shell:
        "ncsbench judge match --settings {input.settings} --questions {input.questions}"
        " --index {params.index} --shard {wildcards.shard} --output {output} 2> {log}"


rule merge_matches:
    input:
        code=f"{CODE}/merge_matches.json",
        settings=f"{SETTINGS}/matches.json",
        parts=expand(f"{DATA}/matched/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{DATA}/matches.parquet",
    log:
        f"{LOGS}/merge_matches.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    shell:
        "ncsbench judge merge --settings {input.settings} --output {output} {input.parts}"
        " 2> {log}"


rule examples:
    input:
        code=f"{CODE}/examples.json",
        matches=f"{DATA}/matches.parquet",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
    output:
        f"{RESULTS}/examples.csv",
    log:
        f"{LOGS}/examples.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        corpus=input_folder("manifest"),
    shell:
        "ncsbench tables examples --matches {input.matches} --questions {input.questions}"
        " --corpus {params.corpus} --output {output} 2> {log}"


rule repository_intervals:
    input:
        code=f"{CODE}/repository_intervals.json",
        settings=f"{SETTINGS}/repositories/intervals.json",
        questions=f"{DATA}/questions.parquet",
        manifest=f"{CORPUS}/manifest.json",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        index=JUDGE_INDEX,
        run=f"{DATA}/deep_runs/{{model}}.trec",
    output:
        f"{DATA}/repository_intervals/{{model}}.csv",
    log:
        f"{LOGS}/repository_intervals-{{model}}.log",
    conda:
        f"{ENVIRONMENTS}/judge.yaml"
    params:
        corpus=input_folder("manifest"),
        index=input_folder("index"),
    shell:
        "ncsbench judge repositories --settings {input.settings} --run {input.run}"
        " --questions {input.questions} --corpus {params.corpus} --index {params.index}"
        " --output {output} 2> {log}"


rule dataset_tables:
    input:
        code=f"{CODE}/dataset_tables.json",
        settings=f"{TABLE_SETTINGS}/table.json",
        questions=TABLE_QUESTIONS,
        answers=f"{RESULTS}/answers.csv",
        manifest=f"{CORPUS}/manifest.json",
        inventory=f"{CORPUS}/inventory.parquet",
        ledger=f"{CORPUS}/ledger.parquet",
        methods=expand(f"{CORPUS}/methods/{{shard}}.parquet", shard=SHARDS),
        runs=expand(f"{RESULTS}/runs/{{model}}.trec.gz", model=TABLE_RUNS),
        judgements=expand(f"{DATA}/judgements/{{model}}.parquet", model=TABLE_RUNS),
        matches=f"{DATA}/matches.parquet" if RUN.ceiling else [],
        states=states_of(*PUBLISHED_FILES, "score_sheet", published=True),
        trainings=TRAININGS.values(),
        repository_intervals=REPOSITORY_INTERVALS,
    output:
        [f"{TABLE_FOLDER}/{name}" for name in TABLES if name not in COMPARISONS],
        [reported(f"{TABLE_FOLDER}/{name}", "Comparisons") for name in COMPARISONS],
        metrics=directory(f"{TABLE_FOLDER}/metrics"),
        table=f"{TABLE_FOLDER}/table1.csv",
    log:
        f"{LOGS}/dataset_tables.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        corpus=input_folder("manifest"),
        judgements=input_folder("judgements"),
        results=results_of_run,
        output=output_folder("table"),
        matches=matches_option,
        published=PUBLISHED,
        score_sheet=SCORE_SHEET,
        trainings=trainings_option,
        repository_intervals=repository_intervals_option,
    shell:
        "ncsbench tables build --settings {input.settings} --questions {input.questions}"
        " --answers {input.answers} --corpus {params.corpus} --judgements {params.judgements} {params.matches}"
        " --published {params.published} --score-sheet {params.score_sheet} {params.trainings}"
        " {params.repository_intervals} --results {params.results} --output {params.output}"
        " 2> {log} && (grep ': warning: ' {log} >&2 || true)"


# Updated, not written anew: what was made elsewhere and pulled keeps its times and its machine.
rule provenance:
    input:
        code=f"{CODE}/provenance.json",
        tables=expand(f"{TABLE_FOLDER}/{{name}}", name=["table1.csv", *TABLES]),
    output:
        file=update(reported(f"{TABLE_FOLDER}/provenance.json", "Provenance")),
    log:
        f"{LOGS}/provenance.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        dataset=RUN.dataset,
        settings=parts_folder("code"),
        tables=output_folder("file"),
        results=results_of_run,
    shell:
        "ncsbench provenance write --dataset {params.dataset} --settings {params.settings}"
        " --also {params.tables} --made data --made {params.results}"
        " --output {output.file} {input.tables} 2> {log}"


# The tables of a trial or of a part lie in its own folder alone.
if OF_ALL:

    localrules:
        table1,

    rule table1:
        input:
            code=f"{CODE}/table1.json",
            provenance=[] if HAS_EVIDENCE else f"{RESULTS}/provenance.json",
            csv=f"{RESULTS}/table1.csv",
            long=f"{RESULTS}/table1_long.csv",
            md=f"{RESULTS}/table1.md",
            tex=f"{RESULTS}/table1.tex",
            configured="data/configured.json",
        output:
            csv=reported("results/table1.csv", "Table 1"),
            long="results/table1_long.csv",
            md="results/table1.md",
            tex="results/table1.tex",
        log:
            "data/logs/table1.log",
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            output=output_folder("csv"),
        shell:
            "ncsbench tables publish --output {params.output} {input.csv} {input.long} {input.md}"
            " {input.tex} 2> {log}"


rule published_table1:
    input:
        code=f"{CODE}/published_table1.json",
        states=states_of("ncsed_table1", "score_sheet", published=True),
    output:
        reported("results/published_table1.csv", "Table 1"),
    log:
        "data/logs/published_table1.log",
    conda:
        f"{ENVIRONMENTS}/tables.yaml"
    params:
        printed=f"{PUBLISHED}/ncsed_table1.csv",
        sheet=SCORE_SHEET,
    shell:
        "ncsbench published table --printed {params.printed} --sheet {params.sheet}"
        " --output {output} 2> {log}"
