#!/usr/bin/env bash
# The tests of everything concurrent under the race detector. The server's come
# last and alone: they wait for other processes, which a busy machine starves.
set -euo pipefail
server=github.com/amp-toolchain/amp/internal/lsp
mapfile -t rest < <(go list ./... | grep -vx "$server")
bash scripts/gotest.sh -race -short "${rest[@]}"
bash scripts/gotest.sh -race -short -p 1 "$server"
