package main

import (
	_ "github.com/amp-toolchain/amp/internal/lsp" // want `may not import github.com/amp-toolchain/amp/internal/lsp`
	_ "go.lsp.dev/protocol"                       // want `may not import go.lsp.dev/protocol`
)

func main() {}
