#!/usr/bin/env bash
# Write requirements.lock and, for the container, requirements-server.lock anew: exact versions and hashes of everything installed
# at run time, and no address of an index. `uv.lock` is not kept: it names the index it was made with. Run this after changing the
# dependencies in pyproject.toml.
set -euo pipefail
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
export_to() {
  local lock=$1
  shift
  uv export --quiet --format requirements-txt --no-dev --no-emit-project --no-header --no-annotate "$@" --output-file "$new"
  if grep -nE '://|--(extra-)?index-url|--find-links' "$new"; then
    echo "export_lock: the lines above name an address; $lock was left as it was." >&2
    exit 1
  fi
  cat "$new" > "$lock"
  echo "$lock: $(grep -c '==' "$lock") packages"
}
export_to requirements.lock
export_to requirements-server.lock --extra web --extra models --extra office --extra oidc
