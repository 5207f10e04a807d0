#!/bin/sh
# Writes every lock file from its short source: *.in -> *.txt (pinned, with hashes) and package.json -> package-lock.json.
# The Python locks hold for every platform (markers, not one machine's wheels) and name no index, host or path.
set -eu
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
"${PYTHON:-.venv/bin/python}" -m venv "$scratch/uv"
"$scratch/uv/bin/python" -m pip install --quiet --require-hashes -r tools/requirements-uv.txt

for source in requirements.in tools/requirements-build.in tools/requirements-node.in tools/requirements-uv.in; do
    echo "lock: ${source%.in}.txt"
    "$scratch/uv/bin/uv" pip compile --quiet --universal --python-version 3.13 --generate-hashes \
        --no-header --no-annotate "$@" "$source" -o "$scratch/lock.txt"
    { echo "# Written by tools/lock.sh from $(basename "$source"): edit that file."; cat "$scratch/lock.txt"; } >"${source%.in}.txt"
    rm "$scratch/lock.txt"
done

echo "lock: package-lock.json"
PATH="$PWD/.venv/bin:$PATH" npm install --package-lock-only --ignore-scripts --no-audit --no-fund --loglevel=error
# npm also copies each package's funding address; the lock file needs versions and hashes alone
PATH="$PWD/.venv/bin:$PATH" node -e '
const fs = require("node:fs");
const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
for (const entry of Object.values(lock.packages)) delete entry.funding;
fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");'
