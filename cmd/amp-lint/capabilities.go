package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// capabilities lists what the packs ask an agent to do, judged or not: a buyer
// reads it before installing, a registry shows it.
func (j *job) capabilities() error {
	out := []capability.Summary{}
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
		out = append(out, capability.Of(p))
	}
	failed := func(err error) error {
		if err == nil && len(j.errs) > 0 {
			return &exitError{code: exitInput}
		}
		return err
	}
	for i := range j.errs {
		j.say(j.errs[i].Error())
	}
	if j.format == "json" {
		enc := json.NewEncoder(j.w.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return failed(enc.Encode(capability.NewDocument(out...)))
	}
	var b strings.Builder
	for i := range out {
		p := &out[i]
		fmt.Fprintf(&b, "%s asks an agent to: %s\n", fsx.Printable(p.Name()), p.Counts.Headline())
		if err := p.Text(&b, "  ", 0); err != nil {
			return err
		}
	}
	return failed(j.w.printf("%s", b.String()))
}
