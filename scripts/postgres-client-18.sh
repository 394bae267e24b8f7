#!/usr/bin/env bash
# Unpacks PostgreSQL 18's client programs from Debian's testing suite into a folder of their own, with their libraries and
# their loader, and installs nothing. Takes the folder (default: .cache/postgres-client-18); programs are in its bin/.
# Needs apt and dpkg of a Debian system. `.ci/run` calls it for the tests of pg_dump.
set -euo pipefail
suite=forky
target=${1:-$(cd "$(dirname "$0")/.." && pwd)/.cache/postgres-client-18}
[ -x "$target/bin/pg_dump" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir -p "$work"/{sources,lists/partial,cache/archives/partial,packages,root}

# Uses the system's apt sources with the testing suite. Sources of security and update suites have no such suite.
if [ -f /etc/apt/sources.list.d/debian.sources ]; then
  awk 'BEGIN { RS = ""; ORS = "\n\n" } !/-security/' /etc/apt/sources.list.d/debian.sources |
    sed -E "s/^Suites:.*/Suites: $suite/; s/^Components:.*/Components: main/" >"$work/sources/testing.sources"
else
  grep -E '^deb ' /etc/apt/sources.list | grep -vE -- '-(security|updates|backports)' |
    sed -E "s/^(deb +(\[[^]]*\] +)?[^ ]+) +[^ ]+.*/\1 $suite main/" >"$work/sources/testing.list"
fi
options=(
  -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$work/sources"
  -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o Dir::State::status=/dev/null
  -o Acquire::Languages=none -o APT::Sandbox::User=root
)
apt-get "${options[@]}" update -qq >/dev/null
packages=$(apt-cache "${options[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
  --no-replaces --no-enhances postgresql-client-18 | grep -E '^(lib|zlib|postgresql-client-18)' |
  grep -vE '^lib(perl|db|gdbm|bz2|crypt1|gcc)' | sort -u)
# shellcheck disable=SC2086
(cd "$work/packages" && apt-get "${options[@]}" download -qq $packages >/dev/null)
for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/root"; done

loader=$(cd "$work/root" && find usr -name 'ld-linux*' -type f | head -n 1)
libraries=$(dirname "$loader")
mkdir -p "$work/root/bin" "$(dirname "$target")"
for program in pg_dump pg_restore psql; do
  cat >"$work/root/bin/$program" <<EOF
#!/bin/sh
root=\$(dirname "\$(dirname "\$0")")
exec "\$root/$loader" --library-path "\$root/$libraries" "\$root/usr/lib/postgresql/18/bin/$program" "\$@"
EOF
  chmod +x "$work/root/bin/$program"
done
"$work/root/bin/pg_dump" --version >/dev/null
rm -rf "$target"
mv "$work/root" "$target"
