package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// The capability files, in the order in which a manifest lists them.
const (
	copyVoice       = "copy-voice.md"
	contentStrategy = "content-strategy.md"
	productContext  = "product-context.md"
	opsTools        = "ops-tools.md"
	demonstrations  = "demonstrations.md"
)

type capabilityFile struct {
	name, applies, task string // task is the left cell of the routing table
}

var capabilityFiles = []capabilityFile{
	{pack.PrinciplesName, "what to optimize for and how to work", ""},
	{copyVoice, "writing style, voice, formatting and visual brand", "Writing anything (copy, posts, scripts, headlines)"},
	{contentStrategy, "what to publish, where, and how it is framed", "Content strategy (angle, framing, channel, launch)"},
	{productContext, "facts about the product and its users", "Product facts (positioning, pricing, features)"},
	{opsTools, "operations, tools and automation", "Ops or automation (email, credentials, tools)"},
	{demonstrations, "approved and rejected examples", "Reviewing approved examples or tone matching"},
}

// topics are the routing rules of Part 10 that go by words, in their order.
var topics = []struct {
	file  string
	words []string
}{
	{opsTools, []string{"credential", "api key", "token", "n8n", "resend", "posthog", ".env", "email address", "mail address", "deploy", "deployment"}},
	{copyVoice, []string{
		"em dash", "em-dash", "voice", "tone", "style", "format", "tagline", "draft", "slop", "banned", "pattern", "vocabulary", "phrasing",
		"theme", "color", "colour", "palette", "visual", "brand", "design", "font", "background",
	}},
	{contentStrategy, []string{"angle", "framing", "story", "launch", "post", "cta", "channel", "lead with", "closed loop", "narrative"}},
}

// route is the capability file of a unit; matched is false where no rule of Part
// 10 speaks for it and the default of its type was taken.
func route(u *Unit) (file string, matched bool) {
	text := strings.ToLower(u.Content + "\n" + u.Body + "\n" + u.Illustrates)
	for _, t := range topics {
		for _, w := range t.words {
			if says(text, w) {
				return t.file, true
			}
		}
		if t.file == opsTools && mailAddress(text) {
			return opsTools, true
		}
	}
	switch parser.TypeOf(u.Type) {
	case parser.Claim:
		return productContext, true
	case parser.Demonstration:
		return demonstrations, true
	case parser.Goal:
		return pack.PrinciplesName, true
	}
	return pack.PrinciplesName, false
}

// says reports whether a lower-case text holds a word or phrase, in one of the
// forms that English bends it to.
func says(text, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			break
		}
		at := from + i
		end := at + len(phrase)
		from = at + 1
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && wordRune(before) && phrase[0] != '.' {
			continue
		}
		rest := text[end:]
		n := 0
		for n < len(rest) {
			r, size := utf8.DecodeRuneInString(rest[n:])
			if !wordRune(r) {
				break
			}
			n += size
		}
		switch rest[:n] {
		case "", "s", "es", "d", "ed", "ing":
			return true
		}
	}
	if stem, ok := strings.CutSuffix(phrase, "y"); ok {
		return says(text, stem+"ies")
	}
	return false
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

func mailAddress(text string) bool {
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, ".,;:!?()<>[]\"'`")
		at := strings.IndexByte(w, '@')
		if at > 0 && strings.Contains(w[at+1:], ".") && !strings.ContainsAny(w, "/=") && strings.IndexByte(w[at+1:], '@') < 0 && w[at+1] != '.' {
			return true
		}
	}
	return false
}
