#!/usr/bin/env bash
# What takes long in the Go tests: kills at every change to the disk, many
# installs at once, system calls that fail, full and read-only disks, disks that do not
# tell upper from lower case, differential runs beside Node and the npm CLI.
set -euo pipefail
AMP_SLOW=1 bash scripts/gotest.sh -timeout 30m ./sign/... ./install/... ./cmd/... ./analysis/... ./internal/...
