#!/usr/bin/env bash
# Tests the editor packages in the real editors. Installs what it needs outside of the work tree (AMP_E2E_DIR, by default
# ~/.cache/amp-e2e) and prints one line for each step.
#
#   editors/e2e/run.sh [--only STEP[,STEP]] [--list] [--images]
#
# --images  puts the screenshots of the VS Code steps into docs/images
# AMP_BIN   a folder with amp, amp-lint and amp-lsp to test; without it they are built
#
# A step whose program cannot be had on this machine is skipped with the reason. A step that fails prints its log.
set -uo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
EDITORS=$ROOT/editors
# shellcheck source=lib/install.sh
. "$HERE/lib/install.sh"

STEPS=(build textmate tree-sitter copies vsix nvim-0.7 nvim-0.10 nvim-0.12 emacs emacs-lsp vim-ale helix vscode-host vscode-ui)
ONLY=" ${STEPS[*]} " IMAGES=''
while [ $# -gt 0 ]; do
  case $1 in
    --only) ONLY=" ${2//,/ } "; shift ;;
    --list) printf '%s\n' "${STEPS[@]}"; exit 0 ;;
    --images) IMAGES=1 ;;
    *) echo "unknown argument: $1" >&2; exit 2 ;;
  esac
  shift
done

export LC_ALL=C.UTF-8
WORK=$(mktemp -d "${TMPDIR:-/tmp}/amp-e2e-XXXXXX")
trap 'rm -rf "$WORK"' EXIT
BIN=$WORK/bin
SHOTS=$WORK/shots
mkdir -p "$BIN" "$SHOTS"
VSIX=$WORK/amp-memory.vsix
PASSED=0 FAILED=0 SKIPPED=0

# skip REASON: ends a step without a verdict.
skip() { echo "$1" > "$WORK/skip"; exit 77; }

# step NAME SECONDS: runs the function step_NAME in a subshell with a time limit.
step() {
  local name=$1 limit=$2 function=step_${1//[-.]/_} log=$WORK/$1.log start=$SECONDS code
  case $ONLY in *" $name "*) ;; *) [ "$name" = build ] || return 0 ;; esac
  rm -f "$WORK/skip"
  ( set -e; "$function" ) > "$log" 2>&1 < /dev/null &
  local pid=$!
  ( sleep "$limit"; echo "the step took longer than $limit s" >> "$log"; kill -TERM -- "$pid" 2>/dev/null; pkill_tree "$pid" ) > /dev/null 2>&1 &
  local watch=$!
  wait "$pid"
  code=$?
  kill "$watch" 2>/dev/null
  pkill_tree "$watch"
  wait "$watch" 2>/dev/null
  case $code in
    0)
      PASSED=$((PASSED + 1))
      echo "ok - $name ($((SECONDS - start)) s)$(grep -h '^PASS ' "$log" | tail -n 1 | sed 's/^PASS/:/')"
      grep -hE '^ *[0-9.]+s (ok|activation|#)|^(ok|  *ok) - ' "$log" | sed 's/^/    /' ;;
    77)
      SKIPPED=$((SKIPPED + 1))
      echo "skip - $name: $(cat "$WORK/skip" 2>/dev/null)" ;;
    *)
      FAILED=$((FAILED + 1))
      echo "not ok - $name ($((SECONDS - start)) s)"
      tail -n 80 "$log" | sed 's/^/    /' ;;
  esac
}

# The processes below one, the last started first.
pkill_tree() {
  local child
  for child in $(ps -o pid= --ppid "$1" 2>/dev/null); do pkill_tree "$child"; done
  kill -TERM "$1" 2>/dev/null
}

# client_env NAME: a broken pack in a folder with a space and letters beyond ASCII, and what the client's test expects of it.
client_env() {
  local dir="$WORK/$1 ü 空"
  mkdir -p "$dir"
  local lines
  lines=$(node "$HERE/lib/make-pack.mjs" "$dir")
  eval "$lines"
  export E2E_ID="$1-$$" E2E_LINTER=$BIN/amp-lint
  export XDG_STATE_HOME=$dir/state XDG_DATA_HOME=$dir/data XDG_CONFIG_HOME=$dir/config
}

# The server has to end with its editor.
no_server_left() {
  local left='' f
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    left=''
    for f in /proc/[0-9]*/environ; do
      # The step's own shell carries the mark, too: only the server counts.
      [ "$(readlink "${f%environ}exe" 2>/dev/null)" = "$BIN/amp-lsp" ] && tr '\0' '\n' < "$f" 2>/dev/null | grep -qx "E2E_ID=$E2E_ID" && left="$left ${f//[!0-9]/}"
    done
    [ -z "$left" ] && return 0
    sleep 0.5
  done
  echo "amp-lsp outlives its editor:$left"
  return 1
}

