#!/usr/bin/env bash
# The extensions in the real editors; installs them where it may.
set -euo pipefail
exec bash editors/e2e/run.sh
