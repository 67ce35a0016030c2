package config

import (
	"strconv"

	"github.com/amp-toolchain/amp/analysis"
)

// A Shown is one setting as it holds for a file.
type Shown struct {
	Key, Value string
	Origin     Origin
}

// Show lists what holds for a file (an absolute path), with where each setting
// comes from. Salts and reasons are not shown.
func (c *Config) Show(file string, reg *analysis.Registry) []Shown {
	if c == nil {
		c = New()
	}
	ignored, from := c.Ignored(file)
	out := []Shown{
		{"ignored", strconv.FormatBool(ignored), from},
		{"gitignore", strconv.FormatBool(c.Gitignore.Value), c.Gitignore.Origin},
		{"fail-on", c.FailOn.Value, c.FailOn.Origin},
		{"max-warnings", maxText(c.MaxWarnings.Value), c.MaxWarnings.Origin},
		{"baseline", c.Baseline.Value, c.Baseline.Origin},
		{"inline-suppress", strconv.FormatBool(c.InlineSuppress.Value), c.InlineSuppress.Origin},
	}
	for _, a := range c.Allow {
		out = append(out, Shown{"credentials.allow " + a.Fingerprint, a.Level.String(), a.Origin})
	}
	for _, r := range reg.Rules {
		l, o := c.LevelOf(r.Slug, file)
		text := l.String()
		switch {
		case l == Default && r.Off && o == Origin{}:
			text = LevelOff.String()
		case l == Default:
			text = r.Severity.String()
		}
		out = append(out, Shown{"rules." + r.Slug, text, o})
	}
	return out
}

func maxText(n int) string {
	if n < 0 {
		return "unlimited"
	}
	return strconv.Itoa(n)
}
