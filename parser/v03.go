package parser

import "strings"

// The v0.3 reader: one YAML frontmatter per primitive, blocks separated by
// `---` (Part 11). Its blocks answer the same questions as v0.4 blocks; their
// values are read from the text on demand, since nothing judges v0.3 content.

// v03Opens reports whether a `---` line with a mapping entry behind it stands at offset at.
func (s *scanner) v03Opens(at int) bool {
	if at >= len(s.src) || s.src[at] != '-' {
		return false
	}
	end, next := s.line(at)
	if !isFence(s.src[at:end]) || next >= len(s.src) {
		return false
	}
	end, _ = s.line(next)
	return isKey(TrimSpace(s.src[next:end])) && spaceLen(s.src[next:]) == 0
}

// v03Primitive reports whether the YAML block whose first entry stands at offset
// at is a primitive's: a v0.3 file without a cluster frontmatter starts with one.
func (s *scanner) v03Primitive(at int) bool {
	for at < len(s.src) {
		end, next := s.line(at)
		line := s.src[at:end]
		if isFence(line) {
			return false
		}
		if v, ok := yamlScalar(line, "type"); ok {
			return TypeOf(v) != Unknown
		}
		at = next
	}
	return false
}

func (s *scanner) v03Block(b *Block, at, from, next int, in state) (int, int) {
	b.out = stBody
	lines := 1
	if !s.v03Opens(from) {
		b.kind = Loose
	} else {
		b.kind = Primitive
		b.body = uint32(next - at)
		b.flags |= flagUnclosed
		for next < len(s.src) {
			end, after := s.line(next)
			line := s.src[next:end]
			lines++
			if isFence(line) {
				b.bodyE = uint32(next - at)
				b.flags &^= flagUnclosed
				next = after
				break
			}
			if v, ok := yamlScalar(line, "type"); ok {
				b.typ = TypeOf(v)
			}
			next = after
		}
		if b.Unclosed() {
			b.bodyE = uint32(next - at)
		}
	}
	last, lastLines := next, lines
	for next < len(s.src) && !s.v03Opens(next) {
		blank := s.blankAt(next)
		_, next = s.line(next)
		lines++
		if !blank {
			last, lastLines = next, lines
		}
	}
	b.rsn, b.rsnE, b.tail = uint32(last-at), uint32(last-at), uint32(last-at)
	return last, lastLines
}

type v03Fields struct {
	written, content, reason string
	facets                   []string
	keys                     map[string]string
	hasReason                bool
}

func (b *Block) v03() v03Fields {
	var f v03Fields
	if b.kind != Primitive {
		return f
	}
	yaml := unifyBreaks(b.text[b.body:b.bodyE])
	keys := map[string]string{}
	for line := range strings.SplitSeq(yaml, "\n") {
		if k, _, ok := strings.Cut(line, ":"); ok {
			if v, ok := yamlScalar(line, k); ok {
				keys[k] = v
			}
		}
	}
	f.written, f.keys = keys["type"], keys
	for _, spec := range b.typ.Facets() {
		v, ok := keys[spec.Name]
		if !ok {
			continue
		}
		if spec.Key {
			v = spec.Name + ": " + v
		}
		f.facets = append(f.facets, v)
	}
	rest := unifyBreaks(b.text[b.bodyE:b.tailE])
	if _, after, ok := strings.Cut(rest, "\n"); ok {
		rest = after
	} else {
		rest = ""
	}
	const why = "**Why:**"
	for at := 0; at < len(rest); {
		end, next := lineEnd(rest, at)
		if strings.HasPrefix(rest[at:end], why) {
			f.reason = TrimSpace(rest[at+len(why):])
			f.hasReason = true
			rest = rest[:at]
			break
		}
		at = next
	}
	f.content = TrimSpace(rest)
	return f
}

// yamlScalar reads `key: value` with a plain or quoted value and an optional comment.
func yamlScalar(line, key string) (string, bool) {
	rest, ok := strings.CutPrefix(line, key+":")
	if !ok || key == "" || rest != "" && spaceLen(rest) == 0 {
		return "", false
	}
	v := TrimSpace(rest)
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') {
		if i := strings.IndexByte(v[1:], v[0]); i >= 0 {
			return v[1 : 1+i], true
		}
	}
	if i := strings.Index(v, " #"); i >= 0 {
		v = TrimSpace(v[:i])
	}
	return v, true
}
