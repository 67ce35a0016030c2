package main

import (
	"fmt"
	"path"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/batch"
)

// patch prints the changes of a pack as git apply takes them. A hunk in which a
// credential would stand, changed or beside what changed, is left out: masked it
// would not apply.
func (j *job) patch(f *batch.Fixed) error {
	for _, name := range f.Summary.Changed {
		before, after := f.Before.File(name), f.After.File(name)
		display := relative(path.Join(f.Display, name))
		if credential.MaskText(display) != display {
			j.say(display + ": its changes are not shown, since its name holds a credential; without --diff all is written")
			continue
		}
		from, old := gitName("a/"+display), ""
		if before == nil {
			from = "/dev/null"
		} else {
			old = before.Text
		}
		text, held, err := unified(from, gitName("b/"+display), old, after.Text)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprint(j.w.out, text); err != nil {
			return err
		}
		if held > 0 {
			j.say(fmt.Sprintf("%s: %s not shown, since a credential stands in or beside the lines; without --diff all is written", display, count(held, "change is", "changes are")))
		}
	}
	return nil
}

// unified is the patch from old to new, and how many hunks it leaves out.
func unified(from, to, old, new string) (patch string, held int, err error) {
	u, err := udiff.ToUnifiedDiff(from, to, old, udiff.Lines(old, new), udiff.DefaultContextLines)
	if err != nil {
		return "", 0, err
	}
	secret := map[string]bool{}
	secretLines(old, secret)
	secretLines(new, secret)
	kept, shift := u.Hunks[:0], 0
	for _, h := range u.Hunks {
		hold, grows := false, 0
		for _, l := range h.Lines {
			hold = hold || secret[strings.TrimRight(l.Content, "\r\n")]
			switch l.Kind {
			case udiff.Insert:
				grows++
			case udiff.Delete:
				grows--
			}
		}
		if hold {
			held++
			shift += grows // the lines below do not move by what is left out
			continue
		}
		h.ToLine -= shift
		kept = append(kept, h)
	}
	u.Hunks = kept
	return u.String(), held, nil
}

// secretLines collects the lines of a text that hold a credential or a part of one.
func secretLines(s string, into map[string]bool) {
	masked := credential.MaskText(s) // keeps lines and columns
	if masked == s {
		return
	}
	lines, shown := strings.Split(s, "\n"), strings.Split(masked, "\n")
	for i := range lines {
		if lines[i] != shown[i] {
			into[strings.TrimRight(lines[i], "\r")] = true
		}
	}
}
