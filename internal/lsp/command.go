package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/ide"
	"github.com/amp-toolchain/amp/internal/session"
)

// The commands; see docs/lsp-extensions.md.
const (
	commandUpdateCounts = "amp.updateCounts"
	commandVerify       = "amp.verify"
	commandSign         = "amp.sign"
	commandCapabilities = "amp.showCapabilities"
	commandShowReport   = "amp.showReport" // offered to clients that read virtual documents
)

var commands = []string{commandUpdateCounts, commandVerify, commandSign, commandCapabilities}

// commandArgument is the one argument of every command.
type commandArgument struct {
	URI       string `json:"uri"`
	Confirmed bool   `json:"confirmed,omitzero"`
	Key       string `json:"key,omitzero"`
	Show      bool   `json:"show,omitzero"`
	Report    string `json:"report,omitzero"`
}

// signatureResult is the result of verify and sign.
type signatureResult struct {
	Applied     *bool  `json:"applied,omitzero"`
	Signature   string `json:"signature"`
	Fingerprint string `json:"fingerprint,omitzero"`
	Message     string `json:"message"`
}

func executeCommand(ctx context.Context, r *request, p *protocol.ExecuteCommandParams) (any, error) {
	var arg commandArgument
	if len(p.Arguments) > 0 {
		if err := json.Unmarshal(p.Arguments[0], &arg, lenient); err != nil {
			return nil, invalidParams("%s takes one object", logName(p.Command))
		}
	}
	switch p.Command {
	case commandUpdateCounts, commandVerify, commandSign, commandCapabilities, commandShowReport:
	default:
		return nil, invalidParams("there is no command %q", logName(p.Command))
	}
	if p.Command == commandSign && !r.client.signing {
		return nil, failed("signing is switched off here")
	}
	v, err := r.packOf(ctx, arg.URI)
	if err != nil {
		return nil, err
	}
	switch p.Command {
	case commandUpdateCounts:
		applied, err := r.applyEdits(ctx, "Update the counts", v, ide.UpdateCounts(v))
		if err != nil {
			return nil, err
		}
		return &struct {
			Applied bool `json:"applied"`
		}{applied}, nil
	case commandVerify:
		done := r.progress(ctx, p.WorkDoneToken, "Verifying the signature")
		defer done()
		return r.verifyPack(v), nil
	case commandCapabilities:
		return r.showCapabilities(v, arg.Show)
	case commandShowReport:
		return r.showReport(ctx, v, arg.Report)
	default:
		return r.signPack(ctx, p.WorkDoneToken, v, &arg)
	}
}

// maxShownAsks is how many acts a message box lists.
const maxShownAsks = 40

// showCapabilities answers with the summary of a pack (see package capability).
// With show it also tells the user, for clients that do nothing with the result
// of a command.
func (r *request) showCapabilities(v *session.View, show bool) (any, error) {
	asks := v.Capabilities()
	if show {
		var b strings.Builder
		fmt.Fprintf(&b, "%s asks the agent to: %s\n", asks.Name(), asks.Counts.Headline())
		if err := asks.Text(&b, "", maxShownAsks); err != nil {
			return nil, err
		}
		r.notifyClient("window/showMessage", &protocol.ShowMessageParams{Type: protocol.MessageTypeInfo, Message: strings.TrimSpace(b.String())})
	}
	doc := capability.NewDocument(asks)
	return &doc, nil
}

// packOf returns the pack that a command's uri names: its folder, or a file of it.
func (r *request) packOf(ctx context.Context, spelled string) (*session.View, error) {
	if spelled == "" {
		return nil, invalidParams("the argument has no uri")
	}
	id := identify(strings.TrimSuffix(spelled, "/"))
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	if v := r.snap.View(r.snap.Doc(id.Key)); v != nil {
		return v, nil
	}
	if id.Path != "" {
		if v, _ := r.snap.File(id.Path); v != nil {
			return v, nil
		}
		// The pack may just have been found.
		if err := r.settleAll(ctx); err != nil {
			return nil, err
		}
		if v, _ := r.snap.File(id.Path); v != nil {
			return v, nil
		}
	}
	return nil, failed("%s is not part of a pack that is open", spelled)
}

// applyEdits asks the client to apply edits.
func (r *request) applyEdits(ctx context.Context, label string, v *session.View, edits []analysis.FileEdit) (bool, error) {
	if len(edits) == 0 {
		return true, nil
	}
	if !r.client.applyEdit {
		return false, failed("this editor does not let a language server change files")
	}
	edit, reason := r.workspaceEdit(&ide.File{Snap: r.snap, View: v}, edits)
	if reason != "" {
		return false, failed("%s", reason)
	}
	params := protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *edit}
	if r.client.editMetadata {
		params.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: new(false)}
	}
	var result protocol.ApplyWorkspaceEditResult
	r.limit.release() // the client may ask us something before it answers
	err := r.callClient(ctx, "workspace/applyEdit", &params, &result)
	if aerr := r.limit.acquire(context.WithoutCancel(ctx)); aerr != nil {
		return false, aerr
	}
	if err != nil {
		return false, err
	}
	if !result.Applied && result.FailureReason != nil {
		return false, failed("the editor refused: %s", *result.FailureReason)
	}
	return result.Applied, nil
}