# --- steps ---------------------------------------------------------------------------------------------------------------

step_build() {
  cd "$ROOT"
  if [ -n "${AMP_BIN:-}" ]; then cp "$AMP_BIN"/amp "$AMP_BIN"/amp-lint "$AMP_BIN"/amp-lsp "$BIN/"; else go build -o "$BIN/" ./cmd/amp ./cmd/amp-lint ./cmd/amp-lsp; fi
  "$BIN/amp-lsp" --version
  # The packages are released together with the server.
  local version
  version=$("$BIN/amp-lsp" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
  grep -q "\"version\": \"$version\"" "$EDITORS/vscode/package.json" || { echo "editors/vscode/package.json is not of version $version"; return 1; }
  grep -q "M.version = '$version'" "$EDITORS/nvim/lua/amp/init.lua" || { echo "editors/nvim is not of version $version"; return 1; }
  grep -q ";; Version: $version" "$EDITORS/emacs/amp-pack.el" || { echo "editors/emacs is not of version $version"; return 1; }
}

step_textmate() {
  npm_install "$EDITORS/grammars"
  cd "$EDITORS/grammars"
  # The Markdown grammar names many embedded languages that are not here; their absence is not of interest.
  npm test 2>&1 | grep -v '^grammar not found for'
}

step_tree_sitter() {
  sidecar trixie nvim neovim,tree-sitter-cli || skip "Debian's tree-sitter CLI (trixie) could not be unpacked"
  printf '#!/usr/bin/env bash\n. "%s/lib/install.sh"\nin_sidecar trixie tree-sitter "$@"\n' "$HERE" > "$WORK/tree-sitter"
  chmod +x "$WORK/tree-sitter"
  export HOME=$WORK/home AMP_E2E_DIR=$E2E_DIR # its cache of built parsers is ours alone
  mkdir -p "$HOME"
  cd "$EDITORS/tree-sitter-amp"
  "$WORK/tree-sitter" test
  node test/blocks.mjs --tree-sitter "$WORK/tree-sitter" --amp "$BIN/amp" "$ROOT/analysis/testdata/conformance"
}

# Files that are copies of others.
step_copies() {
  local q
  for q in highlights folds injections; do
    cmp "$EDITORS/tree-sitter-amp/queries/$q.scm" "$EDITORS/nvim/queries/amp/$q.scm"
  done
  for q in highlights injections; do
    cmp "$EDITORS/tree-sitter-amp/queries/$q.scm" "$EDITORS/zed/languages/amp/$q.scm"
  done
  node "$EDITORS/grammars/plist.mjs" --check
}

step_vsix() {
  npm_install "$EDITORS/vscode"
  cd "$EDITORS/vscode"
  npm run --silent check
  # One commit's time for both packings, whatever is committed meanwhile.
  SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  node scripts/package.mjs --out "$VSIX" | tee "$WORK/vsce.log"
  if grep -iE 'warn' "$WORK/vsce.log"; then echo 'vsce package prints warnings'; return 1; fi
  local size
  size=$(stat -c %s "$VSIX")
  [ "$size" -lt 500000 ] || { echo "the extension has $size bytes, 500000 are allowed"; return 1; }
  node scripts/package.mjs --out "$WORK/again.vsix" > /dev/null
  cmp "$VSIX" "$WORK/again.vsix"
  echo "PASS $size bytes, the same bytes when packed again"
}

nvim_test() { # NAME COMMAND...
  client_env "$1"
  mkdir -p "$WORK/home-$1" # keys are made there
  export HOME=$WORK/home-$1 E2E_AMP=$BIN/amp E2E_DOC=$EDITORS/nvim/doc E2E_PARSER=$WORK/amp.so E2E_SERVER="[\"$BIN/amp-lsp\"]"
  gcc -shared -fPIC -O1 -I "$EDITORS/tree-sitter-amp/src" "$EDITORS/tree-sitter-amp/src/parser.c" "$EDITORS/tree-sitter-amp/src/scanner.c" -o "$E2E_PARSER"
  shift
  "$@" --headless -u NONE -i NONE -n --cmd "set rtp^=$EDITORS/nvim" -c "luafile $HERE/nvim/e2e.lua"
  no_server_left
}

step_nvim_0_7() {
  apt_install neovim gcc libc6-dev || skip 'Debian has no neovim here'
  nvim_test nvim-0.7 nvim
}

step_nvim_0_10() {
  sidecar trixie nvim neovim,tree-sitter-cli || skip "Debian's Neovim 0.10 (trixie) could not be unpacked"
  nvim_test nvim-0.10 in_sidecar trixie nvim
}

step_nvim_0_12() {
  sidecar forky hx neovim,hx || skip "Debian's Neovim 0.12 (forky, a suite that moves) could not be unpacked"
  nvim_test nvim-0.12 in_sidecar forky nvim
  client_env nvim-bare
  export E2E_SERVER="[\"$BIN/amp-lsp\"]" E2E_DOCS=$ROOT/docs/editors.md
  in_sidecar forky nvim --headless -u NONE -i NONE -n -c "luafile $HERE/nvim/bare.lua"
  no_server_left
  # The way of 0.8 to 0.10 on the newest, where both exist.
  E2E_LEGACY=1 nvim_test nvim-0.12-legacy in_sidecar forky nvim
}

step_emacs() {
  apt_install emacs-nox elpa-eglot || skip 'Debian has no emacs-nox here'
  mkdir -p "$WORK/el"
  cp "$EDITORS/emacs/amp-pack.el" "$WORK/el/"
  emacs -Q --batch --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile "$WORK/el/amp-pack.el"
  client_env emacs
  mkdir -p "$WORK/home-emacs"
  export E2E_SERVER=$BIN/amp-lsp E2E_AMP=$BIN/amp HOME=$WORK/home-emacs
  emacs -Q --batch -L "$WORK/el" -l "$HERE/emacs/e2e.el"
  no_server_left
}

step_emacs_lsp() {
  apt_install emacs-nox elpa-lsp-mode || skip 'Debian has no lsp-mode here'
  mkdir -p "$WORK/el"
  cp "$EDITORS/emacs/amp-pack.el" "$WORK/el/"
  client_env emacs-lsp
  mkdir -p "$WORK/home-emacs-lsp"
  export E2E_SERVER=$BIN/amp-lsp HOME=$WORK/home-emacs-lsp
  emacs -Q --batch -L "$WORK/el" -l "$HERE/emacs/lsp.el"
  no_server_left
}

step_vim_ale() {
  apt_install vim-nox vim-ale || skip 'Debian has no vim-ale here'
  client_env vim
  export E2E_SERVER=$BIN/amp-lsp E2E_PLUGIN=$EDITORS/vim
  vim.nox -Nu NONE -i NONE -n -es --not-a-term -S "$HERE/vim/e2e.vim"
  no_server_left
}

step_helix() {
  apt_install tmux || skip 'Debian has no tmux here'
  sidecar forky hx neovim,hx || skip "Debian's Helix (forky, a suite that moves) could not be unpacked"
  client_env helix
  printf '#!/usr/bin/env bash\n. "%s/lib/install.sh"\nin_sidecar forky hx "$@"\n' "$HERE" > "$WORK/hx"
  chmod +x "$WORK/hx"
  export AMP_E2E_DIR=$E2E_DIR
  "$HERE/helix/e2e.sh" "$BIN/amp-lsp" "$WORK/hx"
  no_server_left
}

browser() {
  apt_install chromium fonts-noto-color-emoji fonts-dejavu-core || skip 'Debian has no chromium here'
  [ "$(node -p 'process.versions.node.split(".")[0]')" = 20 ] || skip "VS Code's server of this version needs Node 20, this is $(node --version)"
  install_vscode || return 1
  npm_install "$HERE"
}

step_vscode_host() {
  browser
  [ -d "$EDITORS/vscode/dist" ] || step_vsix
  cd "$HERE"
  node vscode/exthost.mjs "$RUN_SERVER" "$EDITORS/vscode" "$BIN/amp-lsp" "$BIN/amp-lint"
}

step_vscode_ui() {
  browser
  [ -f "$VSIX" ] || step_vsix
  cd "$HERE"
  node vscode/ui.mjs "$RUN_SERVER" "$VSIX" "$BIN/amp-lsp" "$SHOTS"
  if [ -n "$IMAGES" ]; then
    # Only the pictures that the page shows, with few colours: a third of the size.
    apt_install pngquant
    local image
    for image in "$ROOT"/docs/images/vscode-*.png; do
      [ ! -f "$SHOTS/${image##*/}" ] || pngquant --force --output "$image" 256 "$SHOTS/${image##*/}"
    done
  fi
}

step build 300
[ "$FAILED" = 0 ] || { echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"; exit 1; }
step textmate 120
step tree-sitter 400
step copies 30
step vsix 240
step nvim-0.7 120
step nvim-0.10 180
step nvim-0.12 240
step emacs 180
step emacs-lsp 180
step vim-ale 120
step helix 180
step vscode-host 600
step vscode-ui 900

echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
[ "$FAILED" = 0 ] && [ "$PASSED" -gt 0 ]
