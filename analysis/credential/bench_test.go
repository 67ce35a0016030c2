package credential

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// prose is memory in the style of the format: mostly sentences, some paths,
// links, code and numbers.
func prose(size int) string {
	lines := []string{
		"[directive must, project, permanent] In launch posts, always lead with what the reader can now do.\n  > Readers skim on a phone.\n\n",
		"[claim permanent] The free plan has a limit of three calendars and is billed once a year on the first of March.\n\n",
		"[goal should, project, seasonal] In Q3, the goal is to publish one teardown a week without dropping the newsletter.\n\n",
		"[demo positive, illustrates: safe-download] {\n  curl -fsSLo tool.tgz https://dl.example.org/tool-1.4.tgz\n  tar xzf tool.tgz\n}\n\n",
		"[directive should, project, permanent] When a job fails twice, prefer opening a ticket over a third retry; see docs/runbooks/retries.md.\n\n",
		"[claim tactical] Das Büro in Köln ist bis Freitag geschlossen und hat eine neue Adresse.\n\n",
	}
	r := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(lines[r.IntN(len(lines))])
	}
	return b.String()[:size]
}

func BenchmarkScan(b *testing.B) {
	const size = 4 << 20
	for _, c := range []struct{ name, text string }{
		{"prose", prose(size)},
		{"worst/sk-proj", strings.Repeat("sk-proj-", size/8)},
		{"worst/jwt", strings.Repeat("eyJhbGciOiJIUzI1NiJ9.", size/21)},
		{"worst/eyJ", strings.Repeat("eyJ-", size/4)},
		{"worst/key", strings.Repeat("key=", size/4)},
		{"worst/token", strings.Repeat("token:", size/6)},
		{"worst/password", strings.Repeat("password=aB3", size/12)},
		{"worst/url", strings.Repeat("://a:", size/5)},
		{"worst/pem", strings.Repeat("-----BEGIN PRIVATE KEY-----\n", size/28)},
		{"worst/b64", strings.Repeat(strings.Repeat("Ab3/", 16)+"\n", size/65)},
		{"worst/glpat", strings.Repeat("glpat-", size/6)},
		{"worst/digits", strings.Repeat("123456789:", size/10)},
		{"worst/slack", strings.Repeat("xoxb-1-", size/7)},
		{"worst/bearer", strings.Repeat("Bearer abcdefghijklmnopqrstuvwx\n", size/32)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				Scan(c.text, func(Hit) bool { return true })
			}
		})
	}
	// The same prose under the four patterns of Part 5, one after the other.
	patterns := []*regexp.Regexp{
		regexp.MustCompile(`sk-[A-Za-z0-9]{20,}`), regexp.MustCompile(`re_[A-Za-z0-9]{20,}`),
		regexp.MustCompile(`phc_[A-Za-z0-9]{20,}`), regexp.MustCompile(`=\s*['"][A-Za-z0-9]{32,}`),
	}
	text := prose(size)
	b.Run("peer/regexp", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for _, p := range patterns {
				p.FindStringIndex(text)
			}
		}
	})
}
