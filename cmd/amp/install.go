package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// where returns the current project folder and the home folder. A home that
// cannot be used only matters to user scope, which says so.
func where() (install.Where, error) {
	dir, err := os.Getwd()
	if err != nil {
		return install.Where{}, fmt.Errorf("the current folder is gone or cannot be read, change to another one (%w)", err)
	}
	home, err := homeDir()
	if err != nil {
		home = ""
	}
	warn := func(msg string) { fmt.Fprintf(os.Stderr, "warning: %s\n", errorText(errors.New(msg))) }
	return install.Where{Dir: dir, Home: home, Warn: warn}, nil
}

// scopeFlag adds --scope.
func scopeFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "scope", string(install.Project), "project (this folder) or user (everywhere)")
	fixedCompletion(cmd, "scope", string(install.Project), string(install.User))
}

func parseScope(s string) (install.Scope, error) {
	scope, err := install.ParseScope(s)
	if err != nil {
		return "", usagef("--scope: %v", err)
	}
	if scope == install.User {
		if _, err := homeDir(); err != nil {
			return "", err
		}
	}
	return scope, nil
}

type installFlags struct {
	fromPath, scope, publicKey        string
	agents                            []string
	requireSigned, requireTrusted     bool
	acceptNewKey, allowTampered, json bool
	allowFindings                     bool
}

