// Package credential finds live credentials in a text: vendor tokens by
// their prefix and checksum, private keys, passwords in URLs, and values that
// follow a secret's name.
//
// The scanner is pure, linear in its input and allocates nothing until it
// finds something. It knows nothing of packs or files: callers run it over
// the text of a block, a file or any other string. What is an error and what
// a warning follows decision R-i: the patterns Parts 5 and 9 of the
// specification name are errors as written, other families only when the value
// survives the noise tests.
//
// No message ever holds any byte of a value except the public prefix of its
// family.
package credential

import "strings"

// Severity says how certain it is that a [Hit] must not ship.
type Severity uint8

// The severities of a hit.
const (
	// Info marks a right shape with a wrong checksum: the vendor would not
	// accept the value.
	Info Severity = iota
	// Warning marks a pattern of the specification that matched inside a word.
	Warning
	// Error marks a credential.
	Error
)

// Hit is one credential. Offsets are bytes relative to the scanned text,
// half-open.
type Hit struct {
	// Start and End span the bytes that must not be shown.
	Start, End int
	// MatchStart is where a finding starts: the first byte of the matched
	// pattern, which for an assignment is its name or its equals sign.
	MatchStart int
	// Family names the kind of credential, for people.
	Family string
	// Prefix is the public part of the value that may be shown, "" for
	// passwords and opaque values.
	Prefix string
	// Severity follows decision R-i.
	Severity Severity
	// Message describes the hit without showing it.
	Message string
	// InWord is set when a pattern of the specification matched in the middle
	// of a word; strict callers treat it as an error.
	InWord bool
}

// Mask returns text with the value of every hit replaced by one '*' per byte.
// Values are ASCII, so byte and display columns stay what they were; line ends
// inside a value are kept. Hits may come in any order and may overlap; those
// outside the text are clipped.
func Mask(text string, hits []Hit) string {
	if len(hits) == 0 {
		return text
	}
	var b []byte
	for _, h := range hits {
		start, end := max(h.Start, 0), min(h.End, len(text))
		if start >= end {
			continue
		}
		if b == nil {
			b = []byte(text)
		}
		for i := start; i < end; i++ {
			if b[i] != '\n' && b[i] != '\r' {
				b[i] = '*'
			}
		}
	}
	if b == nil {
		return text
	}
	return string(b)
}

// MaskText scans text and masks whatever is found in it, including values
// that are only reported as info and those in the names of files. It is the one call
// for text that is going to be shown.
func MaskText(text string) string { return new(Values).Mask(text) }

func describe(family, prefix string, length int) string {
	var b strings.Builder
	b.WriteString(family)
	b.WriteString(" (")
	if prefix != "" {
		b.WriteString(prefix)
		b.WriteString("…, ")
	}
	b.WriteString(itoa(length))
	b.WriteString(" characters)")
	return b.String()
}

func itoa(n int) string {
	var buf [20]byte
	i := len(buf)
	for {
		i--
		buf[i] = byte('0' + n%10)
		n /= 10
		if n == 0 {
			return string(buf[i:])
		}
	}
}
