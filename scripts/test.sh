#!/usr/bin/env bash
# Runs every test. `scripts/test.sh quick` stops after the quick suite.
#
# Each step is timed and counted; the last line says how many passed. A step
# that can't run on this machine says why and counts as skipped.
set -uo pipefail
cd "$(dirname "$0")/.."
mode=${1:-all}
passed=0 failed=0 skipped=0

step() { # step NAME COMMAND...
	local name=$1 start=$SECONDS
	shift
	echo "== $name"
	if "$@"; then
		passed=$((passed + 1))
		echo "-- $name: ok ($((SECONDS - start)) s)"
	else
		failed=$((failed + 1))
		echo "-- $name: FAILED ($((SECONDS - start)) s)"
	fi
}

skip() { # skip NAME REASON
	skipped=$((skipped + 1))
	echo "-- $1: skipped, $2"
}

finish() {
	echo "steps: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ]
	exit $?
}

retry() {
	local i
	for i in 1 2 3; do
		"$@" && return 0
		sleep $((i * 5))
	done
	return 1
}

formatted() {
	local out
	out=$(git ls-files '*.go' | grep -v /testdata/ | xargs go tool gofumpt -l) || return 1
	[ -z "$out" ] || { echo "not formatted by gofumpt:"; echo "$out"; return 1; }
}

step "modules" retry go mod download
step "gofumpt" formatted
step "vet" go vet ./...
step "staticcheck" go tool staticcheck ./...
step "build" go build -o bin/ ./cmd/amp ./cmd/amp-lint ./cmd/amp-lsp
step "go test" bash scripts/gotest.sh ./...
[ "$mode" = quick ] && finish

for s in scripts/slow/*.sh; do
	name=$(basename "$s" .sh)
	# A slow step exits with 75 when the machine lacks what it needs; it has said why.
	echo "== $name"
	start=$SECONDS
	bash "$s"
	case $? in
	0) passed=$((passed + 1)); echo "-- $name: ok ($((SECONDS - start)) s)" ;;
	75) skip "$name" "see above" ;;
	*) failed=$((failed + 1)); echo "-- $name: FAILED ($((SECONDS - start)) s)" ;;
	esac
done
finish
