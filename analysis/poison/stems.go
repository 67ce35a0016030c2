package poison

import (
	"strings"
	"sync"
)

// The stems of all languages are looked for in one pass: a text's bytes are read
// three at a time, and only where some stem starts so is anything compared.

// stemList numbers the lists of one language, in the order of [acts], with those
// of [language] behind them.
const (
	listSend = iota
	listShow
	listHide
	listTell
	listPerson
	listRecord
	listAsk
	listDrop
	listOff
	listGuard
	listDo
	listSecret
	listKeep
	listWithout
	listNot
	listVerbs
	listObjects
	listPrior
	listApprove
	listEvery
	listUnasked
	listVeiled
	listObeyed
)

// spokenLists are those that tell a language from another.
const spokenLists = 1<<listVerbs - 1

// stems is what a text holds of a language: a bit for each list.
type stems uint32

func (s stems) has(lists ...int) bool {
	for _, l := range lists {
		if s&(1<<l) == 0 {
			return false
		}
	}
	return true
}

// any reports one of two lists.
func (s stems) any(a, b int) bool { return s&(1<<a|1<<b) != 0 }

// spoken asks for two lists, so that a chance stem does not decide.
func (s stems) spoken() bool {
	s &= spokenLists
	return s&(s-1) != 0
}

// possible reports whether any rule on other languages can hold. concrete says
// that the text has a path, an address or a variable.
func (s stems) possible(concrete bool) bool {
	return s.has(listVerbs, listObjects, listPrior) || s.has(listApprove, listEvery) || s.has(listUnasked, listDrop) || s.has(listVeiled, listPerson) || concrete && s&(1<<listObeyed|1<<listSend|1<<listKeep) != 0 ||
		s.spoken() && (concrete || s.has(listHide) && s.any(listPerson, listRecord) || s.has(listTell, listPerson) || s.has(listAsk, listDrop) || s.has(listOff, listGuard))
}

// tongues is the number of languages; those of the two tables are not the same.
type tongues [32]stems

type stemRef struct {
	text string
	lang uint8
	list uint8
}

type stemTable struct {
	first [1 << 13]uint64 // of the hash of three bytes
	refs  map[uint32][]stemRef
	// names are the languages; acts and over give the number of each in
	// languageActs and languages.
	names      []string
	acts, over []uint8
}

func stemKey(s string) uint32 { return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 }

func stemBit(k uint32) uint32 { return k * 0x9e3779b1 >> 13 }

var stemmed = sync.OnceValue(func() *stemTable {
	t := &stemTable{refs: map[uint32][]stemRef{}}
	index := map[string]uint8{}
	lang := func(name string) uint8 {
		i, ok := index[name]
		if !ok {
			i = uint8(len(t.names))
			index[name] = i
			t.names = append(t.names, name)
		}
		return i
	}
	add := func(l uint8, n int, list []string) {
		for _, w := range list {
			k := stemKey(w)
			t.refs[k] = append(t.refs[k], stemRef{w, l, uint8(n)})
			b := stemBit(k)
			t.first[b>>6] |= 1 << (b & 63)
		}
	}
	for i := range languageActs() {
		a := &languageActs()[i]
		l := lang(a.name)
		t.acts = append(t.acts, l)
		for n, list := range [][]string{a.send, a.show, a.hide, a.tell, a.person, a.record, a.ask, a.drop, a.off, a.guard, a.do, a.secret, a.keep, a.without, a.not} {
			add(l, n, list)
		}
		k := languageKinds[a.name]
		for n, list := range map[int]string{listApprove: k.approve, listEvery: k.every, listUnasked: k.unasked, listVeiled: k.veiled, listObeyed: k.obeyed, listSend: k.send, listShow: k.show, listKeep: k.keep, listDrop: k.drop, listGuard: k.guard} {
			add(l, n, stemsOf(list))
		}
	}
	for i := range languages() {
		o := &languages()[i]
		l := lang(o.name)
		t.over = append(t.over, l)
		add(l, listVerbs, o.verbs)
		add(l, listObjects, o.objects)
		add(l, listPrior, o.prior)
	}
	return t
})

// scan finds the stems in a lower-case text.
func (t *stemTable) scan(low string, found *tongues) {
	for i := 0; i+3 <= len(low); i++ {
		k := stemKey(low[i:])
		if b := stemBit(k); t.first[b>>6]&(1<<(b&63)) == 0 {
			continue
		}
		refs := t.refs[k]
		for j := range refs {
			if r := &refs[j]; found[r.lang]&(1<<r.list) == 0 && strings.HasPrefix(low[i:], r.text) {
				found[r.lang] |= 1 << r.list
			}
		}
	}
}

// otherTongue reports whether the rules on other languages have to read a text.
func otherTongue(text string, sym symbol) bool {
	var found tongues
	t := stemmed()
	low := foldCase(text)
	t.scan(low, &found)
	concrete := sym&(sSlash|sTilde|sDollar|sAt|sBrace|sAngle) != 0 || strings.IndexByte(text, '.') >= 0 || strings.IndexByte(text, '_') >= 0
	for i := range t.names {
		if found[i].possible(concrete) {
			return true
		}
	}
	return concrete && strings.Contains(low, "always") && !isASCII(low)
}

// foldCase is text in lower case, as long as it was: where lower case changes
// lengths, only ASCII is folded.
func foldCase(text string) string {
	low := strings.ToLower(text)
	if len(low) != len(text) {
		return lowerASCII(text)
	}
	return low
}
