package capture

import "strings"

// stop are words that are neither nouns nor verbs, and the verbs that carry no
// meaning of their own.
var stop = wordSet(`a an the this that these those my our your his her its their each every all some any no both such own same other
	another i you he she it we they me him us them who whom which what whose one
	in on at by for with without from to into onto of during within upon via among through across over under about around
	between per near towards against behind beyond before after since until than as like off up down out
	and or but nor so yet if when while because though although unless whenever whereas where how why
	is are was were be been being am has have had having do does did done doing can could will would shall should may might must
	let lets get gets got
	not never always prefer only just also too very more most less least much many few even ever still again already
	here there then now today often usually sometimes rather instead
	new old good bad big small long short first last next`)

// contents are the content words of a text: an approximation of its nouns and
// verbs, since no grammar is at hand. Words of fewer than three letters, stop
// words and adverbs in -ly do not count; common endings are cut.
func contents(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(s) {
		w = strings.Trim(w, "'")
		w = strings.TrimSuffix(w, "'s")
		if len(w) < 3 || stop[w] || strings.Contains(w, "'") || strings.HasSuffix(w, "ly") && len(w) > 5 {
			continue
		}
		out[stem(w)] = true
	}
	return out
}

func stem(w string) string {
	for _, end := range []string{"ings", "ing", "ies", "ied", "es", "ed", "s", "e", "y"} {
		if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}

// overlap reports whether more than four fifths of a's content words are b's.
// Fewer than two words say too little to tell.
func overlap(a, b map[string]bool) bool {
	if len(a) < 2 {
		return false
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return 5*n > 4*len(a)
}

// forbids reports whether a text says not to do something. Two rules that share
// their words and differ in this are a contradiction and no duplicate.
func forbids(s string) bool {
	for _, w := range words(s) {
		switch w {
		case "never", "not", "no", "don't", "dont", "avoid", "without", "stop", "cannot", "can't", "won't", "isn't", "aren't":
			return true
		}
	}
	return false
}
