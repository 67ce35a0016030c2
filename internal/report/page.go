package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/sigstate"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// An Audit is what a buyer wants to know of a pack besides its findings.
type Audit struct {
	Root   string // as Pack.Root
	Title  string
	Signer sigstate.Signer
	Asks   capability.Summary
}

// Audited tells the formats that show audits from those that never do: making
// them takes as long as judging.
func Audited(format string) bool { return format == "page" || format == "html" }

// verdict is the first thing that a page says.
type verdict struct {
	level int // 0 nothing found, 1 look, 2 do not install
	word  string
	text  string
}

var verdictWords = [...]string{"NOTHING FOUND", "READ BEFORE INSTALLING", "DO NOT INSTALL"}

// judge makes the verdict on one pack from its findings. Every one of them is
// named in the text, so that nobody has to know the levels.
func (p *pagePack) judge() verdict {
	danger, odd, defects, small := 0, 0, 0, 0
	for _, f := range p.findings {
		switch {
		case threat(f) && f.Severity == analysis.Error:
			danger++
		case threat(f) && f.Severity == analysis.Warning:
			odd++
		case f.Severity == analysis.Error:
			defects++
		default:
			small++
		}
	}
	var why []string
	level := 0
	add := func(l, n int, one, many string) {
		if n == 0 {
			return
		}
		level = max(level, l)
		if n == 1 {
			why = append(why, "1 "+one)
		} else {
			why = append(why, fmt.Sprintf("%d %s", n, many))
		}
	}
	add(2, len(p.errors), "file could not be read", "files could not be read")
	add(2, danger, "finding says that it is dangerous, or that nobody could tell", "findings say that it is dangerous, or that nobody could tell")
	if p.audit.Signer.Status == "changed" {
		add(2, 1, "broken signature: the pack is not what was signed", "")
	}
	add(1, odd, "place should be read by a person", "places should be read by a person")
	add(1, defects, "error of form, for which readers may reject or lose a part", "errors of form, for which readers may reject or lose a part")
	add(0, small, "remark", "remarks")
	v := verdict{level: level, word: verdictWords[level], text: strings.Join(why, "; ") + "."}
	if len(why) == 0 {
		v.text = "No rule found anything. That is no proof: the analysis reads words and structure, not what an address returns or a tool does."
	}
	return v
}

// threat reports findings that say that the pack is dangerous or was not read.
func threat(f *Finding) bool {
	return f.Rule.Security || f.Rule.Slug == "credential" || f.Rule.Slug == "file-type"
}

// pagePack is one pack of a page.
type pagePack struct {
	Pack
	audit    Audit
	findings []*Finding // threats first, then by severity and place
	errors   []string
	verdict  verdict
}

