#!/bin/sh
# `make setup`: everything that builds and tests the guide, into .venv and node_modules. Quick when nothing changed.
set -eu
cd "$(dirname "$0")/.."

# The environment's own Python answers whether all is current; a broken or half-made one just fails to.
if [ -x .venv/bin/python ] && .venv/bin/python -I tools/setup.py --current 2>/dev/null; then exit 0; fi
exec "$(sh tools/find-python.sh)" -I tools/setup.py
