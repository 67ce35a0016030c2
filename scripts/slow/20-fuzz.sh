#!/usr/bin/env bash
# Every fuzz target for a short while (FUZZTIME, 10s by default).
set -euo pipefail
time=${FUZZTIME:-10s}
grep -rlE '^func Fuzz' --include='*_test.go' . | while read -r file; do
	dir=$(dirname "$file")
	grep -oE '^func (Fuzz[A-Za-z0-9_]+)' "$file" | awk '{print $2}' | while read -r target; do
		echo "$dir $target"
		go test "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time"
	done
done
