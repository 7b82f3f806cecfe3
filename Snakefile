from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/published_inputs.smk"
include: "workflow/rules/corpus_inputs.smk"
include: "workflow/rules/model_inputs.smk"
include: "workflow/rules/released.smk"
include: "workflow/rules/corpus.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/training.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/gold.smk"
include: "workflow/rules/study.smk"
include: "workflow/rules/duplicates.smk"
include: "workflow/rules/explorer.smk"
include: "workflow/rules/pairs.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/evidence.smk"
include: "workflow/rules/named_runs.smk"
include: "workflow/rules/codesearchnet.smk"
include: "workflow/rules/codesearchnet_systems.smk"
include: "workflow/rules/cleaning.smk"
include: "workflow/rules/cleaning_cells.smk"
include: "workflow/rules/cleaning_tables.smk"


if OF_ALL:

    include: "workflow/rules/card.smk"


if RUN.archives:

    include: "workflow/rules/archives.smk"


if RUN.micro.by_name:

    include: "workflow/rules/micro_benchmark.smk"


if RUN.file.haystacks:

    include: "workflow/rules/haystacks.smk"


if RUN.file.posts:

    include: "workflow/rules/posts.smk"
    include: "workflow/rules/selection.smk"
    include: "workflow/rules/threads.smk"


localrules:
    all,
    provenance,
    published_table1,


rule all:
    default_target: True
    input:
        "results/table1.csv" if OF_ALL and RUN.judged else rules.tables.input,
        GOLD_TABLES,
        "results/published_table1.csv" if OF_ALL and RUN.judged else [],


include: "workflow/rules/start.smk"
