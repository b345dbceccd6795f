#!/usr/bin/env bash
# Builds the wheel, installs it into a new virtual environment, and runs the tests of the package and the notebook there.
#
#     tools/test_wheel.sh [MATURIN-OPTION...]        (default: --release; --profile dev takes the program of `cargo build`)
#     WHEEL=FILE tools/test_wheel.sh                 (tests a wheel that is built)
#
# ANNALS_TEST_HOME names a home that `annals demo` wrote; without it the program of the wheel plays one.
# Writes the wheel to target/wheels, and the environments and a demonstration to target/wheel-test. Needs Python 3.10 and its package index.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/target/wheel-test
rm -rf "$folder"
mkdir -p "$folder"
pip() { "$folder/$1/bin/python" -m pip install --quiet --disable-pip-version-check "${@:2}"; }

wheel=${WHEEL:-}
if [ -z "$wheel" ]; then
    [ $# -gt 0 ] || set -- --release
    case " $* " in *' --release '*) . tools/release_flags.sh ;; esac
    python3 -m venv "$folder/build"
    pip build 'maturin>=1.9,<2'
    "$folder/build/bin/maturin" build --locked --out "$folder/wheels" "$@"
    mkdir -p target/wheels
    cp "$folder"/wheels/*.whl target/wheels
    wheel=$(echo "$folder"/wheels/*.whl)
fi
ls -l "$wheel"

python3 -m venv "$folder/new"
pip new "$wheel[pandas,polars]" ipykernel nbclient
python=$folder/new/bin/python
unset PYTHONPATH ANNALS_PROGRAM ANNALS_HOME
cd "$folder"

# The program is the one of the wheel, and has its version.
version=$("$python" -c 'import importlib.metadata as m; print(m.version("annals"))')
program=$("$python" -c 'from annals.program import find; print(find())')
[ "$program" = "$folder/new/bin/annals" ]
[ "$("$program" --version)" = "annals $version" ]
"$python" -c 'import annals, pathlib, sys; sys.exit(not pathlib.Path(annals.__file__).with_name("py.typed").exists())'

if [ -n "${ANNALS_TEST_HOME:-}" ]; then
    ln -s "$ANNALS_TEST_HOME" annals-demo
else
    "$program" demo >/dev/null
fi
ANNALS_TEST_HOME=$folder/annals-demo "$python" -m unittest discover -s ../../python/tests
"$python" ../../tools/run_notebook.py ../../docs/tutorial/notebook.ipynb
echo "$wheel passes"
