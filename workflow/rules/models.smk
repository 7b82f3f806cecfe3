rule index:
    input:
        of_index(ARTIFACTS.ranker_code),
        of_index(ARTIFACTS.parts),
        of_index(lambda model: METHODS if model.source_text else []),
        of_index(states_of_index),
        of_index(ARTIFACTS.loader_code),
        of_index(lambda model: list(ARTIFACTS.learnt(model).values())),
        code=f"{CODE}/index.json",
        settings=f"{SETTINGS}/models/{{model}}.json",
        words=of_index(ARTIFACTS.words),
        base_index=of_index(ARTIFACTS.base),
    output:
        directory(f"{DATA}/indexes/{{model}}"),
    log:
        f"{LOGS}/index-{{model}}.log",
    wildcard_constraints:
        model=one_of(RUN.indexes),
    conda:
        RANKERS_ENVIRONMENT
    threads: of_index(count_threads)
    params:
        options=options(
            learnt=of_index(ARTIFACTS.learnt),
            part=of_index(ARTIFACTS.part_indexes),
            part_words=of_index(ARTIFACTS.part_words),
            corpus=of_index(lambda model: CORPUS if model.source_text else ""),
        ),
    shell:
        "ncsbench stage index {params.options} 2> {log}"
        " && (grep ': warning: ' {log} >&2 || true)"


rule retrieve:
    input:
        of_run(ARTIFACTS.ranker_code),
        of_run(states_of_run),
        of_searched(ARTIFACTS.base),
        of_searched(ARTIFACTS.parts),
        of_run(lambda model: METHODS if model.source_text else []),
        code=f"{CODE}/retrieve.json",
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/retrieval.json",
        words=of_run(ARTIFACTS.words),
        index=of_run(ARTIFACTS.index),
        questions=f"{DATA}/questions.parquet",
        members=of_run(lambda one: HAYSTACKS if one.haystack else []),
    output:
        f"{RESULTS}/runs/{{model}}.trec.gz",
    log:
        f"{LOGS}/retrieve-{{model}}.log",
    conda:
        RANKERS_ENVIRONMENT
    params:
        options=options(
            tag="{model}",
            corpus=of_run(lambda one: CORPUS if one.source_text else ""),
            haystack=of_run(lambda one: one.haystack),
        ),
    shell:
        "ncsbench stage retrieve {params.options} 2> {log}"
        # Warnings belong before the eyes of whoever reads the table.
        " && (grep ': warning: ' {log} >&2 || true)"


# For intervals over repositories: methods of repositories that are not drawn leave the rankings.
use rule retrieve as retrieve_deep with:
    input:
        of_run(ARTIFACTS.ranker_code),
        of_run(states_of_run),
        of_searched(ARTIFACTS.base),
        of_searched(ARTIFACTS.parts),
        of_run(lambda model: METHODS if model.source_text else []),
        code=f"{CODE}/retrieve_deep.json",
        settings=f"{SETTINGS}/models/{{model}}.json",
        retrieval=f"{SETTINGS}/repositories/retrieval.json",
        words=of_run(ARTIFACTS.words),
        index=of_run(ARTIFACTS.index),
        questions=f"{DATA}/questions.parquet",
        members=of_run(lambda one: HAYSTACKS if one.haystack else []),
    output:
        temp(f"{DATA}/deep_runs/{{model}}.trec"),
    log:
        f"{LOGS}/retrieve_deep-{{model}}.log",
    params:
        options=options(
            tag="{model}",
            corpus=of_run(lambda one: CORPUS if one.source_text else ""),
            haystack=of_run(lambda one: one.haystack),
            deeper=True,
        ),
