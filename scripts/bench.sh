#!/usr/bin/env bash
# The tables of docs/performance.md: every figure beside its peer, in the same
# run. `scripts/bench.sh lint` and `scripts/bench.sh engine` run one part.
# RUNS (default 5) is the number of counted runs.
set -euo pipefail
cd "$(dirname "$0")/.."
part=${1:-all}
runs=${RUNS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/" ./cmd/amp-lint ./cmd/amp-lsp ./cmd/amp

if [ "$part" = all ] || [ "$part" = engine ]; then
	echo "## Engine"
	echo
	go test ./parser ./analysis -run '^$' -bench 'Parse|Keystroke|OpenBrace' -cpu 1 -benchmem -count "$runs" | grep -E '^(Benchmark|pkg)'
	echo
fi
if [ "$part" = all ] || [ "$part" = lint ]; then
	echo "## Linting 1,000 packs"
	echo
	command -v rg >/dev/null || { echo "ripgrep is needed: apt-get install ripgrep" >&2; exit 75; }
	# Peers that cannot be had are left out, and said so: a table with a gap is no
	# reason to have none.
	peers=()
	npm_peer() { # FLAG PROGRAM PACKAGE...
		local flag=$1 program=$2
		shift 2
		if command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix "$work/npm-$flag" "$@" >/dev/null 2>&1; then
			peers+=("-$flag" "$work/npm-$flag/node_modules/.bin/$program")
		else
			echo "$program could not be installed by npm; its rows are left out"
		fi
	}
	npm_peer markdownlint markdownlint-cli2 markdownlint-cli2@0.22.1
	npm_peer rumdl rumdl rumdl@0.2.75
	npm_peer secretlint secretlint secretlint@12.0.0 @secretlint/secretlint-rule-preset-recommend@12.0.0
	if GOBIN="$work" go install github.com/zricethezav/gitleaks/v8@v8.30.1 >/dev/null 2>&1; then
		peers+=(-gitleaks "$work/gitleaks")
	else
		echo "gitleaks could not be installed by go; its rows are left out"
	fi
	(cd bench && go build -o "$work/lintbench" ./cmd/lintbench)
	"$work/lintbench" -amp-lint "$work/amp-lint" "${peers[@]}" -runs "$runs" -packs "${PACKS:-1000}"
fi
if [ "$part" = all ] || [ "$part" = lsp ]; then
	echo "## Language server"
	echo
	rumdl= yaml=
	if command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix "$work/npm-lsp" rumdl@0.2.75 yaml-language-server >/dev/null 2>&1; then
		rumdl="$work/npm-lsp/node_modules/.bin/rumdl"
		yaml="$work/npm-lsp/node_modules/.bin/yaml-language-server"
	else
		echo "rumdl and yaml-language-server could not be installed by npm; their rows are left out"
	fi
	(cd bench && go build -o "$work/lspbench" ./cmd/lspbench)
	"$work/lspbench" -amp-lsp "$work/amp-lsp" -rumdl "$rumdl" -yaml "$yaml"
fi
