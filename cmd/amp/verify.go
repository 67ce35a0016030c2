package main

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// verdict is the outcome of checking one pack, also its JSON form.
type verdict struct {
	Version     int         `json:"version"`
	Path        string      `json:"path"`
	Pack        string      `json:"pack"`
	Status      string      `json:"status"` // valid, untrusted, invalid, unsigned, error
	Exit        int         `json:"exit"`
	Message     string      `json:"message"`
	Scheme      sign.Scheme `json:"scheme,omitempty"`
	Fingerprint string      `json:"fingerprint,omitempty"`
	KeySource   keySource   `json:"key_source,omitempty"`
	Label       string      `json:"label,omitempty"`
	Covered     int         `json:"covered"` // files that the payload covers
	Files       []fileSum   `json:"files"`
	Warnings    []string    `json:"warnings"`
	Changes     []string    `json:"changes"` // against the record of an installed pack
	// Lint is what --lint found, nil without it or when there was no pack to lint.
	Lint *lintVerdict `json:"lint,omitempty"`
}

// lintVerdict is what the linter says of a pack that was verified.
type lintVerdict struct {
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Infos    int           `json:"infos"`
	Findings []lintFinding `json:"findings"` // by path and line
	Omitted  int           `json:"omitted"`  // findings beyond the first 5,000
}

type fileSum struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func newVerifyCmd() *cobra.Command {
	var publicKey string
	var asJSON, lint bool
	cmd := &cobra.Command{
		Use:   "verify PACK",
		Short: "Check a pack's signature",
		Long: `Check a pack's signature, under the payload of the spec and then the one of the
npm CLI (jsonb).

The key is AMP_PUBLIC_KEY, else --public-key, else one of your trusted keys
(amp trust), else the signing.pub that the pack ships. A shipped key shows that
the pack is intact, not who made it.

--lint also judges the content, as a buyer: no comment or configuration of the
author counts, and every file is read. A signature says who made a pack, not that
it means well.

Exit codes: 0 valid under a key from outside the pack; 1 invalid, tampered or
unsigned, or --lint found errors; 2 usage, unreadable key or pack; 3 intact under
the shipped key, which you do not trust.`,
		Args: oneArg("pack folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			learn(cmd, args[0])
			v := verifyPack(args[0], publicKey)
			if lint {
				v.lint(args[0])
			}
			if asJSON {
				if err := writeJSON(cmd.OutOrStdout(), v); err != nil {
					return err
				}
			} else {
				v.print(cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			if v.Exit == 0 {
				return nil
			}
			return &exitError{code: v.Exit}
		},
	}
	cmd.Flags().StringVar(&publicKey, "public-key", "", "public key, a `file` or PEM text")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&lint, "lint", false, "judge the content as well; errors make it fail")
	return cmd
}

// lint judges the content of the pack that was verified, also of one whose
// signature does not hold: what is in it is known either way. Errors in it never
// make a worse code than 1 better.
func (v *verdict) lint(dir string) {
	if v.Status == "error" && v.Pack == "" {
		return // there is no pack to read
	}
	sum, err := lintPack(dir)
	if err != nil {
		v.set("error", exitUsage, "the content cannot be judged: %v", err)
		return
	}
	v.Lint = &lintVerdict{Errors: sum.Errors, Warnings: sum.Warnings, Infos: sum.Infos, Findings: sum.found, Omitted: sum.dropped}
	if v.Lint.Findings == nil {
		v.Lint.Findings = []lintFinding{}
	}
	slices.SortStableFunc(v.Lint.Findings, func(a, b lintFinding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), strings.Compare(a.Rule, b.Rule))
	})
	if sum.Errors > 0 && v.Exit != exitUsage {
		v.Exit = exitFailed
	}
}

