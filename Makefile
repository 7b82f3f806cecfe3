# Everything runs in .venv, made from the pinned envs/requirements*.txt; see docs/environments.md.
SHELL := /bin/bash
PYTHON ?= $(shell for one in python3.11 python3.12 python3.13 python3; do \
	$$one -c '' 2> /dev/null && echo $$one && break; done)
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
CORES ?= all
# One line of progress, the errors of jobs where it fails: --quiet, behind which no target may be.
SNAKEMAKE = snakemake --cores $(CORES)

.PHONY: setup table1 table1_full cleaning_sample test check board restore release verify faults environments audit report explorer docs \
	lint format bench structural own_code_bench scale packages cluster cluster_packages browser_packages \
	clean help

help: ## Show the targets
	@grep -E '^[a-z0-9_]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 14

setup: .venv/.installed .venv/.compiled ## Make .venv with what the workflow needs

# uv reads none of pip's settings: an index and folders of wheels are handed on, where they are set.
UV := uv==0.13.9
PIP_SETTING = $$($(BIN)/python -m pip config get global.$(1) 2> /dev/null | xargs | tr ' ' ,)
INSTALL = UV_FIND_LINKS="$${UV_FIND_LINKS-$(call PIP_SETTING,find-links)}" \
	UV_DEFAULT_INDEX="$${UV_DEFAULT_INDEX-$(call PIP_SETTING,index-url)}" \
	$(BIN)/uv pip install --python $(BIN)/python --compile-bytecode

.venv/.installed: envs/requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14) and "setup: Python 3.11, 3.12 or 3.13 is needed: make PYTHON=python3.11")'
	@echo "setup 1/3: .venv of $$($(PYTHON) --version), with $(UV), which installs the rest"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --disable-pip-version-check $(UV)
	@echo "setup 2/3: $$(grep -c == $<) packages, 480 MB to fetch; about a minute, longer where torch brings CUDA"
	@$(INSTALL) --requirement $< 2> >(grep -v '^ [+-]' >&2)
	@echo "setup 3/3: ncsbench itself"
	@$(INSTALL) --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# The judge's functions, compiled anew where their sources change, as Python's own are above.
