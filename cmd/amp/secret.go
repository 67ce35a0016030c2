package main

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/pack"
)

// keyArgs makes a public key's text an argument like any other, which cobra would
// take for a flag because it starts with a hyphen.
func keyArgs(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if strings.HasPrefix(a, "-----BEGIN ") {
			a = "\n" + a
		}
		out[i] = a
	}
	return out
}

// errorText is an error as it may be shown: on one line, without the credentials
// that it quotes from the arguments or from files.
func errorText(err error) string { return oneLine(credential.MaskText(err.Error())) }

// exactOut is standard output without the mask, for what must come out as it is:
// the bytes that a signature covers, the reading of a file, and JSON, whose texts
// are masked one by one before they are put together.
func exactOut(cmd *cobra.Command) io.Writer {
	if m, ok := cmd.OutOrStdout().(maskedWriter); ok {
		return m.w
	}
	return cmd.OutOrStdout()
}

// maskedWriter takes the credentials out of what is written through it. Each write
// is one message.
type maskedWriter struct {
	w     io.Writer
	known *credential.Values // of the pack that the command reads, see learn
}

func (m maskedWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, m.known.Mask(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// maskJSON masks each text of a JSON document by itself: masked as a whole, an escape
// could be broken, or the name beside a value taken for the name of a secret.
func maskJSON(doc []byte, known *credential.Values) []byte {
	var out []byte
	from := 0 // what of doc is in out
	for i := 0; i < len(doc); i++ {
		if doc[i] != '"' {
			continue
		}
		start := i
		for i++; doc[i] != '"'; i++ {
			if doc[i] == '\\' {
				i++
			}
		}
		var s string
		if err := json.Unmarshal(doc[start:i+1], &s); err != nil {
			continue // it comes from the encoder
		}
		masked := known.Mask(s)
		if masked == s {
			continue
		}
		quoted, err := marshal(masked)
		if err != nil {
			continue
		}
		out = append(append(out, doc[from:start]...), bytes.TrimSpace(quoted)...)
		from = i + 1
	}
	if from == 0 {
		return doc
	}
	return append(out, doc[from:]...)
}

// maxLearnt is how much of a pack is looked at, in bytes. In larger ones only whole
// values are masked.
const maxLearnt = 64 << 20

// learn remembers the credentials in the texts of a pack that messages quote, so that
// none shows a piece of one that lacks the name or the rest which gives it away: the
// manifest and Markdown. What cannot be read is passed over: the command itself says so.
func learn(cmd *cobra.Command, dir string) {
	m, ok := cmd.OutOrStdout().(maskedWriter)
	if !ok {
		return
	}
	fsys, err := diskfs.Open(dir)
	if err != nil {
		return
	}
	defer fsys.Close()
	left := int64(maxLearnt)
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || name != pack.ManifestName && !strings.EqualFold(path.Ext(name), ".md") {
			return nil
		}
		if fi, err := d.Info(); err != nil || fi.Size() > left {
			return nil
		} else {
			left -= fi.Size()
		}
		if f := pack.ReadFile(fsys, name); f.Err == nil {
			m.known.Add(f.Text)
		}
		return nil
	})
}

// learnPack is learn for a pack that was read already.
func learnPack(cmd *cobra.Command, p *pack.Pack) {
	if m, ok := cmd.OutOrStdout().(maskedWriter); ok {
		for _, f := range p.Files {
			m.known.Add(f.Text)
		}
	}
}
