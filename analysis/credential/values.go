package credential

import "strings"

// Values are credentials that were found, so that they are masked wherever else they
// turn up, cut short or without the name or the rest of the text that gave them away.
// The zero value knows none.
type Values struct{ pieces map[uint64]struct{} }

// piece is how many bytes of a value must stand together to be masked: a shorter
// stretch of it says next to nothing, and may stand in any text.
const piece = 8

// maxPieces bounds what is kept of a text that is nothing but values. Whole values
// are masked all the same.
const maxPieces = 1 << 20

// dashes stand around a private key, and everywhere else.
const dashes = 0x2d2d2d2d2d2d2d2d

// Add remembers the values in a text. Names of files and quoted texts are texts, too: a
// value may be followed by an extension or by further elements of a path, or hold
// escapes of escapes.
func (v *Values) Add(text string) {
	each(text, func(h Hit) { v.add(text[h.Start:h.End], h.Prefix) })
}

// each finds the values in a text and in the names in it.
func each(text string, yield func(Hit)) {
	Scan(text, func(h Hit) bool {
		yield(h)
		return true
	})
	for k, as := range [...]func(string, int) int{elements, extensions, escapes} {
		other := blanked(text, as)
		if other == "" {
			continue
		}
		Scan(other, func(h Hit) bool {
			// Half of a digest is none any more: between slashes only a form of its own
			// counts, and not a name before it.
			if k > 0 || h.Start == h.MatchStart {
				yield(h)
			}
			return true
		})
	}
}

func (v *Values) add(value, prefix string) {
	value = strings.TrimPrefix(value, prefix)
	for i := 0; i+piece <= len(value); i++ {
		if len(v.pieces) >= maxPieces {
			return
		}
		if v.pieces == nil {
			v.pieces = map[uint64]struct{}{}
		}
		if s := load(value, i); s != dashes {
			v.pieces[s] = struct{}{}
		}
	}
}

// Mask returns text without the values in it and without pieces of those that are
// known, one '*' for each byte. Line ends stay.
func (v *Values) Mask(text string) string {
	var hits []Hit
	own := Values{}
	each(text, func(h Hit) {
		hits = append(hits, h)
		own.add(text[h.Start:h.End], h.Prefix)
	})
	if own.pieces == nil && v.pieces == nil {
		return Mask(text, hits)
	}
	for i := 0; i+piece <= len(text); i++ {
		s := load(text, i)
		_, known := own.pieces[s]
		if !known {
			_, known = v.pieces[s]
		}
		switch n := len(hits); {
		case !known:
		case n > 0 && hits[n-1].Start <= i && i <= hits[n-1].End:
			hits[n-1].End = max(hits[n-1].End, i+piece)
		default:
			hits = append(hits, Hit{Start: i, End: i + piece})
		}
	}
	return Mask(text, hits)
}

// blanked is a text with blanks in place of what as measures, "" when there is
// nothing of it.
func blanked(text string, as func(string, int) int) string {
	if len(text) < shortest {
		return ""
	}
	var b []byte
	for i := 0; i < len(text); {
		n := as(text, i)
		if n > 0 && b == nil {
			b = []byte(text)
		}
		for k := range n {
			b[i+k] = ' '
		}
		i += max(n, 1)
	}
	return string(b)
}

// extensions measures the dot before the extension of a file.
func extensions(text string, i int) int {
	if text[i] == '.' && extension(text, i+1) {
		return 1
	}
	return 0
}

// elements measures what parts a path.
func elements(text string, i int) int {
	if text[i] == '/' {
		return 1
	}
	return extensions(text, i)
}

// escapes measures an escaped line end or quotation mark, escaped once or more.
func escapes(text string, i int) int {
	n := 0
	for i+n < len(text) && text[i+n] == '\\' {
		n++
	}
	if n > 0 && i+n < len(text) && (text[i+n] == 'n' || text[i+n] == 'r' || text[i+n] == '"') {
		n++
	}
	return n
}

// extension reports whether one of one to five letters and digits ends at a break.
func extension(text string, i int) bool {
	n := run(text, i, alnum, 6)
	if n == 0 || n > 5 {
		return false
	}
	return i+n == len(text) || !is(text[i+n], alnum|dash|under)
}
