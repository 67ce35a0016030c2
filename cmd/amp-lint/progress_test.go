package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressShowsLateAndOnlyWhereAllowed(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(streams{err: &out}, 4, false)
	if p.on {
		t.Error("a buffer is no terminal")
	}
	p.step()
	p.on = true
	p.step()
	p.done()
	if out.Len() > 0 {
		t.Errorf("a short run shows %q", &out)
	}
	p.next = time.Now().Add(-time.Second)
	p.step()
	p.step() // too soon to be drawn
	p.done()
	if want := "\r[======================        ] 3 of 4 packs\r\x1b[K"; out.String() != want {
		t.Errorf("got %q, expected %q", &out, want)
	}
	if b := bar(0, 0); !strings.Contains(b, "0 of 0") {
		t.Errorf("got %q", b)
	}
}
