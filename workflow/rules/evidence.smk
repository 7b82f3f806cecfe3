# Tables of published evidence (docs/evidence.md): no rule makes their inputs, so that they need neither clones nor
# what else a dataset is made of, and targets need no --config. What EVIDENCE has is in common.smk.

for _folder, _record in EVIDENCE.items():
    for _part in ["", *_record.parts]:
        _name = "_".join(["evidence", _record.dataset, *([_part] if _part else [])])
        _place = os.path.join(
            _folder.parent, *([QUESTION_PARTS, _part] if _part else [])
        )
        _questions = (
            f"data/evidence/{_record.dataset}/{_part}.parquet"
            if _part
            else f"{_folder}/questions.parquet"
        )
        if _part:

            rule:
                name:
                    f"questions_of_{_name}"
                input:
                    code=f"{CODE}/questions_of_{_name}.json",
                    settings=f"{_folder}/parts/{_part}.json",
                    questions=f"{_folder}/questions.parquet",
                output:
                    _questions,
                log:
                    f"data/logs/questions_of_{_name}.log",
                localrule: True
                conda:
                    f"{ENVIRONMENTS}/corpus.yaml"
                shell:
                    "ncsbench questions part --settings {input.settings} --questions {input.questions}"
                    " --output {output} 2> {log}"

        rule:
            name:
                _name
            input:
                code=f"{CODE}/{_name}.json",
                record=f"{_folder.parent}/evidence.json",
                evidence=[f"{_folder}/{name}" for name in _record.files],
                questions=_questions,
                states=states_of(*PUBLISHED_FILES, "score_sheet", published=True),
            output:
                [f"{_place}/{name}" for name in TABLES],
                metrics=directory(f"{_place}/metrics"),
                table=f"{_place}/table1.csv",
            log:
                f"data/logs/{_name}.log",
            localrule: True
            conda:
                f"{ENVIRONMENTS}/tables.yaml"
            params:
                results=input_folder("record"),
                output=output_folder("table"),
                published=PUBLISHED,
                score_sheet=SCORE_SHEET,
            shell:
                "ncsbench evidence tables {params.results}/evidence --questions {input.questions}"
                " --published {params.published} --score-sheet {params.score_sheet}"
                " --output {params.output} 2> {log}"


if HAS_EVIDENCE:

    # The way from raw: everything anew, in data/, and whether it is what was published.
    rule remade:
        input:
            rules.tables.input,
        output:
            f"{DATA}/remade.txt",
        log:
            f"{LOGS}/remade.log",
        localrule: True
        conda:
            f"{ENVIRONMENTS}/tables.yaml"
        params:
            dataset=RUN.dataset,
        shell:
            "ncsbench evidence compare {params.dataset} > {output} 2> {log}"
