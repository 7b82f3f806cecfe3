# What models learn: a rule for each kind of ``rankers.learnt_kinds``, which is named as its stage.

for KIND, LEARNT_KIND in LEARNT.items():
    RULE = LEARNT_KIND.stage or KIND

    rule:
        name:
            RULE
        input:
            **learnt_from(KIND),
            code=f"{CODE}/{RULE}.json",
        output:
            **made_of(KIND),
        log:
            f"{LOGS}/{KIND}-{{key}}.log",
        wildcard_constraints:
            key=one_of(ARTIFACTS.keys(KIND)),
        conda:
            f"{ENVIRONMENTS}/models.yaml"
        threads: threads_of(KIND)
        params:
            # The checkpoint is removed when the training has ended.
            options=options(
                checkpoint=(
                    f"{DATA}/checkpoints/{{key}}" if LEARNT_KIND.recorded else ""
                )
            ),
        shell:
            f"ncsbench stage {RULE} {{params.options}} 2> {{log}}"
            + (
                " && (grep ': warning: ' {log} >&2 || true)"
                if LEARNT_KIND.warns
                else ""
            )


if TRAININGS:

    include: "loss_curves.smk"