func newInstallCmd() *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install --from-path PACK",
		Short: "Install a pack from a folder into your coding agent",
		Long: `Install a pack from a folder: copies it to .amp/<name>/ and puts a managed block
into the rules file of your agent. Everything is checked before anything is
written, and amp uninstall gives back the very bytes that were there.

Without --agent the agent is detected: CLAUDE.md, AGENTS.md, .cursor/,
.windsurfrules in the project, then ~/.openclaw/, then claude-code.

With --public-key the pack must be signed with that key. AMP_PUBLIC_KEY demands
nothing here: it is one more key that you trust. A pack of your own, too, is signed
by "a key you do not trust" until amp trust add.

Exit codes: 0 installed, 1 refused or failed, 2 wrong usage or an unreadable key.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if strings.HasPrefix(args[0], "@") {
				return usagef("amp installs from folders only (--from-path); use the registry's own CLI for %q", args[0])
			}
			return usagef("install takes no arguments, did you mean --from-path %s?", fsx.Printable(args[0]))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.fromPath == "" {
				return usagef("install needs --from-path PACK; amp installs from folders only, registries have their own CLI")
			}
			learn(cmd, f.fromPath)
			return runInstall(cmd, &f)
		},
	}
	cmd.Flags().StringVar(&f.fromPath, "from-path", "", "the pack's `folder`")
	cmd.Flags().StringArrayVar(&f.agents, "agent", nil, "target agent, may be repeated: "+strings.Join(install.Agents, ", "))
	cmd.Flags().StringVar(&f.publicKey, "public-key", "", "the pack must be signed with this key, a `file` or PEM text")
	cmd.Flags().BoolVar(&f.requireSigned, "require-signed", false, "refuse unsigned packs")
	cmd.Flags().BoolVar(&f.requireTrusted, "require-trusted", false, "refuse packs that are not signed with a key you trust")
	cmd.Flags().BoolVar(&f.acceptNewKey, "accept-new-key", false, "accept another signer than that of the installed version")
	cmd.Flags().BoolVar(&f.allowTampered, "allow-tampered", false, "install although the signature does not hold")
	cmd.Flags().BoolVar(&f.allowFindings, "allow-findings", false, "install in spite of credentials or security findings")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	scopeFlag(cmd, &f.scope)
	fixedCompletion(cmd, "agent", install.Agents...)
	if err := cmd.MarkFlagDirname("from-path"); err != nil {
		panic(err)
	}
	return cmd
}

func (f *installFlags) request() (install.Request, error) {
	scope, err := parseScope(f.scope)
	if err != nil {
		return install.Request{}, err
	}
	for _, a := range f.agents {
		if err := install.CheckAgent(a); err != nil {
			return install.Request{}, usagef("--agent: %v", err)
		}
	}
	w, err := where()
	if err != nil {
		return install.Request{}, err
	}
	pol := install.Policy{
		RequireSigned: f.requireSigned, RequireTrust: f.requireTrusted,
		AcceptNewKey: f.acceptNewKey, AllowTampered: f.allowTampered,
	}
	if f.publicKey != "" {
		key, err := publicKeyArg(f.publicKey)
		if err != nil {
			return install.Request{}, &exitError{exitUsage, err}
		}
		pol.Given = []sign.PublicKey{key}
	}
	if pol.Known, err = knownKeys(); err != nil {
		return install.Request{}, &exitError{exitUsage, err}
	}
	return install.Request{Where: w, Pack: f.fromPath, Scope: scope, Agents: f.agents, Policy: pol, Now: time.Now()}, nil
}

// knownKeys returns the trusted keys and the one in the environment, which the
// user put there.
func knownKeys() ([]sign.PublicKey, error) {
	var keys []sign.PublicKey
	trusted, err := trustedKeys()
	if err != nil {
		return nil, err
	}
	for _, t := range trusted {
		keys = append(keys, t.Key)
	}
	if text := os.Getenv(envPublic); text != "" {
		key, err := sign.ParsePublic([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", envPublic, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func runInstall(cmd *cobra.Command, f *installFlags) error {
	req, err := f.request()
	if err != nil {
		return err
	}
	for _, msg := range movedConfig(req) {
		fmt.Fprintf(cmd.ErrOrStderr(), "Warning: %s\n", msg)
	}
	sum := newSummary()
	req.Approve = func(p *sign.Pack) error {
		if sum, err = lintPack(req.Pack); err != nil {
			return err
		}
		if err := sum.same(p); err != nil {
			return err
		}
		if err := sum.across(req.Where); err != nil {
			return err
		}
		if !f.json {
			sum.print(cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
		if len(sum.Blocking) > 0 && !f.allowFindings {
			return fmt.Errorf("not installed: the pack has %d credentials or security findings (--allow-findings installs it all the same)", len(sum.Blocking))
		}
		return nil
	}
	res, err := install.Install(req)
	if err != nil {
		err = linkAdvice(err)
		if f.json {
			_ = writeJSON(cmd.OutOrStdout(), map[string]any{"version": 1, "ok": false, "error": errorText(err), "lint": sum, "capabilities": sum.caps})
		}
		return err
	}
	if text := os.Getenv(envPublic); text != "" {
		key, err := sign.ParsePublic([]byte(text))
		switch {
		case f.publicKey != "":
			res.Warnings = append(res.Warnings, envPublic+" was not used: for an install the key of --public-key counts")
		case err == nil && res.Signature.Fingerprint != key.Fingerprint():
			res.Warnings = append(res.Warnings, "the pack is not signed with the key in "+envPublic+", which an install only trusts and does not demand; --public-key does")
		}
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), struct {
			Version int  `json:"version"`
			OK      bool `json:"ok"`
			*install.Result
			Lint         lintSummary        `json:"lint"`
			Capabilities capability.Summary `json:"capabilities"`
		}{1, true, res, sum, sum.caps})
	}
	printInstall(cmd.OutOrStdout(), cmd.ErrOrStderr(), res)
	return nil
}

// linkAdvice says which agent reads the file that a rules file leads to: CLAUDE.md is
// often a link to AGENTS.md.
func linkAdvice(err error) error {
	var link *fsx.LinkError
	if !errors.As(err, &link) {
		return err
	}
	target, readErr := os.Readlink(link.Path)
	agent := map[string]string{"AGENTS.md": "codex", "CLAUDE.md": "claude-code", ".windsurfrules": "windsurf"}[filepath.Base(target)]
	if readErr != nil || agent == "" {
		return err
	}
	return fmt.Errorf("%w; it leads to %s: --agent %s installs there", err, fsx.Printable(target), agent)
}

// movedConfig warns about agents that the environment sends to another folder
// than the one in the home folder, where amp writes.
func movedConfig(req install.Request) (warnings []string) {
	if req.Scope != install.User {
		return nil
	}
	for name, dir := range map[string]string{"CODEX_HOME": ".codex", "CLAUDE_CONFIG_DIR": ".claude"} {
		if v := os.Getenv(name); v != "" && filepath.Clean(v) != filepath.Join(req.Home, dir) {
			warnings = append(warnings, fmt.Sprintf("%s is set to %s, amp writes to ~/%s", name, fsx.Printable(v), dir))
		}
	}
	return warnings
}

func printInstall(w, stderr io.Writer, res *install.Result) {
	for _, msg := range res.Warnings {
		fmt.Fprintf(stderr, "Warning: %s\n", oneLine(msg))
	}
	var agents []string
	for _, s := range res.Sites {
		for _, h := range s.Hosts {
			if h.Action != "removed" {
				agents = append(agents, h.Agent)
			}
		}
	}
	fmt.Fprintf(w, "Agent: %s (%s)\n", strings.Join(agents, ", "), res.Chosen)
	changed := false
	for _, s := range res.Sites {
		changed = changed || s.Changed
		fmt.Fprintf(w, "Pack folder: %s (%d files, scope %s)\n", fsx.Printable(s.PackDir), res.Files, s.Scope)
		for _, h := range s.Hosts {
			fmt.Fprintf(w, "Rules file:  %s (%s)\n", fsx.Printable(h.File), h.Action)
		}
		if s.Backup != "" {
			fmt.Fprintf(w, "Your changes were kept in %s\n", fsx.Printable(s.Backup))
		}
	}
	fmt.Fprintf(w, "Signature:   %s\n", signatureText(res.Signature))
	if !changed {
		fmt.Fprintf(w, "%s is installed already, nothing changed.\n", res.Slug)
		return
	}
	fmt.Fprintf(w, "Installed %s.\n", res.Slug)
}

func signatureText(s install.Signature) string {
	text := map[string]string{
		"trusted": "valid, by a key you trust", "untrusted": "intact, by a key you do not trust",
		"unchecked": "not checked, there is no key to check with", "unsigned": "none", "tampered": "DOES NOT HOLD",
	}[s.Status]
	if text == "" {
		text = s.Status
	}
	if s.Fingerprint != "" {
		text += fmt.Sprintf(" (%s, %s payload)", s.Fingerprint, s.Scheme)
	}
	return text
}

func newUninstallCmd() *cobra.Command {
	var scopeName string
	cmd := &cobra.Command{
		Use:   "uninstall NAME",
		Short: "Remove an installed pack",
		Long: `Remove an installed pack: its blocks from every rules file, its folder and its
