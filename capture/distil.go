package capture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/parser"
)

// A Distillate is what became of a folder of notes.
type Distillate struct {
	Units     []Unit   // classified
	Ambiguous []Unit   // without a type
	Sources   []Source // that reasons cite
	Files     []string // that were read
	// DroppedLog counts narration, Duplicates lists rules that a feedback file or an
	// earlier entry holds as well.
	DroppedLog int
	Duplicates []Duplicate
	// Rejected are places of credentials; the units there are in no other list.
	Rejected []Problem
}

// Distil cuts, drops, rejects and classifies the units of notes.
func Distil(notes []Note) *Distillate {
	d := &distiller{out: &Distillate{}}
	for _, n := range notes {
		d.out.Files = append(d.out.Files, n.Path)
		d.note(n)
	}
	d.dedupe()
	for i := range d.raws {
		d.decide(&d.raws[i])
	}
	d.out.Rejected = slices.Compact(d.out.Rejected)
	slices.SortFunc(d.out.Sources, func(a, b Source) int { return strings.Compare(a.Code+"\x00"+a.URL, b.Code+"\x00"+b.URL) })
	d.out.Sources = slices.CompactFunc(d.out.Sources, func(a, b Source) bool { return a.Code == b.Code })
	return d.out
}

type distiller struct {
	out  *Distillate
	raws []raw
}

// note cuts one note. Credentials are looked for in the note as a whole, since one
// may span what becomes two units.
func (d *distiller) note(n Note) {
	bad := map[int]bool{} // lines
	scan(n.Text, func(h credential.Hit, first, last int) bool {
		for l := first; l <= last; l++ {
			bad[l+1] = true
		}
		d.out.Rejected = append(d.out.Rejected, Problem{Source: n.Path, Line: first + 1, Message: h.Family})
		return true
	})
	for _, r := range cut(n) {
		if d.tainted(&r, bad) {
			continue
		}
		if r.narration {
			d.out.DroppedLog++
			continue
		}
		if (r.form == logbook || r.form == page || r.form == project || r.form == priorities) && r.body == "" && narrates(r.text) {
			d.out.DroppedLog++
			d.keepQuotations(&r)
			continue
		}
		d.raws = append(d.raws, r)
	}
}

// tainted rejects a unit in whose lines a credential stands, or whose joined text
// spells one.
func (d *distiller) tainted(r *raw, bad map[int]bool) bool {
	for l := r.line; l <= r.last; l++ {
		if bad[l] {
			return true
		}
	}
	if kind := hit(r.all()); kind != "" {
		d.out.Rejected = append(d.out.Rejected, Problem{Source: r.source, Line: r.line, Message: kind})
		return true
	}
	return false
}

// keepQuotations makes units of the principles that narration quotes (Part 4).
func (d *distiller) keepQuotations(r *raw) {
	for _, q := range quotations(strings.Join(append([]string{r.text}, r.more...), "\n")) {
		if decides(q) {
			d.raws = append(d.raws, raw{form: r.form, source: r.source, line: r.line, last: r.last, text: q})
		}
	}
}

// dedupe drops log entries that a feedback file or an earlier entry says as well.
func (d *distiller) dedupe() {
	type known struct {
		words   map[string]bool
		forbids bool
		at      string
	}
	var rules []known
	for i := range d.raws {
		if r := &d.raws[i]; r.form == feedback {
			rules = append(rules, known{contents(r.all()), forbids(r.text), fmt.Sprintf("%s:%d", r.source, r.line)})
		}
	}
	feedbacks := len(rules)
	var kept []raw
	for _, r := range d.raws {
		if r.form != logbook {
			kept = append(kept, r)
			continue
		}
		w, not, dup := contents(r.text), forbids(r.text), ""
		for i, k := range rules {
			// Entries of one length are compared both ways: a short one is no
			// duplicate of a long one that happens to hold its words.
			if k.forbids == not && overlap(w, k.words) && (i < feedbacks || overlap(k.words, w)) {
				dup = k.at
				break
			}
		}
		if dup != "" {
			d.out.Duplicates = append(d.out.Duplicates, Duplicate{r.source, r.line, dup})
			continue
		}
		if len(rules) < feedbacks+maxCompared {
			rules = append(rules, known{w, not, fmt.Sprintf("%s:%d", r.source, r.line)})
		}
		kept = append(kept, r)
	}
	d.raws = kept
}

// maxCompared bounds with how many earlier entries each entry of a log is compared.
const maxCompared = 500

// decide classifies one unit, or hands it back.
func (d *distiller) decide(r *raw) {
	u := Unit{Source: r.source, Line: r.line, Content: r.text, Body: r.body, Reason: strings.Join(r.reasons, "\n")}
	var t parser.Type
	switch {
	case r.body != "" && r.valence != "":
		t = parser.Demonstration
		u.Facets = []string{r.valence}
		if !strings.Contains(u.Body, "\n") {
			u.Content, u.Body = u.Body, ""
		}
	case r.body != "":
		u.Between, u.Why = []string{"demonstration"}, "nothing says whether it is to be matched or avoided"
	default:
		t, u.Between, u.Why = classify(r.text)
		if t == parser.Claim && r.form == logbook && past(r.text) {
			t, u.Between, u.Why = parser.Unknown, []string{"claim"}, "it may be narration"
		}
	}
	if len(r.more) > 0 {
		if t != parser.Unknown {
			u.Between = []string{t.String()}
		}
		t, u.Why = parser.Unknown, "it says more than one thing"
		u.More = r.more
	}
	if t != parser.Unknown {
		u.Type = t.String()
		d.cite(&u, r)
		if err := u.normalize(); err != nil {
			u.Type, u.Facets, u.Why, u.Between = "", nil, err.Error(), []string{t.String()}
		}
	} else {
		d.cite(&u, r)
	}
	if u.Type == "" {
		d.out.Ambiguous = append(d.out.Ambiguous, u)
		return
	}
	d.out.Units = append(d.out.Units, u)
}

// cite adds the sources that a unit names to its reason, as citations.
func (d *distiller) cite(u *Unit, r *raw) {
	lines := some(u.Reason)
	for _, s := range r.sources {
		es := legendEntries(legendText([]Source{s}))
		if len(es) != 1 || es[0] != s {
			lines = append(lines, s.Title) // it cannot stand in a legend
			continue
		}
		lines = append(lines, "["+s.Code+"]")
		d.out.Sources = append(d.out.Sources, s)
	}
	u.Reason = strings.Join(lines, "\n")
}

func some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// past reports whether a claim's only verb tells of the past.
func past(s string) bool {
	for _, w := range words(s) {
		switch w {
		case "is", "are", "am", "has", "have", "isn't", "aren't", "it's", "they're", "we're":
			return false
		}
	}
	return true
}
