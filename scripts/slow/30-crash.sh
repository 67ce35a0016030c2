#!/usr/bin/env bash
# What takes long in the Go tests: kills at every change to the disk, many
# installs at once, full and read-only disks, differential runs beside Node.
set -euo pipefail
AMP_SLOW=1 bash scripts/gotest.sh -timeout 30m ./sign/... ./install/... ./cmd/... ./analysis/... ./internal/...
