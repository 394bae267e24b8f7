#!/usr/bin/env bash
# Installs the object-relational mappers for the tests of the Postgres port into a separate folder. They are large, and only
# these tests need them. Takes the folder (default: .cache/orm-tools). `.ci/run` calls it.
set -euo pipefail
target=${1:-$(cd "$(dirname "$0")/.." && pwd)/.cache/orm-tools}
[ -d "$target/node_modules/sequelize" ] && [ -d "$target/node_modules/drizzle-kit" ] && exit 0
mkdir -p "$target"
echo '{ "private": true }' >"$target/package.json"
# npm waits five minutes for a connection that stalls, unless told otherwise.
npm install --prefix "$target" --no-audit --no-fund --silent --fetch-timeout=20000 \
  drizzle-kit@0.31 drizzle-orm@0.44 sequelize@6 pg@8
