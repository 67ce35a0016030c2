#!/usr/bin/env bash
# Every fuzz target for a short while (FUZZTIME, 5s by default; give it minutes
# before a release). Only an input that was written down counts as a find: the
# fuzzer itself sometimes gives up at its time limit ("context deadline exceeded").
set -uo pipefail
time=${FUZZTIME:-5s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
while read -r file; do
	dir=$(dirname "$file")
	for target in $(grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}'); do
		echo "$dir $target"
		go test "$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 1x >"$log" 2>&1 && continue
		if grep -q 'Failing input written\|\[build failed\]\|panic:' "$log" || ! grep -q 'context deadline exceeded' "$log"; then
			tail -40 "$log"
			failed=1
		else
			echo "  the fuzzer gave up at its time limit, without an input"
		fi
	done
done < <(grep -rlE '^func Fuzz' --include='*_test.go' . | sort)
exit "$failed"