// print shows the findings as amp-lint's concise format does.
func (l *lintVerdict) print(w io.Writer) {
	for _, f := range l.Findings {
		fmt.Fprintf(w, "%s:%d: %s [%s] %s\n", fsx.Printable(f.Path), f.Line, f.Severity, f.Rule, oneLine(f.Message))
	}
	if l.Omitted > 0 {
		fmt.Fprintf(w, "and %d more (see amp-lint --gate)\n", l.Omitted)
	}
	fmt.Fprintf(w, "Content: %d errors, %d warnings\n", l.Errors, l.Warnings)
}

// verifyPack runs the whole check of amp verify.
func verifyPack(dir, publicKey string) *verdict {
	v := &verdict{Version: 1, Path: credential.MaskText(dir), Files: []fileSum{}, Warnings: []string{}, Changes: []string{}}
	if err := v.check(dir, publicKey); err != nil {
		v.set("error", exitUsage, "%v", err)
	}
	return v
}

func (v *verdict) set(status string, exit int, format string, args ...any) {
	v.Status, v.Exit, v.Message = status, exit, oneLine(credential.MaskText(fmt.Sprintf(format, args...)))
}

func (v *verdict) check(dir, publicKey string) error {
	outside, source, err := outsideKey(publicKey)
	if err != nil {
		return err
	}
	p, err := sign.Open(dir)
	if err != nil {
		return err
	}
	defer p.Close()
	v.Pack = p.Name()
	if err := p.Hash(); err != nil {
		return err
	}
	v.Covered = len(p.Files)
	for _, f := range p.Files {
		v.Files = append(v.Files, fileSum{f.Path, f.Size, hex.EncodeToString(f.Sum[:])})
	}
	for _, n := range p.NameNotes() {
		v.Warnings = append(v.Warnings, n+"; signatures do not cover file names")
	}
	if n := p.RoleNote(); n != "" {
		v.Warnings = append(v.Warnings, n)
	}
	if err := v.compareInstalled(dir); err != nil {
		return err
	}
	if !p.Signed() {
		v.set("unsigned", exitFailed, "Pack '%s' is NOT signed.", fsx.Printable(v.Pack))
		return nil
	}
	if !outside.IsZero() {
		return v.under(p, outside, source)
	}
	return v.underKnown(p)
}

// compareInstalled reports what changed when the folder is an installed pack,
// whose files' names and hashes are on record.
func (v *verdict) compareInstalled(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil || filepath.Base(filepath.Dir(abs)) != ".amp" {
		return nil
	}
	changes, _, err := install.ChangesOf(filepath.Dir(filepath.Dir(abs)), filepath.Base(abs))
	for _, c := range changes {
		v.Changes = append(v.Changes, c.String())
	}
	return err
}

// under checks with the one key that the user gave.
func (v *verdict) under(p *sign.Pack, key sign.PublicKey, source keySource) error {
	v.Fingerprint, v.KeySource = key.Fingerprint(), source
	m, err := p.Verify(key)
	switch {
	case err != nil:
		v.set("invalid", exitFailed, "Signature INVALID: %v", err)
	case m != nil:
		v.Scheme = m.Scheme
		v.set("valid", 0, "Signature VALID")
	default:
		v.set("invalid", exitFailed, "Signature INVALID: neither the spec nor the jsonb payload matches the key %s; %s", v.Fingerprint, wrongKeyHint(p))
	}
	return nil
}

// wrongKeyHint tells a wrong key from a changed pack where the pack ships a key.
func wrongKeyHint(p *sign.Pack) string {
	if e := p.Uncovered(sign.JSONB); e != nil {
		return e.Error()
	}
	if key, err := p.Embedded(); err == nil && !key.IsZero() {
		if m, err := p.Verify(key); err == nil && m != nil {
			return "the pack is intact under the key it ships, " + key.Fingerprint() + ", so it is signed by somebody else"
		}
	}
	return "the pack was changed after signing or was signed with another key"
}

