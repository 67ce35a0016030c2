#!/usr/bin/env bash
# go test with one second chance for a package that failed: tests of servers and
# watchers wait for other processes, and a machine that is short of time can make
# them give up. A package that fails twice has failed; one that passes the second
# time is named, so that nobody overlooks it.
#
#   scripts/gotest.sh [go test flags] PACKAGES
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test "$@" 2>&1 | tee "$log" && exit 0
mapfile -t again < <(awk '$1 == "FAIL" && $2 ~ /\// {print $2}' "$log" | sort -u)
if [ ${#again[@]} -eq 0 ] || grep -qE '\[(build|setup) failed\]' "$log"; then
	exit 1
fi
flags=()
for a in "$@"; do
	case $a in ./* | */*) ;; *) flags+=("$a") ;; esac # the rest are packages
done
echo "second run of: ${again[*]}"
go test -count=1 ${flags[@]+"${flags[@]}"} "${again[@]}" || exit 1
echo "passed the second time, look at it: ${again[*]}"
