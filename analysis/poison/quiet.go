package poison

import "strings"

// Quiet reports whether nothing in the text of a block can matter to any rule, so
// that it need not be cut into units. It reads the text once.
func Quiet(text string) bool {
	if head, body, ok := cutTag(text); ok {
		// A tag is no unit, but may hide characters and delimiters.
		if s := hot().sweep(head, true); s.sym&(sHigh|sControl) != 0 || gateRaw(s.heat, s.sym, head) {
			return false
		}
		text = body
	}
	s := hot().sweep(text, false)
	h, sym := s.heat, s.sym
	if s.loud || sym&(sHigh|sControl) != 0 || gateRaw(h, sym, text) {
		return false
	}
	return roles(&Unit{Kind: Content, Type: "directive", Text: text}, h, s.class, sym) == 0 && roles(&Unit{Kind: Content, Type: "claim", Text: text}, h, s.class, sym) == 0 && !tongue(h, sym, text)
}

// cutTag cuts the tag off a primitive. Long ones hold enough to be read.
func cutTag(text string) (head, body string, ok bool) {
	if !strings.HasPrefix(text, "[") || len(text) > 1 && text[1] >= 0x80 {
		return "", text, false
	}
	end := strings.IndexByte(text[:min(len(text), 60)], ']')
	if end < 0 || strings.IndexByte(text[1:end], '[') >= 0 || strings.IndexByte(text[:end], '\n') >= 0 {
		return "", text, false
	}
	return text[:end+1], text[end+1:], true
}
