# Shortcuts for developers; docs/developing.md says more.
VENV ?= .venv

PYTHON = $(VENV)/bin/python
# Seconds each; the others are stored, since they take minutes, or need what is not here.
QUICK = atomic bounds correctness fences lassos mapping orders proofs protocols
STORED = startup auto classes configurations outcomes scaling spin workers ahead cub parts drawings mixed

WHEELS ?= dist

.PHONY: develop wheel test lint site vsix results results-all FORCE

develop:  ## an editable build in $(VENV)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q "scikit-build-core>=0.10" "nanobind>=2.4" ninja cmake
	$(VENV)/bin/pip install -q --no-build-isolation -e '.[dev]'

wheel:  ## xgen for machines with this system and Python, which then need no compiler, in $(WHEELS)
	python3 -m pip wheel -q --no-deps -w $(WHEELS) .

test:
	$(VENV)/bin/pytest

lint:
	$(VENV)/bin/ruff check src tests benchmarks docs
	$(VENV)/bin/ruff format --check src tests benchmarks docs
	$(VENV)/bin/mypy
	$(VENV)/bin/stubtest --allowlist tests/stubtest-allowlist.txt xgen._core

site:  ## the documentation as a site in build/site
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict

vsix:  ## the extension of VS Code, in build/xgen.vsix
	python3 editors/vscode/pack.py build/xgen.vsix

results: $(QUICK:%=results/%.csv)  ## measures what is quick, and draws and writes all of results/
	$(PYTHON) benchmarks/pictures.py
	$(PYTHON) benchmarks/tables.py

results-all: $(STORED:%=results/%.csv) results  ## measures what is stored, too; other tools where they are on PATH

results/%.csv: FORCE  ## one table anew; `make results` draws it
	$(PYTHON) benchmarks/$*.py > $@.new && mv $@.new $@

results/startup.csv: FORCE
	$(PYTHON) benchmarks/startup.py --tests 0 > $@.new && mv $@.new $@

results/costs.csv: FORCE
	$(PYTHON) benchmarks/parts.py --costs > $@.new && mv $@.new $@

results/cub.csv: FORCE
	$(PYTHON) benchmarks/systems.py > $@.new && mv $@.new $@

BEEM ?= ../beem
results/beem.csv: FORCE  ## needs a copy of BEEM in $(BEEM)
	$(PYTHON) benchmarks/beem.py $(BEEM) > $@.new && mv $@.new $@

HERD ?= ../herdtools7
DAT3M ?= ../Dat3M
results/sizes.csv: FORCE  ## needs clones of herdtools7 and Dat3M in $(HERD) and $(DAT3M)
	$(PYTHON) benchmarks/sizes.py $(HERD) $(DAT3M) > $@.new && mv $@.new $@

results/gpu.csv: FORCE  ## needs a clone of Dat3M in $(DAT3M)
	$(PYTHON) benchmarks/gpu.py $(DAT3M) > $@.new && mv $@.new $@

TRENCHER ?= ../trencher
results/trencher.csv: FORCE  ## needs a clone of Trencher in $(TRENCHER)
	$(PYTHON) benchmarks/trencher.py $(TRENCHER)/examples > $@.new && mv $@.new $@

REAL ?= ../real
results/real.csv: FORCE  ## fetches the libraries of programs/real into $(REAL)
	$(PYTHON) benchmarks/real.py $(REAL) > $@.new && mv $@.new $@

results/clients.csv: FORCE
	$(PYTHON) benchmarks/clients.py > $@.new && mv $@.new $@

results/objects.csv: FORCE  ## fetches the libraries of benchmarks/objects into $(REAL)
	$(PYTHON) benchmarks/objects.py $(REAL) > $@.new && mv $@.new $@

results/kernel.csv: FORCE  ## fetches a Linux kernel into $(REAL)
	$(PYTHON) benchmarks/kernel.py $(REAL) > $@.new && mv $@.new $@

results/cpp.csv: FORCE  ## fetches the headers for programs/real into $(REAL); needs the extra cpp
	$(PYTHON) benchmarks/cpp.py $(REAL) > $@.new && mv $@.new $@

CUBICLE ?= ../cubicle
results/cubtso.csv: FORCE  ## needs a clone of Cubicle, branch tso, in $(CUBICLE)
	$(PYTHON) benchmarks/systems.py --table $(CUBICLE)/tests/cubtso > $@.new && mv $@.new $@