// pages puts together what is known of each pack.
func (r *Report) pages() []*pagePack {
	var out []*pagePack
	at := map[string]*pagePack{}
	for _, p := range r.Packs {
		if at[p.Root] != nil { // loose files of one folder
			continue
		}
		pp := &pagePack{Pack: p}
		at[p.Root] = pp
		out = append(out, pp)
	}
	for i := range r.Audits {
		if p := at[r.Audits[i].Root]; p != nil {
			p.audit = r.Audits[i]
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		p := at[f.Root]
		if p == nil { // in a file beside packs
			p = &pagePack{Pack: Pack{Root: f.Root, Name: f.Pack}}
			at[f.Root] = p
			out = append(out, p)
		}
		p.findings = append(p.findings, f)
	}
	for _, e := range r.Errors {
		owner := (*pagePack)(nil)
		for _, p := range out {
			if (e.Path == p.Root || strings.HasPrefix(e.Path, p.Root+"/") || p.Root == ".") && (owner == nil || len(p.Root) > len(owner.Root)) {
				owner = p
			}
		}
		if owner == nil { // a path that is no pack gets a section of its own
			owner = &pagePack{Pack: Pack{Root: e.Path, Name: e.Path}}
			out = append(out, owner)
		}
		owner.errors = append(owner.errors, e.Error())
	}
	for _, p := range out {
		slices.SortStableFunc(p.findings, func(a, b *Finding) int {
			return cmp.Or(-cmp.Compare(rank(a), rank(b)))
		})
		p.verdict = p.judge()
	}
	slices.SortStableFunc(out, func(a, b *pagePack) int { return -cmp.Compare(a.verdict.level, b.verdict.level) })
	return out
}

// rank orders findings by how much they matter to a buyer.
func rank(f *Finding) int {
	n := int(f.Severity)
	if threat(f) {
		n += 10
	}
	return n
}

// maxMinor is how many findings that are no threat a page shows of each pack; the
// other formats have all.
const maxMinor = 20

// split parts the findings into those that are shown with their lines, and the
// first of the others.
func (p *pagePack) split() (threats, minor []*Finding, more int) {
	for _, f := range p.findings {
		if threat(f) && f.Severity >= analysis.Warning {
			threats = append(threats, f)
		} else {
			minor = append(minor, f)
		}
	}
	if len(minor) > maxMinor {
		return threats, minor[:maxMinor], len(minor) - maxMinor
	}
	return threats, minor, 0
}

// sources shows lines of files, credentials masked. A value may go on over many
// lines, so each file is masked as a whole, once.
type sources map[*pack.File]string

func (s sources) of(f *pack.File) string {
	src, ok := s[f]
	if !ok {
		src = f.Text
		if src == "" && f.Tree != nil {
			src = f.Tree.String()
		}
		src = credential.MaskText(src)
		s[f] = src
	}
	return src
}

// line is the first line of a place in three parts, the place itself in the
// middle, cut to about width bytes around it.
func (s sources) line(p *Place, f *pack.File) (before, marked, after string) {
	if f == nil {
		return
	}
	src := s.of(f)
	from := min(max(p.Start.Offset, 0), len(src))
	start := strings.LastIndexAny(src[:from], "\r\n") + 1
	stop, _ := text.LineEnd(src, start)
	from = min(from, stop)
	to := min(max(p.End.Offset, from), stop)
	before, marked, after = strings.TrimPrefix(src[start:from], text.BOM), src[from:to], src[to:stop]
	const width = 220
	if len(before) > width/2 {
		before = "…" + strings.ToValidUTF8(before[len(before)-width/2:], "")
	}
	if len(marked) > 2*width {
		marked, after = strings.ToValidUTF8(marked[:2*width], "")+"…", ""
	}
	if len(after) > width {
		after = strings.ToValidUTF8(after[:width], "") + "…"
	}
	return strings.TrimLeft(before, " \t"), marked, strings.TrimRight(after, " \t")
}

// unseen reports characters that a reader would not see, or would see as
// something else: controls, marks of direction, joiners, fillers, blanks that are
// no space, variation selectors and letters without a picture.
func unseen(c rune) bool {
	switch {
	case c == '\t' || c >= ' ' && c < 0x7f:
		return false
	case c < 0xa1:
		return true
	case c == 0x115f, c == 0x1160, c == 0x3164, c == 0xffa0, c == 0x2800:
		return true
	}
	return unicode.In(c, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S)
}

// visible writes text for a page: plain gets what can be seen, code the name of a
// character that cannot.
func visible(s string, plain func(string), code func(string)) {
	s = credential.MaskText(s)
	from := 0
	flush := func(to int) {
		if to > from {
			plain(s[from:to])
		}
	}
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case c == utf8.RuneError && n == 1:
			flush(i)
			code(fmt.Sprintf("byte 0x%02X", s[i]))
			from = i + n
		case c == '\t':
			flush(i)
			plain("    ")
			from = i + n
		case c == '\n' || c == '\r':
			flush(i)
			plain(" ")
			from = i + n
		case unseen(c):
			flush(i)
			code(fmt.Sprintf("U+%04X", c))
			from = i + n
		}
		i += n
	}
	flush(len(s))
}

// limits are what every page ends with.
const limits = "This page is what a static analysis could tell, offline and without running anything. It does not see what an address returns, what a tool or script does, pictures and archives, what was put into other words than it knows, or who really wrote the pack."
