package poison

// Quiet reports whether nothing in text can matter to any rule, so that it
// need not be cut into units. It reads the text once.
func Quiet(text string) bool {
	sum, sym := lex.sweep.sweep(text)
	if sym&(sHigh|sControl) != 0 {
		return false
	}
	return !interesting(sum, sym, &Unit{Kind: Raw, Text: text}) && !gate(sum, sym, &Unit{Kind: Content, Text: text})
}
