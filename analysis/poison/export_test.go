package poison

import "fmt"

// Unfiltered judges a unit by every rule about meaning and on commands, whatever
// words its text has. The rules on other languages keep their own condition.
func Unfiltered(u *Unit) []string {
	s := hot().sweep(u.Text, false)
	all := s
	all.heat |= ^hForeign
	all.sym |= sColon | sSlash | sTick
	prose := func(text string, m mode, strict bool) []hit {
		r := &reader{prose: parseProse(text), mode: m, kind: u.Kind, strict: strict}
		r.judge(all)
		return r.hits
	}
	var hits []hit
	switch u.Kind {
	case Content, Reason:
		m := orders
		if u.Type == "claim" || u.Kind == Reason {
			m = statements
		}
		hits = prose(u.Text, m, false)
	case AgentsLine, TableCell, AlwaysLoad:
		hits = prose(u.Text, orders, false)
	case ManifestString, FrontmatterValue, Legend:
		hits = prose(u.Text, orders, true)
	case Loose, OtherFile:
		hits = append(prose(u.Text, documents, false), fenced(u.Text)...)
	case DemoBody:
		hits = append(commandsIn(u.Text, all), prose(spoken(u.Text), documents, false)...)
	}
	return names(hits)
}

// Filtered is what the analysis says of a unit.
func Filtered(u *Unit) []string {
	f := Facts(u)
	if f == nil {
		return nil
	}
	return names(f.hits)
}

func names(hits []hit) []string {
	var out []string
	for _, h := range hits {
		if h.sev >= Warning {
			out = append(out, fmt.Sprintf("%s at %d", h.rule, h.start))
		}
	}
	return out
}
