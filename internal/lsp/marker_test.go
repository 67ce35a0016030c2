package lsp_test

import (
	"context"
	"io"
	"testing"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
)

func TestMarkers(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // no keys but those of the test
	t.Setenv("AMP_PRIVATE_KEY", "")
	lsptest.RunMarkers(t, func(in io.ReadCloser, out io.WriteCloser) int {
		return lsp.Serve(context.Background(), in, out, lsp.Options{})
	})
}
