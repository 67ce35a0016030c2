#!/bin/sh
# Compares amp verify with sha256sum and amp install with cp -r plus fsync, on a
# pack of 100 MB, in one run. Prints the best of each and the ratios.
#
#   scripts/bench-install.sh [path to amp] [files] [rounds]
#
# Needs sha256sum, cp, sync with file arguments (coreutils) and python3 for the
# clock.
set -eu
amp=$(realpath "${1:-bin/amp}")
files=${2:-100}
rounds=${3:-5}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/amp-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
export HOME="$work/home"
mkdir -p "$HOME" "$work/project"
cd "$work"

"$amp" new pack >/dev/null
size=$((100 * 1024 * 1024 / files))
i=0
while [ "$i" -lt "$files" ]; do
	head -c "$size" /dev/urandom >"pack/data-$i.bin"
	i=$((i + 1))
done
"$amp" keygen >/dev/null
"$amp" sign pack >/dev/null 2>&1
"$amp" trust add "$HOME/.amp/keys/signing.pub" --label bench >/dev/null
echo '# Rules' >project/CLAUDE.md

now() { python3 -c 'import time; print(time.monotonic_ns() // 1000)'; }

# best NAME COMMAND: the shortest time of all rounds, in microseconds, in $NAME.
# $reset runs before each round, untimed.
best() {
	name=$1
	shift
	min=
	r=0
	while [ "$r" -lt "$rounds" ]; do
		eval "$reset"
		start=$(now)
		"$@" >/dev/null 2>&1
		t=$(($(now) - start))
		if [ -z "$min" ] || [ "$t" -lt "$min" ]; then min=$t; fi
		r=$((r + 1))
	done
	eval "$name=$min"
	echo "$name: $((min / 1000)) ms"
}

copy() {
	cp -r pack copy
	find copy -exec sync {} +
}
hash() { find pack -type f -exec sha256sum {} +; }
install() { (cd project && "$amp" install --from-path ../pack); }
verify() { "$amp" verify pack; }

reset=:
best sha256sum hash
best amp_verify verify
reset='rm -rf copy; sync'
best cp_fsync copy
reset='rm -rf project/.amp; echo "# Rules" >project/CLAUDE.md; sync'
best amp_install install

ratio() { python3 -c "print('%s %.2f' % ('$1', $2 / $3))"; }
ratio "verify / sha256sum:" "$amp_verify" "$sha256sum"
ratio "install / (cp -r + fsync):" "$amp_install" "$cp_fsync"
