# Installs what the tests of the editors need, outside of the work tree. Sourced by run.sh.
# Everything comes from Debian and npm through their ordinary clients; a failed download is tried again.

# shellcheck shell=bash

E2E_DIR=${AMP_E2E_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/amp-e2e}
mkdir -p "$E2E_DIR"
E2E_DIR=$(cd "$E2E_DIR" && pwd)

retry() {
  local n
  for n in 1 2 3; do
    "$@" && return 0
    echo "failed ($n of 3): $*" >&2
    sleep $((n * 5))
  done
  return 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"; else
    echo "root is needed for: $*" >&2
    return 1
  fi
}

# apt_install PACKAGE...: only what is not installed yet.
apt_install() {
  command -v apt-get >/dev/null || { echo "no apt-get: install these by hand: $*" >&2; return 1; }
  local missing=() p
  for p in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
  done
  [ ${#missing[@]} = 0 ] && return 0
  if [ -z "${APT_UPDATED:-}" ]; then
    retry as_root apt-get update -qq || return 1
    APT_UPDATED=1
  fi
  retry as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# npm_install DIR: as the lock file says; install scripts are never run.
npm_install() {
  local stamp="$1/node_modules/.installed" sum
  sum=$(sha256sum "$1/package-lock.json" | cut -d' ' -f1)
  [ "$(cat "$stamp" 2>/dev/null)" = "$sum" ] && return 0
  retry npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund --loglevel=error || return 1
  echo "$sum" > "$stamp"
}

# VS Code's own server (workbench and extension host) out of the npm package code-server.
CODE_SERVER=4.100.3 # VS Code 1.100.3, the newest that runs on Node 20
RUN_SERVER=$E2E_DIR/vscode-$CODE_SERVER/run-server
install_vscode() {
  [ -x "$RUN_SERVER" ] && "$RUN_SERVER" --version >/dev/null 2>&1 && return 0
  apt_install ripgrep python3 make g++ || return 1
  local dir=$E2E_DIR/vscode-$CODE_SERVER
  rm -rf "$dir"
  mkdir -p "$dir"
  (
    set -e
    cd "$dir"
    # Headers next to the machine's Node, if it has them: node-gyp would fetch them otherwise.
    [ -d /usr/include/node ] && export npm_config_nodedir=${npm_config_nodedir:-/usr}
    tar xzf "$(retry npm pack --silent "code-server@$CODE_SERVER")"
    rm -f ./*.tgz
    cd package/lib/vscode
    retry npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error
    # Of the native modules only these are built. node-pty's own last step may fail after its build; the require below decides.
    for m in @vscode/spdlog node-pty native-watchdog; do npm rebuild "$m" --foreground-scripts >> "$dir/native.log" 2>&1 || true; done
    node -e 'for (const m of process.argv.slice(1)) require("./node_modules/" + m)' @vscode/spdlog node-pty native-watchdog @parcel/watcher
    # Its install script would download from elsewhere.
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
    ln -sfn node_modules node_modules.asar
    (cd extensions && retry npm install --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error)
    printf '#!/bin/sh\nexec node "%s/package/lib/vscode/out/server-main.js" "$@"\n' "$dir" > "$dir/run-server"
    chmod +x "$dir/run-server"
  ) || return 1
  "$RUN_SERVER" --version >/dev/null
}

# sidecar SUITE PROBE PACKAGES: programs of another Debian suite, unpacked into a folder; the machine's own packages are left alone.
sidecar() {
  local suite=$1 probe=$2 packages=$3 dir=$E2E_DIR/$1
  [ -e "$dir/usr/bin/$probe" ] && return 0
  apt_install mmdebstrap || return 1
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
  [ -n "$mirror" ] || { echo "no Debian mirror is configured" >&2; return 1; }
  rm -rf "$dir"
  # Moving suites may have a Release file past its date; signatures are checked all the same.
  as_root mmdebstrap --quiet --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' --include="$packages" "$suite" "$dir" "$mirror" || { as_root rm -rf "$dir"; return 1; }
  [ -e "$dir/usr/bin/$probe" ]
}

# in_sidecar SUITE PROGRAM ARGS...: runs it on the host's own files, with the suite's libraries.
in_sidecar() {
  local dir=$E2E_DIR/$1 program=$2
  shift 2
  local ld
  ld=$(echo "$dir"/usr/lib64/ld-linux-*.so.* "$dir"/usr/lib/ld-linux-*.so.*)
  ld=${ld%% *}
  local libs
  libs=$(dirname "$(find "$dir/usr/lib" -maxdepth 2 -name 'libc.so.6' -print -quit)")
  case $program in
    nvim)
      export VIMRUNTIME=$dir/usr/share/nvim/runtime
      [ -d "$dir/usr/lib/nvim" ] && set -- --cmd "set rtp+=$dir/usr/lib/nvim" "$@" ;;
    hx)
      HELIX_RUNTIME=$dir/usr/lib/helix/runtime
      [ -d "$HELIX_RUNTIME" ] || HELIX_RUNTIME=$dir/usr/share/helix/runtime
      export HELIX_RUNTIME ;;
  esac
  "$ld" --argv0 "$program" --library-path "$libs" "$dir/usr/bin/$program" "$@"
}
