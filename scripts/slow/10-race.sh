#!/usr/bin/env bash
# The tests of everything concurrent under the race detector.
set -euo pipefail
go test -race -short ./parser/... ./analysis/... ./internal/... ./install/... ./sign/... ./cmd/...
