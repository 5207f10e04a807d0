# The guide's commands. Each sets up what it needs, so the first one typed on a fresh machine works.
.DEFAULT_GOAL := help
.NOTPARALLEL:

PORT ?= 8000
CASES ?=
ARGS ?=

python := .venv/bin/python
# Material prints a notice about MkDocs 2 on every build; the pin answers it
export NO_MKDOCS_2_WARNING := 1
export PYTHONUTF8 := 1
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help setup setup-browsers serve build bundle bench accuracy test check format lock clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## .venv and node_modules as the lock files say (PYTHON=/path/to/python3.13 names one); quick when nothing changed
	@sh tools/setup.sh

setup-browsers: setup ## Chromium, Firefox and Chinese fonts for tests and bench: found, else installed where it can
	@$(python) -m tools.browsers

serve: setup ## build both languages and serve them on 127.0.0.1:8000 (PORT=8080 changes it), rebuilding on change
	$(python) -m sitebuild.serve --port $(PORT)

build: setup ## write the site to site/: English at /, Chinese at /zh/
	$(python) -m sitebuild.build

bundle: setup ## write dist/gpu-server-guide-offline-<version>.zip, which opens from a folder with no network
	$(python) -m sitebuild.bundle

bench: setup-browsers ## measure speed and size in this machine's browsers into build/bench.json
	$(python) -m tests.bench $(ARGS)

accuracy: setup ## recompute published cases with the shipped calculators (CASES=file.yaml)
	$(python) -m sitebuild.accuracy $(CASES)

test: setup-browsers ## build, then every test, the quick ones first (ARGS="-x tests/catalog" goes to pytest)
	$(python) -m pytest -n auto $(ARGS)

check: setup ## lint, types, catalog rules, links, terms, generated files, and the same pages by a second engine
	$(python) -m ruff check
	$(python) -m ruff format --check
	$(python) -m mypy
	node_modules/.bin/tsc --project .
	.venv/bin/gpuguide catalog check
	$(python) -m sitebuild.check

format: setup ## rewrite the Python files in the one style
	$(python) -m ruff check --fix
	$(python) -m ruff format

lock: setup ## rewrite the lock files from requirements*.in and package.json (ARGS=--upgrade for the newest that fit)
	sh tools/lock.sh $(ARGS)

clean: ## remove what was built; .venv and node_modules stay
	rm -rf build site dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find catalog calculators sitebuild tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
