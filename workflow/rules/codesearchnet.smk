# Corpora of functions in six languages (docs/codesearchnet.md); targets need no --config. What a run of these is made
# of is read where one of its files is asked for.
from functools import cache

CSN_NAMES = sorted(
    path.stem
    for path in (Path(workflow.basedir) / "config/codesearchnet").glob("*.yaml")
)
CSN_DATA = "data/{csn}"
CSN_SETTINGS = f"{CSN_DATA}/settings"
CSN_EXTRACTED = f"{CSN_DATA}/extracted/{{language}}"
CSN_CORPUS = f"{CSN_DATA}/corpus/{{language}}"
CSN_LOGS = [Path("data", name, "logs") for name in CSN_NAMES]


def is_csn(rule):
    """Whether a rule is one of these runs."""
    return rule.startswith("csn_")


def find_csn(targets):
    """The runs that some of Snakemake's targets, rules or files, belong to."""
    parts = {part for target in targets for part in Path(target).parts}
    return [name for name in CSN_NAMES if name in parts]


def list_csn(name):
    """Folders of what a run made."""
    made = (one for one in Path("data", name).glob("*"))
    return [*(one for one in made if one.name not in UNCHECKED), Path("results", name)]


@cache
def csn_run(name):
    """The run of CodeSearchNet of a name."""
    from ncsbench.codesearchnet.csn_run import CsnRun

    return CsnRun(name, Path(os.path.relpath(workflow.basedir)), RUN.published)


def ask_csn(name, find):
    """What ``find`` finds of a run; a mistake ends in one line."""
    try:
        return find(csn_run(name))
    except NcsbenchError as error:
        sys.exit(f"ncsbench: error: {show_line(str(error))}")


def of_csn(find):
    """An input function of rules with the wildcard ``csn``."""
    return lambda wildcards: ask_csn(wildcards.csn, lambda csn: find(csn, wildcards))


def csn_targets(name):
    """An input function: all that is made of a run."""
    return lambda wildcards: ask_csn(
        name,
        lambda csn: [
            *(
                f"data/{name}/corpus/{language}/manifest.json"
                for language in csn.file.languages
            ),
            f"results/{name}/table1.csv",
            f"results/{name}/table2.csv",
            *(
                f"results/{name}/{table}.csv"
                for table in ("table3", "table4")
                if csn.file.systems
            ),
            *([f"results/{name}/csn_choices.csv"] if csn.file.choices else []),
        ],
    )


def csn_states(run, wildcards):
    """States of list and source; a run that needs them ends here where nothing is at hand."""
    mode = snakemake_private.find_mode(sys.argv[1:])
    if (
        snakemake_private.is_main_process(workflow)
        and mode is snakemake_private.Mode.RUN
    ):
        run.check(wildcards.language)
    folder = f"data/{run.name}/settings/inputs"
    return [f"{folder}/{wildcards.language}/{name}.json" for name in ("list", "source")]


def csn_shards(ending):
    """An input function: the extracted shards of a language."""
    return of_csn(
        lambda run, wildcards: [
            f"data/{run.name}/extracted/{wildcards.language}/{shard}{ending}"
            for shard in run.shards
        ]
    )


wildcard_constraints:
    csn=one_of(CSN_NAMES),
    language="[a-z]+",


for _csn in CSN_NAMES:

    rule:
        name:
            _csn
        input:
            csn_targets(_csn),
        localrule: True


rule csn_inventory:
    input:
        code=f"{CSN_SETTINGS}/code/csn_inventory.json",
        settings=f"{CSN_SETTINGS}/{{language}}/inventory.json",
        states=of_csn(csn_states),
    output:
        f"{CSN_EXTRACTED}/inventory.parquet",
    log:
        f"{CSN_DATA}/logs/csn_inventory-{{language}}.log",
    benchmark:
        f"{CSN_DATA}/benchmarks/csn_inventory-{{language}}.tsv"
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    threads: 4
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        memory=f"{CSN_DATA}/commits/{{language}}",
    shell:
        "ncsbench codesearchnet inventory --settings {input.settings} --threads {threads}"
        " --memory {params.memory} --output {output} 2> {log}"


# Its outputs stay: other options of a corpus parse nothing again.
rule csn_extract:
    input:
        code=f"{CSN_SETTINGS}/code/csn_extract.json",
        language=f"{CSN_SETTINGS}/code/functions_{{language}}.json",
        settings=f"{CSN_SETTINGS}/{{language}}/extraction.json",
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
    output:
        functions=f"{CSN_EXTRACTED}/{{shard}}.parquet",
        ledger=f"{CSN_EXTRACTED}/{{shard}}.ledger.parquet",
    log:
        f"{CSN_DATA}/logs/csn_extract-{{language}}-{{shard}}.log",
    benchmark:
        f"{CSN_DATA}/benchmarks/csn_extract-{{language}}-{{shard}}.tsv"
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    shell:
        "ncsbench codesearchnet extract --settings {input.settings} --inventory {input.inventory}"
        " --shard {wildcards.shard} --output {output.functions} --ledger {output.ledger} 2> {log}"


rule csn_build_corpus:
    input:
        code=f"{CSN_SETTINGS}/code/csn_build_corpus.json",
        settings=f"{CSN_SETTINGS}/{{language}}/corpus.json",
        states=expand(
            f"{CSN_SETTINGS}/inputs/{{name}}.json",
            name=["annotations", "queries"],
            allow_missing=True,
        ),
        published=of_csn(lambda run, wildcards: ancient(run.published_files)),
        inventory=f"{CSN_EXTRACTED}/inventory.parquet",
        functions=csn_shards(".parquet"),
        ledgers=csn_shards(".ledger.parquet"),
    output:
        functions=f"{CSN_CORPUS}/functions.parquet",
        duplicates=f"{CSN_CORPUS}/duplicates.parquet",
        ledger=f"{CSN_CORPUS}/ledger.parquet",
        manifest=f"{CSN_CORPUS}/manifest.json",
    log:
        f"{CSN_DATA}/logs/csn_build_corpus-{{language}}.log",
    benchmark:
        f"{CSN_DATA}/benchmarks/csn_build_corpus-{{language}}.tsv"
    conda:
        f"{ENVIRONMENTS}/functions.yaml"
    resources:
        mem_mb=memory_of_job,
        runtime=minutes_of_job,
    params:
        extracted=input_folder("functions"),
        corpus=output_folder("manifest"),
    shell:
        "ncsbench codesearchnet build-corpus --settings {input.settings}"
        " --inventory {input.inventory} --extracted {params.extracted} --output {params.corpus} 2> {log}"
