#!/usr/bin/env bash
# Builds a release archive for one target: the program, its completions and man pages, the licence and the README.
#
#     tools/package.sh [TARGET [CARGO-OPTION...]]        (default: the host, with --features remote,flight-sql,cluster)
#
# Writes target/package/annals-VERSION-TARGET.tar.gz and its .sha256. The target's standard library and linker have to be installed.
set -euo pipefail
cd "$(dirname "$0")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
shift $(($# > 0))
[ $# -gt 0 ] || set -- --features remote,flight-sql,cluster
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=annals-$version-$target
folder=target/package/$name

. tools/release_flags.sh
cargo build --release --locked --target "$target" --bin annals "$@"
rm -rf "$folder"
mkdir -p "$folder/completions" "$folder/man"
cp "target/$target/release/annals" README.md CHANGELOG.md LICENSE "$folder"

# Completions and man pages come from the program itself: from this one where it runs here, else from one built for the host.
program=target/$target/release/annals
if [ "$target" != "$host" ]; then
    cargo build --locked --bin annals "$@"
    program=target/debug/annals
fi
for shell in bash zsh fish; do
    "$program" completions "$shell" >"$folder/completions/annals.$shell"
done
"$program" man --output "$folder/man"

# The same sources and compiler give the same archive where tar is GNU's: names in order, no owner, the time of the last commit.
time=$(git log -1 --format=%ct 2>/dev/null || echo 0)
if tar --version 2>/dev/null | grep -q GNU; then
    tar -C target/package --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$time" -cf - "$name"
else
    tar -C target/package -cf - "$name"
fi | gzip -n >"target/package/$name.tar.gz"
cd target/package
if command -v sha256sum >/dev/null; then
    sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
else
    shasum -a 256 "$name.tar.gz" >"$name.tar.gz.sha256"
fi
echo "target/package/$name.tar.gz"