metadata. The rules files get back the bytes they had. Files in the pack's folder
that you changed or added are kept in .amp/.backups/. Each scope is undone by
itself; a pack for OpenClaw is always in scope user. Of the folders .amp, .amp/.meta
and .amp/.backups those that amp made go when they are empty; yours stay.`,
		Args: oneArg("pack name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			scope, err := parseScope(scopeName)
			if err != nil {
				return err
			}
			slug, err := install.SlugArg(args[0], scope)
			if err != nil {
				return usagef("%v", err)
			}
			w, err := where()
			if err != nil {
				return err
			}
			r, err := install.Uninstall(w, scope, slug, time.Now())
			if errors.Is(err, install.ErrNotInstalled) {
				fmt.Fprintf(cmd.OutOrStdout(), "%s is not installed (scope %s), nothing to do.\n", slug, scope)
				hintOtherScope(cmd.OutOrStdout(), w, scope, slug)
				hintAbove(cmd.OutOrStdout(), w, scope, slug)
				return nil
			}
			if err != nil {
				return err
			}
			for _, msg := range r.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "Warning: %s\n", oneLine(msg))
			}
			out := cmd.OutOrStdout()
			for _, h := range r.Hosts {
				fmt.Fprintf(out, "Rules file:  %s (block removed)\n", fsx.Printable(h.File))
			}
			if r.Backup != "" {
				fmt.Fprintf(out, "Your changes were kept in %s\n", fsx.Printable(r.Backup))
			}
			fmt.Fprintf(out, "Uninstalled %s.\n", slug)
			hintOtherScope(out, w, scope, slug)
			return nil
		},
	}
	scopeFlag(cmd, &scopeName)
	cmd.ValidArgsFunction = completeSlugs(&scopeName)
	return cmd
}

// hintOtherScope tells that a pack is in the other scope too, where installing for
// OpenClaw puts it whatever scope was asked for.
func hintOtherScope(out io.Writer, w install.Where, scope install.Scope, slug string) {
	other := install.User
	if scope == install.User {
		other = install.Project
	}
	if w.Home == "" && other == install.User {
		return
	}
	packs, _ := install.List(w, other) // only a hint
	for _, p := range packs {
		if p.Slug == slug {
			fmt.Fprintf(out, "It is installed in scope %s too: amp uninstall %s --scope %s\n", other, slug, other)
		}
	}
}

// hintAbove tells of a project above this folder that has the pack: a scope is one
// folder, and in a folder of the project there is nothing to remove.
func hintAbove(out io.Writer, w install.Where, scope install.Scope, slug string) {
	if scope != install.Project {
		return
	}
	if dir := projectAbove(w, slug); dir != "" {
		fmt.Fprintf(out, "It is installed in the project %s: run amp uninstall there.\n", fsx.Printable(dir))
	}
}

// projectAbove is the nearest folder above this one in which a pack is installed whose
// name matches, "" when there is none. The home folder is no project.
func projectAbove(w install.Where, name string) string {
	for dir := filepath.Dir(w.Dir); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		entries, _ := os.ReadDir(filepath.Join(dir, ".amp", ".meta"))
		for _, e := range entries {
			if ok, _ := filepath.Match(name+".json", e.Name()); ok && dir != w.Home {
				return dir
			}
		}
	}
	return ""
}

// completeSlugs completes the names of installed packs.
func completeSlugs(scopeName *string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var out []cobra.Completion
		w, err := where()
		if err == nil {
			packs, _ := install.List(w, install.Scope(*scopeName))
			for _, p := range packs {
				out = append(out, p.Slug)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}
