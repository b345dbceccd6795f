#!/bin/sh
# What cargo runs as rustc for targets with DataFusion: only the crates of Annals and the parsers of what they are given
# have counters. With counters in all crates a build takes hours, and every input counts millions of them.
rustc=$1
shift
case "$CARGO_PKG_NAME $*" in
    *" --target "*) ;;
    *) exec "$rustc" "$@" ;;
esac
case $CARGO_PKG_NAME in
    annals-* | datafusion-sql | form_urlencoded | http | jiff | percent-encoding | serde_json | serde_urlencoded | sqlparser | toml*)
        # shellcheck disable=SC2086
        exec "$rustc" "$@" $ANNALS_FUZZ_FLAGS ;;
    *) exec "$rustc" "$@" ;;
esac