// underKnown checks with the trusted keys and then with the shipped one.
func (v *verdict) underKnown(p *sign.Pack) error {
	trusted, err := trustedKeys()
	if err != nil {
		return err
	}
	keys := make([]sign.PublicKey, len(trusted))
	for i, t := range trusted {
		keys[i] = t.Key
	}
	m, err := p.Verify(keys...)
	if err != nil {
		v.set("invalid", exitFailed, "Signature INVALID: %v", err)
		return nil
	}
	if m != nil {
		v.Fingerprint, v.KeySource, v.Scheme = m.Key.Fingerprint(), fromTrust, m.Scheme
		v.Label = labelOf(trusted, m.Key)
		v.set("valid", 0, "Signature VALID")
		return nil
	}
	shipped, err := p.Embedded()
	switch {
	case err != nil:
		return fmt.Errorf("%s in the pack: %w", sign.EmbeddedName, err)
	case shipped.IsZero() && len(keys) == 0:
		return fmt.Errorf("no public key to check with: the pack ships none, give --public-key or set %s", envPublic)
	case shipped.IsZero():
		return fmt.Errorf("none of the %d trusted keys made this signature and the pack ships no key, give --public-key", len(keys))
	}
	v.Fingerprint, v.KeySource = shipped.Fingerprint(), fromPack
	m, err = p.Verify(shipped)
	switch {
	case err != nil:
		v.set("invalid", exitFailed, "Signature INVALID: %v", err)
	case m == nil:
		v.set("invalid", exitFailed, "Signature INVALID: neither the spec nor the jsonb payload matches the key %s that the pack ships; the pack was changed after signing", v.Fingerprint)
	default:
		v.Scheme = m.Scheme
		v.set("untrusted", exitUntrusted, "Signature intact, but made with the key that the pack ships and that you do not trust; compare the fingerprint with the publisher's, then run amp trust add")
	}
	return nil
}

// trustedKeys reads the trust store; without a home folder there is none.
func trustedKeys() ([]sign.Trusted, error) {
	store, err := trustStore()
	if err != nil {
		return nil, nil
	}
	keys, err := store.List()
	if err != nil {
		return nil, fmt.Errorf("the trusted keys in %s: %w", fsx.Printable(store.Path()), err)
	}
	return keys, nil
}

func labelOf(trusted []sign.Trusted, key sign.PublicKey) string {
	for _, t := range trusted {
		if t.Key.Equal(key) {
			return t.Label
		}
	}
	return ""
}

func (v *verdict) print(stdout, stderr io.Writer) {
	for _, w := range v.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	for _, c := range v.Changes {
		fmt.Fprintf(stderr, "changed since install: %s\n", c)
	}
	if v.Lint != nil {
		defer v.Lint.print(stdout)
	}
	w := stdout
	if v.Status != "valid" && v.Status != "untrusted" {
		w = stderr
	}
	fmt.Fprintf(w, "%s%s\n", map[bool]string{true: "amp: "}[v.Status == "error"], v.Message)
	if v.Status == "error" {
		return
	}
	fmt.Fprintf(w, "  pack:    %s\n", fsx.Printable(v.Pack))
	if v.Scheme != "" {
		fmt.Fprintf(w, "  payload: %s\n", v.Scheme)
	}
	if v.Fingerprint != "" {
		fmt.Fprintf(w, "  key:     %s%s\n", v.Fingerprint, v.source())
	}
	fmt.Fprintf(w, "  covers:  manifest.json and %d files\n", v.Covered)
	const most = 50
	for i, f := range v.Files {
		if i == most {
			fmt.Fprintf(w, "    and %d more (--json lists all)\n", len(v.Files)-most)
			break
		}
		fmt.Fprintf(w, "    %s\n", fsx.Printable(f.Path))
	}
}

func (v *verdict) source() string {
	switch v.KeySource {
	case fromTrust:
		return " (trusted as " + fsx.Printable(v.Label) + ")"
	case fromPack:
		return " (shipped in the pack, not trusted)"
	case fromEnv:
		return " (" + envPublic + ")"
	case fromFlag:
		return " (--public-key)"
	}
	return ""
}
