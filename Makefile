# `make help` lists the targets. Needs Python 3.11 or later with venv, and make; everything else is installed into .venv
# from the locked requirements, and only when those have changed.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
PY := $(VENV)/bin/python
BIN := $(VENV)/bin
WORKERS ?= 2
# Without .pyc files every process compiles its imports again: 10 s for the tests, half a second for the service.
unexport PYTHONDONTWRITEBYTECODE
KILLS ?= 200
FUZZ_EXAMPLES ?= 50
# A worker that dies ends the run: with a new one in its place the last tests would never be given out.
PYTEST := $(PY) -m pytest -m "" -n $(WORKERS) --max-worker-restart 0
ON_POSTGRES := $(PY) -m scripts.with_postgres $(PYTEST) -m both_databases
CODE := scoring rulesets league scripts tests manage.py deploy/gunicorn.conf.py deploy/stream.conf.py $(wildcard benchmarks)
PRODUCTION := MODE=production SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(50))') \
	DATABASE_URL=postgres://nobody@localhost/jantaku REDIS_URL=redis://localhost BASE_URL=https://jantaku.example

.DEFAULT_GOAL := help
.PHONY: help run test test-services test-all faults fuzz mutants audit release check format types coverage conformance bench screenshots lock messages structure setup clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1|/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
		|| sed -n 's/^\([a-z-]*\):.*## /  make \1  /p' $(MAKEFILE_LIST)

run: $(VENV)/.runtime ## serve with a demo season at HOST=127.0.0.1 PORT=8000; DEMO=0 starts without it
	@exec $(PY) manage.py serve

test: $(VENV)/.development ## run all tests that need neither servers nor a browser
	$(PYTEST) -m "not services and not postgres and not browser"

test-services: $(VENV)/.development ## run the others: PostgreSQL, Redis, worker, kills, browser; database tests on PostgreSQL
	$(PY) -m scripts.install_servers
	$(PYTEST) -m "services or postgres or browser"
	$(ON_POSTGRES)

test-all: $(VENV)/.development ## run both in less time, sharing the worker processes
	$(PY) -m scripts.install_servers
	$(PYTEST)
	$(ON_POSTGRES)

faults: $(VENV)/.development ## kill processes at random while results come in: KILLS=200 on PostgreSQL, a quarter on SQLite
	$(PY) -m scripts.faults --database postgres --kills $(KILLS)
	$(PY) -m scripts.faults --database sqlite --kills $$(( ($(KILLS) + 3) / 4 ))

fuzz: $(VENV)/.development ## fuzz every form, address and service for minutes: FUZZ_EXAMPLES=50 of each
	FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(PYTEST) --timeout 0 tests/fuzz tests/permissions tests/scoring \
		tests/rulesets/test_format_builder_properties.py \
		tests/browser/test_evenings.py tests/browser/test_format_builder.py tests/browser/test_ready_formats.py \
		tests/league/exchange/test_readers_fuzzed.py tests/league/parlour/test_thousand_games.py \
		tests/paifu/test_fuzzed_logs.py

mutants: $(VENV)/.development ## mutation test: each fault of tests/mutants.toml must make a test fail
	$(PY) -m scripts.mutants

check: $(VENV)/.development ## check format, lint, types, import contracts, migrations, deployment, catalogue
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports --no-cache
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m scripts.check_migrations
	$(PRODUCTION) $(PY) manage.py check --deploy --fail-level WARNING
	$(PY) -m scripts.catalogue check

format: $(VENV)/.development ## format the code and apply the linter's fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

audit: $(VENV)/.development ## write an SBOM (CycloneDX) into var/sbom.json, fail on known vulnerabilities
	@mkdir -p var
	$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements requirements.txt --of JSON -o var/sbom.json
	$(BIN)/uv tool run pip-audit==2.10.1 --strict --require-hashes --disable-pip -r requirements.txt -r requirements-dev.txt

release: $(VENV)/.development ## write the release of the last commit into var/release: archive, SBOM if there is one, digests
	$(PY) -m scripts.release

coverage: $(VENV)/.development ## run the tests on SQLite and fail below the required coverage
	$(BIN)/coverage erase
	$(PYTEST) --cov --cov-report=
	$(BIN)/coverage report --include 'scoring/*,rulesets/*' --fail-under 100
	$(BIN)/coverage report --fail-under 95

conformance: $(VENV)/.development ## change every value of the rule books, write docs/conformance.md, fail on an unproved one
	$(PY) -m scripts.conformance

bench: $(VENV)/.development ## run the benchmarks, write docs/benchmarks.md
	@if [ -f benchmarks/__main__.py ]; then exec $(PY) -m benchmarks; else echo "There are no benchmarks yet."; fi

messages: $(VENV)/.development ## update the Japanese catalogue from the code, and compile it
	$(PY) -m scripts.catalogue update

structure: $(VENV)/.development ## write the diagram of layers and packages into docs/architecture.md
	$(PY) -m scripts.structure

screenshots: $(VENV)/.development ## take screenshots of every page into var/screenshots
	$(PY) -m scripts.screenshots

lock: $(VENV)/.development ## resolve requirements*.in into the locked requirements*.txt, with the newest versions
	$(BIN)/uv pip compile --upgrade --python-version 3.11 --generate-hashes requirements.in -o requirements.txt
	$(BIN)/uv pip compile --upgrade --python-version 3.11 --generate-hashes requirements-dev.in -o requirements-dev.txt

setup: $(VENV)/.development ## install everything needed for development

clean: ## remove .venv and the caches; the data in var/ stay
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov

$(PY):
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later with venv is needed (Debian: python3 python3-venv)." >&2; exit 1; }
	@$(PYTHON) scripts/install_requirements.py --venv $(VENV)

$(VENV)/.runtime: requirements.txt | $(PY)
	@$(PY) scripts/install_requirements.py requirements.txt
	@touch $@

$(VENV)/.development: requirements.txt requirements-dev.txt | $(PY)
	@$(PY) scripts/install_requirements.py requirements.txt requirements-dev.txt
	@touch $@ $(VENV)/.runtime
