# Shortcuts for developers; docs/developing.md says more.
VENV ?= .venv

.PHONY: develop test lint

develop:  ## an editable build in $(VENV)
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q "scikit-build-core>=0.10" "nanobind>=2.4" ninja cmake
	$(VENV)/bin/pip install -q --no-build-isolation -e '.[dev]'

test:
	$(VENV)/bin/pytest

lint:
	$(VENV)/bin/ruff check src tests benchmarks
	$(VENV)/bin/ruff format --check src tests benchmarks
	$(VENV)/bin/mypy
	$(VENV)/bin/stubtest --allowlist tests/stubtest-allowlist.txt xgen._core
