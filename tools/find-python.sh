#!/bin/sh
# Prints the path of a working Python 3.13, which the guide builds with, tests with and runs in the browser (so that
# bytecode written here is read there). Looks, in this order: $PYTHON, python3.13 and python3 on the PATH, pyenv's
# versions, a uv on the PATH, uv from PyPI in a throw-away environment. Says on standard error what was tried.
set -u

tried=""
reason="not on the PATH"

# Each candidate is run, not just looked for: a pyenv shim may exist and fail, a distribution may leave out venv. What is
# printed is the interpreter below any active environment, which may be the very one that is made anew.
works() {
    answer=$("$1" -c '
import os, sys
if sys.version_info[:2] != (3, 13): sys.exit("is Python %d.%d" % sys.version_info[:2])
try: import ensurepip, ssl, venv, zlib
except ImportError as missing: sys.exit("lacks %s" % missing.name)
base = os.path.join(sys.base_prefix, "bin", "python3.13")
print(base if os.path.exists(base) else sys.executable)' 2>&1) && { printf '%s\n' "$answer"; exit 0; }
    reason=$(printf '%s\n' "$answer" | grep -v '^$' | tail -n 1)
    tried="$tried
  $1: ${reason:-does not run}"
}

on_path() {
    if found=$(command -v "$1"); then works "$found"; else tried="$tried
  $1: not on the PATH"; fi
}

# uv_python UV: the 3.13 that uv manages, fetched if need be.
uv_python() {
    if answer=$("$1" python install 3.13 2>&1); then
        works "$("$1" python find --managed-python 3.13)"
    else
        tried="$tried
  $1 python install 3.13: $(printf '%s\n' "$answer" | grep -v '^$' | tail -n 1)"
    fi
}

if [ -n "${PYTHON:-}" ]; then
    on_path "$PYTHON"
    echo "set-up: looking further than PYTHON=$PYTHON ($reason)" >&2
fi
on_path python3.13
on_path python3
# the newest patch release first: 3.13.10 after 3.13.9 by number, not by letter
for home in $(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13.* 2>/dev/null | sort -t. -k3,3nr -k4,4nr); do
    works "$home/bin/python3.13"
done
if command -v uv >/dev/null; then uv_python "$(command -v uv)"; else tried="$tried
  uv: not on the PATH"; fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
here=$(cd "$(dirname "$0")" && pwd)
if any=$(command -v python3) && "$any" -m venv "$scratch/uv" >/dev/null 2>&1 &&
    "$scratch/uv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
        -r "$here/requirements-uv.txt" >/dev/null 2>&1; then
    echo "set-up: no Python 3.13 here, asking uv for one" >&2
    uv_python "$scratch/uv/bin/uv"
else
    tried="$tried
  uv from PyPI: could not be installed"
fi

cat >&2 <<EOF
set-up: the guide needs Python 3.13, and none was found. Tried:$tried
To mend it, do one of these and run the command again:
  install it with the system's packages (python3.13 and python3.13-venv; on macOS 'brew install python@3.13')
  pyenv install 3.13
  uv python install 3.13
  name it: make setup PYTHON=/path/to/python3.13
EOF
exit 1
