package poison

import "strings"

var weakPersist = set("hook", "hooks", "daemon", "daemons", "prompt", "plist", "startup", "postinstall", "global", "home", "other", "every", "memory", "project", "rules", "rule", "instruction", "rc", "settings", "managed", "skill", "skills", "knowledge", "saved", "background", "cursor", "at", "timer", "user", "agent", "your", "its", "agent's", "login", "scheduled", "service")

var scopeWide = set("every", "each", "all", "other", "parent", "neighbouring", "neighboring", "new", "sibling", "any", "further", "future", "cloned")

var places = set("repository", "repositories", "repo", "repos", "project", "projects", "workspace", "workspaces", "pack", "packs", "folder", "folders", "machine", "machines", "session", "sessions", "conversation", "conversations", "host", "hosts", "checkout", "directory", "agent", "agents")

// persist: the pack writes itself, or a hook for itself, into places that are
// read outside of it.
func (r *reader) persist(k int) {
	r.survives(k)
	c := &r.clauses[k]
	if c.cond {
		return
	}
	r.sourced(k)
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != word || !t.c.has(cWrite|cRemember|cSend) || !r.acts(k, i) {
			continue
		}
		if r.userAsked(k) {
			return
		}
		if t.c.has(cWrite|cSend) && r.plants(k, i) {
			return
		}
		if t.c.has(cRemember) && r.remembers(k, i) {
			return
		}
	}
}

// userAsked reports that the sentence leaves the act to the user.
func (r *reader) userAsked(k int) bool {
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		switch r.toks[j].text {
		case "asks", "asked", "requests", "requested", "ask", "approves", "approved", "confirms", "confirmed", "confirmation", "agrees", "propose", "suggest", "consent", "approval", "offer":
			if r.toks[j].text == "ask" && r.prev(r.clauseOf(j), j, 3, cNeg) >= 0 || r.prevWord(j, "without") || j > 0 && r.toks[j-1].c.has(cNeg) {
				continue
			}
			if r.toks[j].text == "asks" && j+2 < to && r.toks[j+1].text == "for" && r.toks[j+2].c.has(cPronoun) && j > from && served.has(r.toks[j-1].text) {
				return true // "when the user asks for it"
			}
			if r.toks[j].text == "asks" && j+1 < to && (r.toks[j+1].text == "for" || r.toks[j+1].text == "to" || r.toks[j+1].text == "about") && !r.asksForWrite(j, to) {
				continue
			}
			return true
		}
	}
	return false
}

// asksForWrite: "when the user asks for a hook".
func (r *reader) asksForWrite(j, to int) bool {
	for m := j + 1; m < min(j+6, to); m++ {
		if r.toks[m].c.has(cPersist | cWrite | cRemember) {
			return true
		}
		if r.toks[m].text == "," {
			return false
		}
	}
	return false
}

func (r *reader) clauseOf(j int) int {
	if j < 0 || j >= len(r.owner) {
		return 0
	}
	return int(r.owner[j])
}

func (r *reader) plants(k, i int) bool {
	c := &r.clauses[k]
	end := i + int(r.toks[i].width) - 1
	self, wide := -1, false
	for j := end + 1; j < min(c.to, end+22); j++ {
		wide = wide || r.toks[j].c.has(cForever)
	}
	for j := end + 1; j < min(c.to, end+22); j++ {
		t := &r.toks[j]
		if r.selfRef(j) || t.text == "itself" {
			self = j
		}
		if e := j + int(t.width); t.width > 1 && e < c.to && r.toks[e-1].text == "memory" && computerMemory.has(r.toks[e].text) {
			continue // "your own memory allocator"
		}
		if t.c.has(cPersist) && j > end && !strings.HasSuffix(t.text, "daemon's") {
			weak := t.kind == word && weakPersist.has(t.text) && t.width == 1
			file := t.kind == fileName || t.kind == path
			switch {
			case file && !r.readsFrom(j) && (r.mode == orders || self >= 0 || wide || startFile(t.text)):
				if r.toks[i].c.has(cSend) && !r.toks[i].c.has(cWrite) {
					continue
				}
				r.hit("persistence", Error, i, j, "writes to a file that agents or shells read at every start")
				return true
			case !file && !weak && t.kind == word && (t.width > 1 || !weakPersist.has(t.text)) && r.toks[i].c.has(cWrite) && !r.readsFrom(j) && (!weakPersist.has(t.text) || self >= 0 || wide || strongPlace(r.toks[j:min(j+int(t.width), len(r.toks))])):
				r.hit("persistence", Error, i, j+int(t.width)-1, "plants something that is run or read at every start")
				return true
			case weak && (self >= 0 || wide) && r.toks[i].c.has(cWrite) && t.text != "other" && t.text != "every" && t.text != "prompt" && t.text != "project":
				r.hit("persistence", Error, i, j, "plants something that is run or read at every start")
				return true
			}
		}
		// Copies of itself: "copy these rules into every other repository".
		if self >= 0 && scopeWide.has(t.text) && j > self {
			for m := j + 1; m < min(j+4, c.to); m++ {
				if places.has(r.toks[m].text) {
					r.hit("persistence", Error, i, m, "copies the pack into other projects")
					return true
				}
			}
		}
	}
	return false
}

