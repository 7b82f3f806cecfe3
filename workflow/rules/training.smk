# What models learn: a rule for each kind of ``rankers.learnt_kinds``, which is named as its stage.
# The rule is in a function, since Snakemake reads the text of a command again where a job runs.


def learn(kind, learnt):
    stage = learnt.stage or kind
    shown = " && (grep ': warning: ' {log} >&2 || true)" if learnt.warns else ""

    rule:
        name:
            stage
        input:
            **learnt_from(kind),
            code=f"{CODE}/{stage}.json",
        output:
            **made_of(kind),
        log:
            f"{LOGS}/{kind}-{{key}}.log",
        wildcard_constraints:
            key=one_of(ARTIFACTS.keys(kind)),
        conda:
            f"{ENVIRONMENTS}/models.yaml"
        threads: threads_of(kind)
        params:
            # The checkpoint is removed when the training has ended.
            options=options(
                checkpoint=f"{DATA}/checkpoints/{{key}}" if learnt.recorded else ""
            ),
        shell:
            f"ncsbench stage {stage} {{params.options}} 2> {{log}}{shown}"


for KIND, LEARNT_KIND in LEARNT.items():
    learn(KIND, LEARNT_KIND)
