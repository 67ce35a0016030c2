package main

import (
	"os"
	"path/filepath"

	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/internal/sigstate"
	"github.com/amp-toolchain/amp/sign"
)

// audits reports whether some output shows more of a pack than its findings.
func (j *job) audits() bool {
	if report.Audited(j.format) && !j.stats {
		return true
	}
	for _, o := range j.outputs {
		if report.Audited(o.format) {
			return true
		}
	}
	return false
}

// audit gathers what the page says of a pack.
func (j *job) audit(res *batch.Result) report.Audit {
	a := report.Audit{Root: res.Display, Title: res.Pack.Manifest.Text("title"), Asks: capability.Of(res.Pack)}
	if res.Loose {
		a.Signer = sigstate.Signer{Status: "unsigned", Message: "A single file in no pack, which nobody can sign."}
		return a
	}
	a.Signer = sigstate.Describe(res.Dir, trustedKeys())
	return a
}

// trustedKeys are the keys that the user trusts. A store that cannot be read
// vouches for nobody.
func trustedKeys() []sign.Trusted {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	keys, err := sign.NewTrustStore(filepath.Join(home, ".amp")).List()
	if err != nil {
		return nil
	}
	return keys
}
