package lsp

import _ "go.lsp.dev/protocol"
