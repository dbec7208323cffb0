#!/usr/bin/env bash
# The Python client against a real server: test.sh PATH_TO_COACT. The package goes into an environment of its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
coact=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install -q --disable-pip-version-check "$here"
"$folder/venv/bin/python" "$here/tests/test_client.py" "$coact"
