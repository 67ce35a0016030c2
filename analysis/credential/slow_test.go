package credential

import (
	"strings"
	"testing"
	"time"
)

// Repetition of any two fragments is the kind of input that makes a scanner
// quadratic. The bound is a tenth of the goal, so that a busy machine does not
// fail it.
func TestRepeatedFragmentsStayLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time over 1,600 inputs")
	}
	frag := []string{
		"sk-", "sk-proj-", "sk-ant-api03-", "re_", "phc_", "AKIA", "key=", "token:", "password=", "token=\"", "=", ":", "://", "@", "\"", "'", "-----BEGIN PRIVATE KEY-----\n", "KEY-----",
		"\\n", "\n", " ", "-", "_", ".", "eyJ", "eyJhbGciOiJIUzI1NiJ9.", "glpat-", "xoxb-1-", "12345678:", "MTIz", "hooks.slack.com/services/", "Bearer ", "is ", "-u a:", "T3BlbkFJ",
		"abcdefghijklmnopqrstu", "A1b2C3d4", "=\"", "ghs_1_", "DEK-Info: ",
	}
	slowest, name := 1e18, ""
	for _, a := range frag {
		for _, b := range frag {
			text := strings.Repeat(a+b, 48<<10/len(a+b))
			best := 1e18
			for range 2 {
				begin := time.Now()
				Scan(text, func(Hit) bool { return true })
				best = min(best, float64(time.Since(begin)))
			}
			// A busy machine can stop any single run: only what stays slow is slow.
			for try := 0; try < 40 && float64(len(text))/best*1e3 < 5; try++ {
				begin := time.Now()
				Scan(text, func(Hit) bool { return true })
				best = min(best, float64(time.Since(begin)))
			}
			if rate := float64(len(text)) / best * 1e3; rate < slowest {
				slowest, name = rate, a+b
			}
		}
	}
	t.Logf("slowest: %.0f MB/s on %q", slowest, name)
	if slowest < 3 {
		t.Errorf("%q runs at %.1f MB/s", name, slowest)
	}
}
