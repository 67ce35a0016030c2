#!/usr/bin/env bash
# The tests of everything concurrent under the race detector.
set -euo pipefail
bash scripts/gotest.sh -race -short ./parser/... ./analysis/... ./internal/... ./install/... ./sign/... ./cmd/...
