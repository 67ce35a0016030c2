package main

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

type packAsks struct {
	Pack string `json:"pack"`
	Root string `json:"root"`
	Asks []ask  `json:"capabilities"`
}

type ask struct {
	Verb      string `json:"verb"`
	Object    string `json:"object"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Forbidden bool   `json:"forbidden"`
	Reported  bool   `json:"reported"`
}

// capabilities lists what the packs ask an agent to do, judged or not: a buyer
// reads it before installing, a registry shows it.
func (j *job) capabilities() error {
	out := []packAsks{}
	for _, t := range j.targets {
		fsys, err := diskfs.Open(t.Dir)
		if err != nil {
			return &exitError{exitInput, err}
		}
		p, err := pack.Load(fsys, t.Display)
		fsys.Close()
		if err != nil {
			return &exitError{exitInput, fmt.Errorf("%s: %w", fsx.Printable(t.Display), err)}
		}
		out = append(out, asksOf(p))
	}
	if j.format == "json" {
		enc := json.NewEncoder(j.w.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(map[string]any{"version": 1, "packs": out})
	}
	var b strings.Builder
	for _, p := range out {
		fmt.Fprintf(&b, "%s asks an agent to:\n", fsx.Printable(p.Pack))
		if len(p.Asks) == 0 {
			b.WriteString("  nothing that reads, runs, sends, writes or remembers\n")
		}
		for _, a := range p.Asks {
			note := ""
			if a.Forbidden {
				note = " (forbidden)"
			}
			if a.Reported {
				note += " (reported)"
			}
			fmt.Fprintf(&b, "  %-8s %s%s\n           %s:%d\n", a.Verb, fsx.Printable(a.Object), note, fsx.Printable(a.Path), a.Line)
		}
	}
	_, err := fmt.Fprint(j.w.out, b.String())
	if err != nil {
		return err
	}
	return nil
}

func asksOf(p *pack.Pack) packAsks {
	out := packAsks{Pack: p.Name(), Root: p.Root, Asks: []ask{}}
	var list []*poison.Unit
	units.All(p, "", nil, func(u *poison.Unit) bool {
		list = append(list, u)
		return true
	})
	for _, c := range poison.Capabilities(list) {
		line := 1
		if f := p.File(c.File); f != nil && c.Start <= len(f.Text) {
			line += text.CountBreaks(f.Text[:c.Start])
		}
		out.Asks = append(out.Asks, ask{
			Verb: fmt.Sprint(c.Verb), Object: strings.ToValidUTF8(credential.MaskText(c.Object), "\uFFFD"),
			Path: path.Join(p.Root, c.File), Line: line, Forbidden: c.Negated, Reported: c.Judged,
		})
	}
	return out
}
