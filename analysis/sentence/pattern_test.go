package sentence

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The oracle spells out ECMAScript's \s, . and \b, which RE2 reads more narrowly.
const (
	jsSpace = `[\t\n\v\f\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]`
	jsDot   = `[^\n\r\x{2028}\x{2029}]`
	letter  = `(In|When)` + jsSpace + jsDot + `*(always|never|prefer)`
	// ASCII classes in place of (?i): RE2 folds U+212A and U+017F, ECMAScript does not.
	folding = `\b([iI][nN]|[wW][hH][eE][nN])` + jsSpace + jsDot +
		`*([aA][lL][wW][aA][yY][sS]|[nN][eE][vV][eE][rR]|[pP][rR][eE][fF][eE][rR])`
	goalWords = `[tT][hH][eE] [gG][oO][aA][lL] [iI][sS] [tT][oO]|[oO][pP][tT][iI][mM][iI][zZ][eE]|[dD][eE][fF][aA][uU][lL][tT]`
)

var (
	letterRE  = regexp.MustCompile(letter)
	foldingRE = regexp.MustCompile(folding)
	goalRE    = regexp.MustCompile(goalWords)
)

func directiveOracle(s string) bool { return letterRE.MatchString(s) || foldingRE.MatchString(s) }

func TestDirective(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"In all copy, never use em dashes.", true},
		{"When stuck, prefer asking over guessing.", true},
		{"IN COPY, NEVER SHOUT", true},
		{"in copy, Always whisper", true},
		{"Ask first. In the lab, always label the jar.", true},
		{"When two people want a wheel, the studio prefers the one who booked.", true},
		{"WithIn x always", true},
		{"Within tests always mock", false},
		{"WithIn x ALWAYS", false},
		{"Again, always check", false},
		{"Begin always", false},
		{"If the shelf is wet, prefer the top rack.", false},
		{"Never open the kiln.", false},
		{"never in doubt", false},
		{"In", false},
		{"In ", false},
		{"Inalways", false},
		{"In\u00A0copy, always", true},
		{"In\uFEFFalways", true},
		{"In\u0085always", false},
		{"In\nalways", true},
		{"In copy\nalways", false},
		{"In copy\u2028always", false},
		{"In\u2028always", true},
		{"In a\nWhen b, never", true},
		{"éin x always", true},
		{"_in x always", false},
		{"In copy, nev\u212Aer", false},
	} {
		if got := Directive(c.in); got != c.want {
			t.Errorf("Directive(%q) = %v, want %v", c.in, got, c.want)
		}
		if directiveOracle(c.in) != c.want {
			t.Errorf("the expression disagrees with the row %q", c.in)
		}
	}
}

func TestGoal(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"Optimize reach over polish.", true},
		{"In May, THE GOAL IS TO ship.", true},
		{"Optimized drivetrains.", true},
		{"Defaults for volunteers: pair up.", true},
		{"Optimise blend.", false},
		{"The goals are to sing.", false},
		{"The goal was to sing.", false},
		{"the  goal is to sing", false},
		{"default", true},
		{"efault", false},
		{"", false},
		{"ptimize", false},
		{"defaul", false},
		{"op\u0074imi\u017Ae", false},
	} {
		if got := Goal(c.in); got != c.want {
			t.Errorf("Goal(%q) = %v, want %v", c.in, got, c.want)
		}
	}
}

func FuzzDirective(f *testing.F) {
	for _, s := range []string{"In x, always", "When\u2028never", "WithIn prefer\r\nin NEVER", "i\xffn \xe2\x80always"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Directive(s), directiveOracle(s); got != want {
			t.Fatalf("Directive(%q) = %v, the expressions say %v", s, got, want)
		}
	})
}

func FuzzGoal(f *testing.F) {
	for _, s := range []string{"the goal is to", "OPTIMIZE", "dEfAuLt", "the goal is tooptimizdefaul"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := Goal(s), goalRE.MatchString(s); got != want {
			t.Fatalf("Goal(%q) = %v, the expression says %v", s, got, want)
		}
	})
}

// Random words from the patterns' own alphabet reach states that byte-wise
// fuzzing seldom builds.
func TestPatternsAgreeWithTheExpressionsOnRandomText(t *testing.T) {
	parts := []string{
		"In", "in", "IN", "When", "when", "WHEN", "With", "_", "é", "always", "Always", "NEVER", "never", "prefer", "PREfer",
		" ", "\t", "\n", "\r", "\u00A0", "\u2028", "\u2029", "\u2003", "\uFEFF", "\u0085", "a", "alway", "n", "p", "i", "w", ",", "s",
		"the goal", " is to", "optimi", "ze", "Optimize", "de", "fault", "the ", "goal is to", "g", "z", "f",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + rng.IntN(9) {
			b.WriteString(parts[rng.IntN(len(parts))])
		}
		s := b.String()
		if got, want := Directive(s), directiveOracle(s); got != want {
			t.Fatalf("Directive(%q) = %v, the expressions say %v", s, got, want)
		}
		if got, want := Goal(s), goalRE.MatchString(s); got != want {
			t.Fatalf("Goal(%q) = %v, the expression says %v", s, got, want)
		}
		if Directive(s) {
			matched++
		}
	}
	if matched < 2_000 {
		t.Fatalf("only %d texts matched: the generator has lost its point", matched)
	}
}

func TestFixDirective(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"In Reddit posts, lead with findings or value, not product description.", "In Reddit posts, always lead with findings or value, not product description."},
		{"When the sensor is stuck, reboot it twice.", "When the sensor is stuck, always reboot it twice."},
		{"**In** copy, cut adverbs.", ""}, // by the letter, In is not followed by white space
		{"*In copy*,  cut adverbs.", "*In copy*,  always cut adverbs."},
		{"In 1,000 words, say it once.", "In 1,000 words, always say it once."},
		{"In `a, b`, sort keys.", "In `a, b`, always sort keys."},
		{"In docs, we write British English.", "In docs, we always write British English."},
		{"in café menus, name the farm.", "in café menus, always name the farm."},
		{"In copy, never shout.", ""},
		{"In copy, don't shout.", ""},
		{"In copy, don’t shout.", ""},
		{"In copy, not a word.", ""},
		{"In copy, we\rwrite.", ""},
		{"In copy, we\u2028write.", ""},
		{"In the lab, the lamp stays on.", ""},
		{"In copy.", ""},
		{"In copy,", ""},
		{"In copy, ", ""},
		{"Always wedge the clay, then cut.", ""},
		{"Inside, wedge the clay.", ""},
		{"", ""},
	} {
		at, text, ok := FixDirective(c.in)
		if ok != (c.want != "") {
			t.Errorf("FixDirective(%q) ok = %v", c.in, ok)
			continue
		}
		if !ok {
			continue
		}
		if got := c.in[:at] + text + c.in[at:]; got != c.want {
			t.Errorf("FixDirective(%q) gives %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzFixDirective(f *testing.F) {
	for _, s := range []string{"In x, y", "when \u2028, é", "In a,\u00a0b", "In we, we we", "In le, we\rwe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, text, ok := FixDirective(s)
		if !ok {
			return
		}
		if fixed := s[:at] + text + s[at:]; !Directive(fixed) {
			t.Fatalf("FixDirective(%q) gives %q, which still fails", s, fixed)
		}
	})
}
