#!/usr/bin/env bash
# Releases: the same source in another folder gives the same archives, checksums
# and bill of materials. `make release` builds for all platforms.
set -euo pipefail
AMP_RELEASE=1 go test ./internal/release