var computerMemory = set("allocator", "allocators", "allocation", "manager", "management", "pool", "pools", "usage", "model", "layout", "block", "blocks", "address", "addresses", "limit", "limits", "region", "regions", "map")

func strongPlace(toks []token) bool {
	s := ""
	for _, t := range toks {
		s += t.text + " "
	}
	for _, w := range []string{"hook", "cron", "launch", "systemd", "startup", "start up", "login", "shell profile", "rc file", "scheduled", "background service", "user memory", "agent memory", "global", "long term", "own memory", "your memory", "agent's", "host's", "settings", "managed block", "memory file", "rules file", "rule file", "user service", "run key", "timer"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

func startFile(s string) bool {
	return containsAny(s, []string{".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", ".zshenv", "config.fish", "cron", "launchagents", "systemd", "authorized_keys", ".git/hooks", "autostart"})
}

// readsFrom: "copy the table from AGENTS.md".
func (r *reader) readsFrom(j int) bool {
	for m := max(0, j-3); m < j; m++ {
		switch r.toks[m].text {
		case "from", "of", "per", "like", "as":
			return true
		}
	}
	return false
}

var futureScope = []string{"future session", "future project", "every project", "all projects", "all future", "other projects", "across sessions", "across projects", "every repository", "all repositories", "every session", "later sessions", "later projects", "every conversation", "future conversation", "all sessions", "every future", "from now on", "permanently", "forever", "beyond this project", "every repo", "all repos", "other repositories", "next session", "every new", "each session", "new session", "user memory", "long-term memory", "long term memory", "outside this project", "each project", "each new", "any other project", "later session"}

func (r *reader) remembers(k, i int) bool {
	c := &r.clauses[k]
	if i+1 < c.to && (r.toks[i+1].text == "to" || r.toks[i+1].text == "that" && r.mode == statements) {
		return false
	}
	lo := lowerASCII(r.text[r.toks[c.from].start:r.toks[c.to-1].end])
	if !containsAny(lo, futureScope) {
		return false
	}
	for j := i + 1; j < min(c.to, i+12); j++ {
		t := &r.toks[j]
		if r.selfRef(j) || t.c.has(cRules) || t.text == "this" || t.text == "these" || t.text == "it" || t.c.has(cURL|cSecret) || t.text == "directive" {
			r.hit("persistence", Error, i, j, "carries the pack's rules over into other sessions or projects")
			return true
		}
	}
	return false
}

var removal = []string{"uninstall", "is removed", "are removed", "gets removed", "after removal", "even if removed", "is deleted", "are deleted", "been removed", "been deleted", "pack goes", "pack is gone", "file is gone", "file disappears", "is disabled", "taken out", "throws this", "throw this", "throws it out", "pack out", "pack away", "discards this", "discard this", "throws the pack", "gets rid of", "rid of this", "is dropped", "cleans up", "when removed", "removes this", "deletes this", "remove this pack", "delete this pack", "wiped", "cleaned up", "folder is gone", "takes this", "taken away", "taken off", "tidied away", "moved out", "no longer there"}

// sourced: "see to it that ~/.zshrc sources tools/x.sh".
func (r *reader) sourced(k int) {
	c := &r.clauses[k]
	if r.mode == statements || !r.ordered(k) || r.userAsked(k) {
		return
	}
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != path && t.kind != fileName || !startFile(t.text) || r.polarityAt(k, i) != affirmed {
			continue
		}
		for j := i + 1; j < min(c.to, i+5); j++ {
			switch r.toks[j].text {
			case "sources", "source", "loads", "load", "runs", "run", "calls", "call", "starts", "start", "executes", "execute", "imports", "evals", "invokes", "exports", "gets", "ends":
				r.hit("persistence", Error, i, j, "makes a shell's start-up file run something")
				return
			}
		}
	}
}

// survives: "when this pack is removed, put it back".
func (r *reader) survives(k int) {
	if r.mode == statements && !r.strict {
		return
	}
	from, to := r.bounds(k)
	if from != r.clauses[k].from {
		return
	}
	lo := lowerASCII(r.text[r.toks[from].start:r.toks[to-1].end])
	if !containsAny(lo, removal) {
		return
	}
	self := -1
	for j := from; j < to; j++ {
		if r.selfRef(j) || r.toks[j].text == "this" && j+1 < to && r.toks[j+1].c.has(cRules|cAct) {
			self = j
		}
	}
	if self < 0 {
		return
	}
	for j := from; j < to; j++ {
		switch r.toks[j].text {
		case "comes", "come", "returns", "return", "stays", "stay", "lives", "reappears", "restore", "reinstall", "recreate", "reinstate", "survive", "survives", "outlive", "leave", "keep", "copy", "retain", "rewrite", "put", "re-add", "readd", "add", "clone", "preserve", "remember", "write", "bring":
			if r.acts(r.clauseOf(j), j) || r.mode == orders && r.polarityAt(r.clauseOf(j), j) == affirmed {
				r.hit("persistence", Error, j, self, "makes the pack survive its removal")
				return
			}
		}
	}
}
