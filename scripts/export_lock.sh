#!/usr/bin/env bash
# Write requirements.lock anew: exact versions and hashes of everything installed at run time, and no address of an index.
# `uv.lock` is not kept: it names the index it was made with. Run this after changing the dependencies in pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
uv export --quiet --format requirements-txt --no-dev --no-emit-project --no-header --no-annotate --output-file "$new"
if grep -nE '://|--(extra-)?index-url|--find-links' "$new"; then
  echo "export_lock: the lines above name an address; requirements.lock was left as it was." >&2
  exit 1
fi
cat "$new" > requirements.lock
echo "requirements.lock: $(grep -c '==' requirements.lock) packages"
