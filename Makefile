# Two commands do everything on a machine with Python 3.11+, pip, git and make: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
CORPUS ?= ../shared/corpus

# Without compiled files every process that a test starts compiles hundreds of modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test quick coverage setup pages demo check bench bench-compare soak attack soak-cluster sweep container sbom screenshots word-kit lock clean

run: setup            ## the terminal program, on a sample contract
	$(BIN)/redraft --demo

test: setup           ## every test
	$(BIN)/python -m pytest -n auto --dist loadfile

pages: setup          ## the pages of docs/ that are made from the code
	$(BIN)/python -m scripts.operations_page
	$(BIN)/python -m tests.engine.markdown.markdown_rules
	$(BIN)/python -m tests.interface.situations
	$(BIN)/python -m redraft.tui.keys > docs/keys.md
	$(BIN)/python -m redraft.manual_page > docs/redraft.1
	$(BIN)/python -c "from pathlib import Path; from redraft.api.openapi.document import document; Path('docs/openapi.json').write_bytes(document())"

quick: setup          ## no corpus, process, program or screen, nothing thorough: about two minutes on two cores
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not corpus and not program and not process and not screen and not thorough"

# In percent of lines and branches: what the tests of `make quick` alone reach. The aim is 95 and 92.
ENGINE_FLOOR := 87
FLOOR := 80

coverage: setup       ## every test, traced in subprocesses too; fails below a floor of coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist loadfile
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --include='engine/*' --fail-under=$(ENGINE_FLOOR)
	$(BIN)/coverage report --fail-under=$(FLOOR)

setup: $(READY)       ## .venv from the lock file

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "redraft needs Python 3.11 or newer; set PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(READY)

demo: setup           ## the main job with no key and no terminal
	$(BIN)/python scripts/demo.py

check: setup          ## style, types, import directions
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

bench: setup          ## speed, as ratios against the peers on this machine
	$(BIN)/python scripts/bench.py

bench-compare: setup  ## `redraft compare` over the pairs of the corpus, judged by pandoc, diff and the second reader
	$(BIN)/python -m scripts.bench_compare

soak: setup           ## kills, order, full disk, bad lines, load on a real service: zeros; LONG=1 for all of it, MINUTES=n of load
	$(BIN)/python -m scripts.soak $(if $(LONG),--long) $(if $(MINUTES),--minutes $(MINUTES))

attack: setup         ## hostile requests, damaged documents and kills on a real service: zeros; SHORT=1 for a little
	$(BIN)/python -m scripts.attack $(if $(SHORT),--short)

soak-cluster: setup   ## four processes on one PostgreSQL, 200 kills, paused and cut off: zeros, and the longest wait
	REDRAFT_REQUIRE_PROGRAMS=1 REDRAFT_CLUSTER_KILLS=220 REDRAFT_CLUSTER_DOCUMENTS=200 REDRAFT_CLUSTER_NODES=4 \
		$(BIN)/python -m pytest tests/cluster -s --timeout 0

sweep: setup          ## everything over the whole corpus; fails when the corpus or a program is missing
	REDRAFT_SWEEP=full REDRAFT_CORPUS=$(CORPUS) $(BIN)/python -m pytest -n auto --dist loadfile -m "corpus or program" tests

container: setup      ## the image: built, run as deploy/compose.yaml says, asked, stopped (needs podman or docker)
	$(BIN)/python -m scripts.container

sbom: setup           ## dist/sbom: what the image consists of, as CycloneDX, and its licences
	$(BIN)/python -m scripts.sbom

screenshots: setup    ## pictures, made by driving the real program against the real service
	$(BIN)/python scripts/screenshots.py

word-kit: setup       ## redlines and a macro, to be run once with Word (docs/word-compatibility.md)
	$(BIN)/python -m tests.word_kit

LOCKED := uv pip compile --universal --generate-hashes --no-emit-index-url --python-version 3.11 --custom-compile-command "make lock"

lock:                 ## renew requirements.lock and what the image takes of it (needs uv)
	$(LOCKED) --group dev pyproject.toml -o requirements.lock
	$(LOCKED) --no-annotate --constraint requirements.lock --extra cluster --extra encryption --extra openid pyproject.toml -o deploy/image.lock
	$(LOCKED) --no-annotate --constraint requirements.lock --group build -o deploy/build.lock

clean:
	rm -rf $(VENV) build dist .coverage .coverage.* .pytest_cache .ruff_cache .hypothesis
