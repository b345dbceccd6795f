# Sourced in the root of the project before a release build: no path of the machine is in the program, so that the same
# sources give the same bytes in any folder.
sources=$(pwd -P)
downloads=${CARGO_HOME:-$HOME/.cargo}
flags=(${RUSTFLAGS:-} "--remap-path-prefix=$sources=/annals" "--remap-path-prefix=$downloads=/cargo")
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && printf '%s' "${flags[*]}")
CFLAGS="${CFLAGS:-} -ffile-prefix-map=$sources=/annals -ffile-prefix-map=$downloads=/cargo"
export CARGO_ENCODED_RUSTFLAGS CFLAGS
