#!/usr/bin/env bash
# Helix in a terminal (tmux), with editors/helix/languages.toml.   e2e.sh SERVER HX-COMMAND...
# env: E2E_PACK, E2E_FIXED
set -euo pipefail
SERVER=$1; shift
HERE=$(cd "$(dirname "$0")" && pwd)
T=$(mktemp -d); S=amp-hx-$$
trap 'tmux -L "$S" kill-server 2>/dev/null || true; rm -rf "$T"' EXIT
mkdir -p "$T/helix/runtime/queries"
# No grammar is fetched from the network here; the language works without.
sed -e "s|^command = \"amp-lsp\"|command = \"$SERVER\"|" -e '/^\[\[grammar\]\]/,/^$/d' "$HERE/../../helix/languages.toml" > "$T/helix/languages.toml"
grep -q "command = \"$SERVER\"" "$T/helix/languages.toml"
printf '[editor]\nend-of-line-diagnostics = "hint"\n' > "$T/helix/config.toml"
F=$E2E_PACK/memory/copy-voice.md
LINE=$(grep -n -m1 '^\[directive permanent' "$F" | cut -d: -f1)
tmux -L "$S" -f /dev/null new-session -d -x 160 -y 40 "cd '$E2E_PACK' && LC_ALL=C.UTF-8 COLORTERM=truecolor XDG_CONFIG_HOME=$T XDG_CACHE_HOME=$T/cache exec $* memory/copy-voice.md:$LINE 2>$T/err"
see() {
  for _ in $(seq 600); do tmux -L "$S" capture-pane -p 2>/dev/null | grep -qF -- "$1" && return; sleep .05; done
  echo "not ok - no '$1' on the screen"; tmux -L "$S" capture-pane -p || cat "$T/err"; exit 1
}
gone() {
  for _ in $(seq 600); do tmux -L "$S" capture-pane -p 2>/dev/null | grep -qF -- "$1" || return 0; sleep .05; done
  echo "not ok - still '$1' on the screen"; tmux -L "$S" capture-pane -p; exit 1
}
see 'In party copy'
see 'expected force at position 1'
tmux -L "$S" send-keys w; sleep .2; tmux -L "$S" send-keys w; sleep .3   # onto the first facet
tmux -L "$S" send-keys Space a
see 'Reorder'
tmux -L "$S" send-keys Enter
see '[directive must, org, permanent] In party copy'
gone 'expected force at position 1'
sleep .3; tmux -L "$S" send-keys ':wq' Enter    # no Escape before it: it would be read as Alt-:
for _ in $(seq 200); do grep -qF -- "$E2E_FIXED" "$F" && { echo "PASS helix $("$@" --version 2>/dev/null || true)"; exit 0; }; sleep .05; done
echo 'not ok - the file was not saved'; exit 1
