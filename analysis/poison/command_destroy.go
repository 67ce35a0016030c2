package poison

import "strings"

var buildDirs = set("dist", "build", "out", "target", "node_modules", "coverage", ".next", ".cache", "tmp", "cache", "__pycache__", "vendor", "bin", "obj", ".turbo", "site", "public", "_site", ".pytest_cache", "venv", ".venv", "logs", "artifacts", "deriveddata", "storybook-static", ".parcel-cache", ".nuxt", ".svelte-kit", ".gradle", "pods", ".terraform", ".tox", ".mypy_cache", "generated", "gen")

func destructiveCommand(cmds []simple, i int, add adder) {
	c := &cmds[i]
	v, args := c.verb()
	raw := c.raw
	if strings.Contains(raw, "dry-run") || strings.Contains(raw, "--check") || strings.Contains(raw, "what-if") {
		return
	}
	switch v {
	case "rm", "remove-item", "rimraf", "srm", "shred":
		if v == "rm" && !strings.Contains(raw, "-") {
			return
		}
		recursive := v != "rm" || containsAny(raw, []string{"-rf", "-fr", "-r ", "--recursive", "-rf", "-r -f", "-f -r"})
		if !recursive {
			return
		}
		for _, a := range args {
			if strings.HasPrefix(a, "-") {
				continue
			}
			if wideTarget(a) {
				add("destructive", Error, c, 0, "deletes far more than build output", true)
				return
			}
		}
	case "git":
		switch {
		case strings.Contains(raw, "reset --hard"):
			for j := max(0, i-2); j < min(len(cmds), i+3); j++ {
				if strings.Contains(cmds[j].raw, "git clean -") && strings.Contains(cmds[j].raw, "f") {
					add("destructive", Error, c, cmds[j].start+len(cmds[j].raw), "throws away all uncommitted work", true)
					return
				}
			}
		case strings.Contains(raw, "push") && (strings.Contains(raw, "--force") && !strings.Contains(raw, "--force-with-lease") || strings.Contains(raw, " -f") || strings.Contains(raw, " +")):
			if containsAny(raw, []string{" main", " master", "+main", "+master", "--all", "--mirror", " production", " release", " trunk", ":main", ":master"}) {
				add("destructive", Error, c, 0, "rewrites a shared branch by force", true)
			}
		case strings.Contains(raw, "reflog expire") || strings.Contains(raw, "stash clear") || strings.Contains(raw, "filter-branch") || strings.Contains(raw, "branch -d main") || strings.Contains(raw, "update-ref -d"):
			add("destructive", Error, c, 0, "destroys history that could be restored", true)
		}
	case "mkfs", "wipefs", "mkfs.ext4", "diskutil", "dropdb", "vssadmin", "format":
		if v != "diskutil" && (v != "format" || strings.Contains(raw, "c:")) || strings.Contains(raw, "erase") {
			add("destructive", Error, c, 0, "destroys a disk or database", true)
		}
	case "dd":
		if strings.Contains(raw, "of=/dev/") {
			add("destructive", Error, c, 0, "overwrites a disk", true)
		}
	case "find":
		if strings.Contains(raw, "-delete") || strings.Contains(raw, "-exec rm") {
			for _, a := range args {
				if wideTarget(a) {
					add("destructive", Error, c, 0, "deletes files by search", true)
					return
				}
			}
		}
	case "terraform", "tofu", "pulumi", "cdk":
		if strings.Contains(raw, "destroy") && containsAny(raw, []string{"auto-approve", "--yes", "-y", "--force"}) {
			add("destructive", Error, c, 0, "destroys infrastructure without a prompt", true)
		}
	case "kubectl", "helm", "oc":
		if strings.Contains(raw, "delete") && containsAny(raw, []string{" ns ", "namespace", " all", "pvc", " pv ", "--all"}) {
			add("destructive", Error, c, 0, "deletes a whole namespace or its volumes", true)
		}
	case "aws", "gsutil", "gcloud", "az", "doctl":
		if containsAny(raw, []string{"s3 rm", "s3 rb", "gsutil rm", "gsutil -m rm"}) && containsAny(raw, []string{"--recursive", "--force", "rm -r"}) || strings.Contains(raw, "delete-db") || strings.Contains(raw, "projects delete") || strings.Contains(raw, "delete-snapshot") || strings.Contains(raw, "group delete") {
			add("destructive", Error, c, 0, "deletes cloud storage or databases", true)
		}
	case "docker", "podman":
		if strings.Contains(raw, "system prune") && strings.Contains(raw, "--volumes") || strings.Contains(raw, "volume prune -f") || strings.Contains(raw, "volume rm") && strings.Contains(raw, "$(") {
			add("destructive", Error, c, 0, "deletes all container volumes", true)
		}
	case "redis-cli":
		if strings.Contains(raw, "flushall") {
			add("destructive", Error, c, 0, "empties a database", true)
		}
	}
	for _, s := range []string{"drop database", "drop schema", "drop table", "truncate table", "dropdatabase(", "delete from "} {
		at := strings.Index(raw, s)
		if at < 0 || strings.TrimSpace(raw[at+len(s):]) == "" || s == "delete from " && strings.Contains(raw, "where") || containsAny(raw, []string{"if exists tmp", "test", "temp", "staging_", "if exists"}) && s != "drop database" {
			continue
		}
		if v == "psql" || v == "mysql" || v == "sqlite3" || v == "mongosh" || v == "mongo" || v == s[:strings.IndexByte(s, ' ')+max(0, -strings.IndexByte(s, ' '))] || strings.HasPrefix(strings.TrimSpace(raw), s) {
			if containsAny(raw, []string{"_test", "test_", "scratch", "tmp_"}) {
				continue
			}
			add("destructive", Error, c, 0, "drops or empties database tables", true)
			return
		}
	}
	if strings.Contains(raw, "rmdir /s") || strings.Contains(raw, "del /f") || strings.Contains(raw, "del /s") {
		add("destructive", Error, c, 0, "deletes recursively", true)
	}
}

// wideTarget reports a deletion target outside of build output: home, root,
// whole work trees, absolute paths but temporary ones.
func wideTarget(a string) bool {
	a = strings.Trim(a, "\"'`,.;:)")
	raw := a
	a = strings.TrimSuffix(strings.TrimSuffix(a, "*"), "/")
	switch raw {
	case "*", ".", "./", "./*", "..", "../", "../*", "/", "/*", "~", "~/", "~/*", "$home", "${home}", "$home/", "$home/*", ".git", ".git/", "--no-preserve-root", "%userprofile%", "c:\\":
		return true
	}
	if a == "" && raw != "" || strings.HasPrefix(raw, ".git") && !strings.HasPrefix(raw, ".github") && len(raw) <= 5 {
		return true
	}
	b := a[strings.LastIndexByte(a, '/')+1:]
	if buildDirs.has(b) {
		return false
	}
	switch {
	case strings.HasPrefix(a, "/tmp") || strings.HasPrefix(a, "/var/tmp") || strings.HasPrefix(a, "$tmp") || strings.HasPrefix(a, "/private/tmp"):
		return false
	case strings.HasPrefix(a, "~/.cache") || strings.HasPrefix(a, "~/library/caches") || strings.HasPrefix(a, "~/library/developer"):
		return false
	case strings.HasPrefix(a, "~") || strings.HasPrefix(a, "$home") || strings.HasPrefix(a, "${home}") || strings.HasPrefix(a, "/"):
		return true
	}
	return strings.Contains(a, "backup") || strings.HasPrefix(a, "..")
}
