package lsp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
	"github.com/amp-toolchain/amp/sign"
)

// ampHome is the user's folder for keys and trust, "" when there is no home.
func ampHome() string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".amp")
}

// checkSignature checks the signature of the pack in a folder with the key in
// the pack and the keys that the user trusts. It changes nothing.
func checkSignature(root string) session.Signature {
	invalid := func(reason string) session.Signature {
		return session.Signature{State: pack.SignatureUnknown, Word: session.Invalid, Message: "The signature cannot be checked: " + reason + "."}
	}
	p, err := sign.Open(root)
	if err != nil {
		return invalid(err.Error())
	}
	defer p.Close()
	if !p.Signed() {
		return session.Signature{State: pack.SignatureNone, Word: session.Unsigned, Message: "The pack is not signed."}
	}
	if _, err := p.Signature(); err != nil {
		return invalid(err.Error())
	}
	if err := p.Hash(); err != nil {
		return invalid(err.Error())
	}
	trusted := trustedKeys()
	if m, _ := p.Verify(trusted...); m != nil {
		return session.Signature{
			State: pack.SignatureIntact, Word: session.Valid, Fingerprint: m.Key.Fingerprint(),
			Message: "The pack is intact, and its key is one that you trust.",
		}
	}
	own, err := p.Embedded()
	switch {
	case err != nil:
		return invalid("the key in " + sign.EmbeddedName + " cannot be read")
	case own.IsZero() && len(trusted) == 0:
		return invalid("the pack ships no key, and you trust none")
	}
	if !own.IsZero() {
		if m, _ := p.Verify(own); m != nil {
			return session.Signature{
				State: pack.SignatureIntact, Word: session.IntactUntrusted, Fingerprint: own.Fingerprint(),
				Message: "The pack is intact under the key that it ships, which is not among those you trust.",
			}
		}
		return session.Signature{
			State: pack.SignatureStale, Word: session.Stale, Fingerprint: own.Fingerprint(),
			Message: "The pack has changed since it was signed.",
		}
	}
	return session.Signature{State: pack.SignatureUnknown, Word: session.Invalid, Message: "The signature holds under none of the keys that you trust, and the pack ships none."}
}

func trustedKeys() []sign.PublicKey {
	home := ampHome()
	if home == "" {
		return nil
	}
	list, err := sign.NewTrustStore(home).List()
	if err != nil {
		return nil // a store that cannot be read vouches for nobody
	}
	var keys []sign.PublicKey
	for _, t := range list {
		keys = append(keys, t.Key)
	}
	return keys
}

// verifyPack checks the pack on disk now; unsaved buffers make it stale.
func (r *request) verifyPack(v *session.View) *signatureResult {
	sig := checkSignature(v.Root)
	if shown := v.Signature(); sig.State == pack.SignatureIntact && shown.Word == session.Stale {
		sig = shown
	}
	return &signatureResult{Signature: sig.Word, Fingerprint: sig.Fingerprint, Message: sig.Message}
}

// signPack signs a pack through an edit of the client. It asks first, unless the
// client has.
func (r *request) signPack(ctx context.Context, token protocol.ProgressToken, v *session.View, arg *commandArgument) (*signatureResult, error) {
	if name := unsaved(r.snap, v); name != "" {
		return nil, failed("%s has unsaved changes: a signature covers what is on disk, so save it first", name)
	}
	key, err := signingKey(arg.Key)
	if err != nil {
		return nil, failed("%s", err.Error())
	}
	if !arg.Confirmed {
		ok, err := r.confirm(ctx, fmt.Sprintf("Sign the pack %q with the key %s?", v.Pack.Name(), key.Public().Fingerprint()), "Sign")
		if err != nil {
			return nil, err
		}
		if !ok {
			return &signatureResult{Applied: new(false), Signature: v.Signature().Word, Message: "The pack was not signed."}, nil
		}
	}
	done := r.progress(ctx, token, "Signing the pack")
	defer done()
	files, _, err := sign.Plan(v.Root, key, sign.Options{Scheme: sign.Spec})
	if err != nil {
		return nil, failed("the pack cannot be signed: %s", err.Error())
	}
	var edits []analysis.FileEdit
	for _, f := range files {
		if f.New {
			edits = append(edits, analysis.FileEdit{Path: f.Name, New: string(f.Data), Create: true})
			continue
		}
		old := v.Pack.File(f.Name)
		if old == nil {
			return nil, failed("%s has changed meanwhile", f.Name)
		}
		e := text.Diff(old.Text, string(f.Data))
		if e.Len() > 0 || e.New != "" {
			edits = append(edits, analysis.FileEdit{Path: f.Name, Span: e.Span, New: e.New})
		}
	}
	applied, err := r.applyEdits(ctx, "Sign the pack", v, edits)
	if err != nil {
		return nil, err
	}
	out := &signatureResult{Applied: &applied, Signature: v.Signature().Word, Message: "The editor did not apply the signature."}
	if applied {
		out.Fingerprint = key.Public().Fingerprint()
		out.Signature = session.IntactUntrusted
		for _, t := range trustedKeys() {
			if t.Equal(key.Public()) {
				out.Signature = session.Valid
			}
		}
		out.Message = "The pack is signed. Save " + pack.ManifestName + " to keep it."
	}
	return out, nil
}

// unsaved returns a file of the pack whose buffer differs from the disk, or "".
func unsaved(snap *session.Snapshot, v *session.View) string {
	for _, d := range snap.Docs() {
		if snap.View(d) != v {
			continue
		}
		data, err := os.ReadFile(v.Path(d.Rel()))
		if err != nil || string(data) != d.Tree.String() {
			return d.Rel()
		}
	}
	return ""
}

// signingKey reads the private key: the file named, else AMP_PRIVATE_KEY, else
// the default key. Its errors never hold key material.
func signingKey(path string) (sign.PrivateKey, error) {
	if path == "" {
		if pem := os.Getenv("AMP_PRIVATE_KEY"); pem != "" {
			key, err := sign.ParsePrivate([]byte(pem))
			if err != nil {
				return key, fmt.Errorf("AMP_PRIVATE_KEY is no signing key: %w", err)
			}
			return key, nil
		}
		home := ampHome()
		if home == "" {
			return sign.PrivateKey{}, errors.New("there is no home folder to look for a key in")
		}
		path = filepath.Join(home, "keys", "signing.key")
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	data, err := sign.ReadKeyFile(path)
	if err != nil {
		return sign.PrivateKey{}, fmt.Errorf("there is no signing key: %w; `amp keygen` makes one", err)
	}
	key, err := sign.ParsePrivate(data)
	if err != nil {
		return key, fmt.Errorf("%s is no signing key: %w", path, err)
	}
	return key, nil
}

// confirm asks the user a question with one way to say yes.
func (r *request) confirm(ctx context.Context, question, yes string) (bool, error) {
	params := protocol.ShowMessageRequestParams{
		Type: protocol.MessageTypeWarning, Message: question,
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Cancel"}},
	}
	var answer *protocol.MessageActionItem
	r.limit.release() // a person may take long
	err := r.callClient(ctx, "window/showMessageRequest", &params, &answer)
	if aerr := r.limit.acquire(context.WithoutCancel(ctx)); aerr != nil {
		return false, aerr
	}
	if err != nil {
		return false, err
	}
	return answer != nil && answer.Title == yes, nil
}