.venv/.compiled: $(wildcard workflow/ncsbench/code/aroma/*.py workflow/ncsbench/evaluation/judge/*.py) | .venv/.installed
	@echo "setup: the functions of the judge are compiled; half a minute"
	@$(BIN)/python -c 'from ncsbench.evaluation.judge import compiled_code as c; c.compile_once()'
	@touch $@

# Tests and checks need more packages than the workflow.
.venv/.installed-dev: envs/requirements-dev.txt .venv/.installed
	@echo "setup: $$(grep -c == $<) packages for tests and checks; some seconds"
	@$(INSTALL) --requirement $< 2> >(grep -v '^ [+-]' >&2)
	@touch $@

# The site of the documentation has packages of its own.
.venv/.installed-docs: envs/requirements-docs.txt .venv/.installed
	@echo "setup: $$(grep -c == $<) packages for the documentation; some seconds"
	@$(INSTALL) --requirement $< 2> >(grep -v '^ [+-]' >&2)
	@touch $@

table1: setup ## Table 1 of the configured dataset (the embedded sample)
	@$(SNAKEMAKE) results/table1.csv results/published_table1.csv --quiet
	@$(BIN)/ncsbench tables show --brief results/table1.csv

table1_full: setup ## The sample with replicates and ablations, into results/sample_full/
	@$(SNAKEMAKE) results/sample_full/table1.csv --config dataset=sample_full --quiet
	@$(BIN)/ncsbench tables show --brief results/sample_full/table1.csv

cleaning_sample: setup ## A cleaning experiment on embedded Java: DeepCS and CARLCS on raw, filtered and drawn pairs
	@$(SNAKEMAKE) cleaning_sample --quiet
	@$(BIN)/ncsbench tables show results/cleaning_sample/table2.csv

test: .venv/.installed-dev .venv/.installed-docs .venv/.compiled ## All tests
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: setup ## Make the tables of results/ again that need no clone of a repository, and compare each cell
	@$(BIN)/python tests/verify/check.py

board: setup ## Judge every run of results/board/ again, and write board.csv, its figure and docs/board.md
	@$(BIN)/dvc pull --quiet resources/evidence/ncsed_383.dvc
	@$(BIN)/ncsbench board

restore: setup ## Take over the sample's artifacts of the last release instead of making them
	@$(BIN)/python workflow/restore.py

release: .venv/.installed-dev ## Make, check, commit and tag a release: make release VERSION=x.y.z
	$(BIN)/python workflow/make_release.py $(VERSION)

verify: setup ## Make the sample twice, in other circumstances, and compare every artifact
	$(BIN)/python tests/verify/verify.py

faults: .venv/.installed-dev ## Kills, full disks, damaged files, two runs at once: the tables stay what they are
	$(BIN)/python tests/faults/faults.py

environments: .venv/.installed-dev ## Run the sample with each rule in an environment made only from its own file
	$(BIN)/python -m pytest tests/environments

report: explorer
explorer: setup ## Tables, questions and methods as pages to look at: of the configured dataset, or DATASET=ncsed_383
ifneq ($(and $(DATASET),$(wildcard results/$(DATASET)/evidence.json)),)
	@$(BIN)/dvc pull --quiet resources/evidence/$(DATASET).dvc
	@$(SNAKEMAKE) results/$(DATASET)/explorer/index.html --quiet
else
	@$(SNAKEMAKE) explorer --quiet $(if $(DATASET),--config dataset=$(DATASET))
endif
	@echo "open results/$(or $(DATASET),$$(sed -n 's/^dataset: *//p' config/config.yaml))/explorer/index.html"

cluster: .venv/.installed-dev ## A SLURM on this machine: its jobs' limits, and the sample on it, byte by byte the local one
	@$(BIN)/python tests/cluster/cluster.py

audit: .venv/.installed-dev ## Known flaws of the pinned packages, from PyPI's service
	@$(BIN)/python tests/security/audit.py

docs: .venv/.installed-docs ## The documentation as a site in site/, readable from the disk; warnings are errors
	@$(BIN)/dvc pull --quiet resources/evidence/ncsed_383.dvc
	@$(BIN)/ncsbench stage evidence_explorer --evidence results/ncsed_383/evidence \
		--tables results/ncsed_383 --output build/site/explorer/ncsed_383
	@properdocs build --strict --config-file config/site/mkdocs.yml
	@echo "docs: open site/index.html"

lint: .venv/.installed-dev ## ruff, mypy --strict, snakefmt, snakemake --lint, plain English, no marks of a merge
	! git grep -nE '^(<{7}|>{7}) '
	$(BIN)/python tests/prose.py
	ruff check workflow tests config
	ruff format --check workflow tests config
	mypy
	snakefmt --check Snakefile workflow/rules
	snakemake --lint

format: .venv/.installed-dev ## Rewrite the sources in the house's form
	ruff check --fix workflow tests config
	ruff format workflow tests config
	snakefmt Snakefile workflow/rules

bench: .venv/.installed-dev ## Each stage beside the best that exists, as ratios within one process
	$(BIN)/python tests/bench/speed.py $(STAGES)

QUESTIONS ?= benchmarks
CLONES ?= clones/{owner}/{repo}
own_code_bench: setup ## Public queries on one's own code: NDCG@10 and times beside ripgrep and bm25s
	$(BIN)/python tests/bench/own_code_questions.py '$(QUESTIONS)' '$(CLONES)' --ablations --peers

structural: setup ## Structural search and matching on up to 700,000 generated methods, and recall
	$(BIN)/python tests/bench/structural.py
	$(BIN)/python tests/bench/search_recall.py

METHODS ?= 100000
BASE ?= sample
# STAGES=, OMIT= and VECTORS= as docs/scale.md says.
scale: setup ## Every stage of Table 1 on METHODS=100000 generated methods: seconds, memory, bytes
	$(BIN)/python tests/bench/scale.py $(METHODS) --base $(BASE) $(if $(STAGES),--stages $(STAGES)) \
		$(if $(OMIT),--omit $(OMIT)) $(if $(VECTORS),--vectors $(VECTORS)) $(SCALE)

packages: ## Debian packages that some inputs need (as root): libarchive, for dumps as 7z
	apt-get install --yes --no-install-recommends libarchive13

cluster_packages: ## Debian packages of SLURM for make cluster (as root); nothing is started
	apt-get install --yes --no-install-recommends slurm-wlm munge

browser_packages: ## Debian's Chromium for the tests of the explorer (as root)
	apt-get install --yes --no-install-recommends chromium

clean: ## Remove what the workflow made, not the environment nor what git keeps
	rm -rf data .snakemake build/site dvc_plots site
	git clean -fdXq results
