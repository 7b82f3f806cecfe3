# Tables of published evidence (docs/evidence.md): no rule makes their inputs, so that they need neither clones nor
# what else a dataset is made of, and targets need no --config. What EVIDENCE has is in common.smk.
QUESTION_TEXTS = f"{SOURCES}/ncsed/questions.json"

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
                params:
                    options=options(),
                shell:
                    "ncsbench stage part_questions {params.options} 2> {log}"

        rule:
            name:
                _name
            input:
                f"{_folder.parent}/evidence.json",
                [f"{_folder}/{name}" for name in _record.files],
                states_of(*PUBLISHED_FILES, "score_sheet", published=True),
                code=f"{CODE}/{_name}.json",
                questions=_questions,
            output:
                [f"{_place}/{name}" for name in TABLES],
                directory(f"{_place}/metrics"),
                f"{_place}/table1.csv",
            log:
                f"data/logs/{_name}.log",
            localrule: True
            conda:
                f"{ENVIRONMENTS}/tables.yaml"
            params:
                options=options(
                    evidence=str(_folder),
                    published=PUBLISHED,
                    score_sheet=SCORE_SHEET,
                    output=_place,
                ),
            shell:
                "ncsbench stage evidence_tables {params.options} 2> {log}"

    # Texts of questions are shown where the published file is here, which no rule fetches for that.
    rule:
        name:
            f"explorer_of_evidence_{_record.dataset}"
        input:
            EXPLORER_PAGE,
            f"{_folder.parent}/evidence.json",
            [f"{_folder}/{name}" for name in _record.files],
            expand(f"{_folder.parent}/{{name}}", name=EXPLORER_TABLES),
            code=f"{CODE}/explorer_of_evidence_{_record.dataset}.json",
            texts=[QUESTION_TEXTS] if os.path.isfile(QUESTION_TEXTS) else [],
        output:
            f"{_folder.parent}/explorer/index.html",
        log:
            f"data/logs/explorer_of_evidence_{_record.dataset}.log",
        localrule: True
        conda:
            f"{ENVIRONMENTS}/explorer.yaml"
        params:
            options=options(
                evidence=str(_folder),
                tables=str(_folder.parent),
                output=f"{_folder.parent}/explorer",
            ),
        shell:
            "ncsbench stage evidence_explorer {params.options} 2> {log}"


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
            options=options(dataset=RUN.dataset),
        shell:
            "ncsbench stage remade {params.options} 2> {log}"
