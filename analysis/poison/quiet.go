package poison

// Quiet reports whether nothing in text can matter to any rule, so that it
// need not be cut into units. It reads the text once.
func Quiet(text string) bool {
	h, sym := hot().sweep(text)
	if sym&(sHigh|sControl) != 0 || gateRaw(h, sym, text) || gate(h, sym, false) {
		return false
	}
	return roles(&Unit{Kind: Content, Type: "directive", Text: text}, h, sym) == 0 && roles(&Unit{Kind: Content, Type: "claim", Text: text}, h, sym) == 0
}
