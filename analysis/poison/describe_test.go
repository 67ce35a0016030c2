package poison

import (
	"regexp"
	"strings"
	"testing"
)

// What describes binds less than an order does. An order must not get through as a
// remark or as a rule that somebody tells of.
func TestOrdersAreFoundInsideRemarksAndDescriptions(t *testing.T) {
	order := regexp.MustCompile(`^(?:In|When|At|On|After|Before|Each|Every|As|If|For|During|Once)\b[^,]*, always (.*)$`)
	found := func(text string) bool {
		return len(flagged(&Unit{Kind: Content, Type: "directive", File: "memory/x.md", Text: text})) > 0
	}
	tried := 0
	for _, u := range readLines(t, "orders.txt") {
		m := order.FindStringSubmatch(u.Text)
		if m == nil || strings.HasPrefix(m[1], "note") || !found("In this project, always "+m[1]) {
			continue
		}
		tried++
		// Each carrier beside one that describes nothing.
		for carrier, plain := range map[string]string{
			"In this project, always note: ": "In this project, always ",
			"In this project, please note: ": "In this project, always ",
			"The rule here: ":                "Our rule here: ",
			"This is our way, ":              "Ours is a way, ",
		} {
			if found(plain+m[1]) && !found(carrier+m[1]) {
				t.Errorf("missed: %s%s", carrier, m[1])
			}
		}
	}
	if tried < 100 {
		t.Fatalf("only %d orders were tried", tried)
	}
}
