package packs

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

func pick[T any](g *generator, from []T) T { return from[g.rng.IntN(len(from))] }

// two picks different entries.
func two(g *generator, from []string) (string, string) {
	i := g.rng.IntN(len(from))
	j := (i + 1 + g.rng.IntN(len(from)-1)) % len(from)
	return from[i], from[j]
}

// article puts a or an before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

func title(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// fresh makes sentences until one is new to the pack. Grammars are large enough
// that this ends soon; a number settles it if one is not.
func (g *generator) fresh(prefix string, sentence func() string) string {
	for try := 0; ; try++ {
		s := sentence()
		if try > 50 {
			s = strings.TrimSuffix(s, ".") + fmt.Sprintf(", as in note %d.", len(g.seen))
		}
		if k := prefix + s; !g.seen[k] {
			g.seen[k] = true
			return s
		}
	}
}

func (g *generator) goal(w *bytes.Buffer) {
	d := g.domain
	s := g.fresh("goal ", func() string {
		switch g.rng.IntN(5) {
		case 0:
			a, b := two(g, qualities)
			return fmt.Sprintf("Optimize %s for %s over %s.", pick(g, d.contexts), a, b)
		case 1:
			a, b := two(g, qualities)
			return fmt.Sprintf("Optimize the %s for %s over %s, also %s.", pick(g, d.objects), a, b, pick(g, times))
		case 2:
			return fmt.Sprintf("In %s, the goal is to %s the %s %s.", pick(g, d.contexts), pick(g, verbs), pick(g, d.objects), pick(g, times))
		case 3:
			a, b := two(g, behaviours)
			return fmt.Sprintf("Default stance on %s: %s, and %s.", pick(g, d.plurals), a, b)
		default:
			return fmt.Sprintf("%s, the goal is to %s the %s before %s.", title(pick(g, times)), pick(g, verbs), pick(g, d.objects), pick(g, d.activities))
		}
	})
	fmt.Fprintf(w, "[goal %s, %s, %s] %s\n", pick(g, goalForces), pick(g, goalScopes), pick(g, stabilities), s)
}

func (g *generator) claim(w *bytes.Buffer) {
	d := g.domain
	s := g.fresh("claim ", func() string {
		year := 1990 + g.rng.IntN(36)
		number := 2 + g.rng.IntN(97)
		switch g.rng.IntN(9) {
		case 0:
			a, b := two(g, d.objects)
			return fmt.Sprintf("The %s in the %s is %s, and so is the %s.", a, pick(g, d.places), pick(g, states), b)
		case 1:
			return fmt.Sprintf("All %s have a number and a date, and those from %d are %s.", pick(g, d.plurals), year, pick(g, states))
		case 2:
			return fmt.Sprintf("%s has been the %s since %d and knows most about the %s.", pick(g, names), pick(g, d.roles), year, pick(g, d.plurals))
		case 3:
			return fmt.Sprintf("There are %d %s in the %s %s.", number, pick(g, d.plurals), pick(g, d.places), pick(g, times))
		case 4:
			return fmt.Sprintf("The %s was rebuilt in %d and has room for %d %s.", pick(g, d.places), year, number, pick(g, d.plurals))
		case 5:
			a, b := two(g, d.roles)
			return fmt.Sprintf("Our %s about the %s are read by the %s first, then by the %s.", pick(g, d.contexts), pick(g, d.objects), a, b)
		case 6:
			return fmt.Sprintf("No %s has more than %d %s, a limit that was agreed %s.", pick(g, d.roles), number, pick(g, d.plurals), pick(g, times))
		case 7:
			return fmt.Sprintf("%s is the part of the work that takes longest, about %d minutes for each %s.", title(pick(g, d.activities)), number, pick(g, d.objects))
		default:
			return fmt.Sprintf("The first %s was bought for %d euros in %d; today's is %s.", pick(g, d.objects), number*10, year, pick(g, states))
		}
	})
	fmt.Fprintf(w, "[claim %s] %s\n", pick(g, claimLifetime), s)
}

func (g *generator) directive(w *bytes.Buffer) {
	d := g.domain
	s := g.fresh("directive ", func() string {
		context := pick(g, d.contexts)
		g.contexts = append(g.contexts, context)
		switch g.rng.IntN(6) {
		case 0:
			a, b := two(g, behaviours)
			return fmt.Sprintf("In %s, always %s, and %s.", context, a, b)
		case 1:
			return fmt.Sprintf("In %s about the %s, never %s.", context, pick(g, d.objects), pick(g, bans))
		case 2:
			return fmt.Sprintf("When %s %s, prefer %s; this holds for %s too.", pick(g, d.activities), pick(g, times), pick(g, preferences), context)
		case 3:
			a, b := two(g, d.roles)
			return fmt.Sprintf("When the %s and the %s disagree in %s, prefer %s.", a, b, context, pick(g, preferences))
		case 4:
			return fmt.Sprintf("In %s for the %s, always %s before %s.", context, pick(g, d.roles), pick(g, behaviours), pick(g, d.activities))
		default:
			return fmt.Sprintf("When %s asks about the %s, always %s, in %s as well.", article(pick(g, d.roles)), pick(g, d.plurals), pick(g, behaviours), context)
		}
	})
	fmt.Fprintf(w, "[directive %s, %s, %s] %s\n", pick(g, forces), pick(g, scopes), pick(g, stabilities), s)
}

// demonstration writes an example labelled by the context of a directive that
// stands before it.
func (g *generator) demonstration(w *bytes.Buffer) {
	valence := pick(g, valences)
	label := strings.ReplaceAll(pick(g, g.contexts), " ", "-")
	fmt.Fprintf(w, "[demo %s, illustrates: %s] ", valence, label)
	if g.rng.IntN(2) == 0 {
		s := g.fresh(valence, func() string {
			a, b := two(g, lines)
			return fmt.Sprintf("“%s: %s, %s. %s”", title(pick(g, g.domain.objects)), a, b, pick(g, names))
		})
		w.WriteString(s + "\n")
		return
	}
	body := g.fresh(valence, g.artifact)
	w.WriteString("{\n" + body + "}\n")
}

// artifact is the body of a brace demonstration: a letter, a list or a before-and-after.
func (g *generator) artifact() string {
	d := g.domain
	var b strings.Builder
	switch g.rng.IntN(3) {
	case 0:
		fmt.Fprintf(&b, "  Dear %s,\n\n  the %s is %s.\n  I will %s, and you will hear from me %s.\n\n  %s, %s\n",
			pick(g, names), pick(g, d.objects), pick(g, states), pick(g, behaviours), pick(g, times), pick(g, names), pick(g, d.roles))
	case 1:
		for i, hour := 0, 6+g.rng.IntN(4); i < 3+g.rng.IntN(5); i++ {
			fmt.Fprintf(&b, "  %02d:%02d  %s — %s\n", hour+i, 5*g.rng.IntN(12), pick(g, d.objects), pick(g, lines))
		}
	default:
		fmt.Fprintf(&b, "  Before: \"The %s will be %s, hopefully.\"\n  After:  \"The %s: %s.\"\n",
			pick(g, d.objects), pick(g, states), pick(g, d.objects), pick(g, lines))
	}
	return b.String()
}

// reason writes no, one or two reason lines. The nth primitive of a file cites
// the nth source, so that no legend entry is idle.
func (g *generator) reason(w *bytes.Buffer, codes []string, n int) {
	if n < len(codes) {
		fmt.Fprintf(w, "  > [%s]\n", codes[n])
		return
	}
	switch k := g.rng.IntN(10); {
	case k < 3 && len(codes) > 0:
		suffix := ""
		if g.rng.IntN(6) == 0 {
			suffix = " — verbatim"
		}
		fmt.Fprintf(w, "  > [%s%s]\n", pick(g, codes), suffix)
	case k < 6:
		fmt.Fprintf(w, "  > %s\n", pick(g, reasons))
	case k == 6:
		fmt.Fprintf(w, "  > %s\n  > %s has the details, in the %s.\n", pick(g, reasons), pick(g, names), pick(g, g.domain.places))
	}
}
