package parser

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// The quick looks must say what the full ones do, or nothing.

func TestPlainCitationsAreReadLikeAllOthers(t *testing.T) {
	plain := 0
	pieces := []string{"[", "]", " ", "a", "Lex 252", "\t", "é", " — verbatim", "\x01", "> ", "x]", "[y"}
	for _, indent := range []string{"  > ", "  >", "  >  ", " \t> "} {
		for _, a := range pieces {
			for _, b := range pieces {
				for _, end := range []string{"", "]", "]\n", "]\r\n", "]\r", "] \n", "]\n  > [b]\n", "]\n\n"} {
					block := first(t, "[claim] A is b.\n"+indent+"["+a+b+end)
					var want []Citation
					for c := range block.citations {
						want = append(want, c)
					}
					if got := slices.Collect(block.Citations); !reflect.DeepEqual(got, want) {
						t.Fatalf("%q: got %+v, want %+v", block.Text(), got, want)
					}
					if _, ok := block.plainCitation(); ok {
						plain++
					}
				}
			}
		}
	}
	if plain == 0 {
		t.Error("no citation was taken for a plain one")
	}
}

func TestLegalTagsHaveLegalFacetsInTheirPlaces(t *testing.T) {
	pieces := []string{"", " ", ",", ", ", "must", "may", "org", "session", "permanent", "tactical", "positive", "illustrates: x", "illustrates:x", "muss", "x"}
	plain := 0
	for _, word := range []string{"goal", "claim", "directive", "demo", "demonstration", "note"} {
		for _, a := range pieces {
			for _, b := range pieces {
				for _, c := range pieces {
					for _, d := range []string{"", ", org", ", permanent", ","} {
						block := first(t, "["+word+a+b+c+d+"] A is b.\n")
						if block.Kind() != Primitive || !block.LegalTag() {
							continue
						}
						plain++
						specs := block.Type().Facets()
						toks := block.Facets()
						if len(toks) > len(specs) || len(specs) == 0 || len(toks) == 0 && specs[0].Required {
							t.Fatalf("%q: %d facets", block.Text(), len(toks))
						}
						for i, tok := range toks {
							if !specs[i].Allows(tok.Text) {
								t.Fatalf("%q: %q is not legal in place %d", block.Text(), tok.Text, i)
							}
						}
					}
				}
			}
		}
	}
	if plain == 0 {
		t.Error("no tag was taken for a legal one")
	}
	for _, tag := range []string{"[claim]", "[claim tactical]", "[goal must, org, seasonal]", "[demo mixed, illustrates: a b]", "[directive]"} {
		if !first(t, tag+" x\n").LegalTag() {
			t.Errorf("%s is as plain as a tag can be", tag)
		}
	}
}

func first(t *testing.T, src string) Item {
	t.Helper()
	it, ok := Parse(src, V04).AtIndex(0)
	if !ok || !strings.HasPrefix(src, it.Text()) {
		t.Fatalf("%q has no first block", src)
	}
	return it
}
