package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/ide"
)

func completion(ctx context.Context, r *request, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return list, err
	}
	c := r.conv(f.Tree)
	for i, it := range ide.Complete(f, c.offset(p.Position)) {
		list.Items = append(list.Items, r.completionItem(c, i, &it))
	}
	r.shareDefaults(list)
	return list, nil
}

// shareDefaults says once what most items have in common, where the client takes
// that (LSP 3.17): a list of values repeats the same range for each.
func (r *request) shareDefaults(list *protocol.CompletionList) {
	if len(list.Items) < 2 {
		return
	}
	defaults := protocol.CompletionItemDefaults{}
	if r.client.editRange {
		counts := map[protocol.EditRangeWithInsertReplace]int{}
		var most protocol.EditRangeWithInsertReplace
		for i := range list.Items {
			rng, _ := editRange(&list.Items[i])
			if counts[rng]++; counts[rng] > counts[most] {
				most = rng
			}
		}
		defaults.EditRange = &protocol.EditRangeWithInsertReplace{Insert: most.Insert, Replace: most.Replace}
		if most.Insert == most.Replace {
			defaults.EditRange = &most.Replace
		}
		for i := range list.Items {
			it := &list.Items[i]
			rng, text := editRange(it)
			if rng != most {
				continue
			}
			it.TextEdit = nil
			if text != it.Label {
				it.TextEditText = protocol.NewOptional(text)
			}
		}
	}
	if r.client.insertFormat {
		snippets := 0
		for i := range list.Items {
			if list.Items[i].InsertTextFormat == protocol.InsertTextFormatSnippet {
				snippets++
			}
		}
		if 2*snippets > len(list.Items) {
			defaults.InsertTextFormat = protocol.InsertTextFormatSnippet
			for i := range list.Items {
				if it := &list.Items[i]; it.InsertTextFormat == protocol.InsertTextFormatSnippet {
					it.InsertTextFormat = 0
				} else {
					it.InsertTextFormat = protocol.InsertTextFormatPlainText
				}
			}
		}
	}
	if defaults.EditRange != nil || defaults.InsertTextFormat != 0 {
		list.ItemDefaults = &defaults
	}
}

// editRange is what an item replaces, and by what.
func editRange(it *protocol.CompletionItem) (protocol.EditRangeWithInsertReplace, string) {
	switch e := it.TextEdit.(type) {
	case *protocol.InsertReplaceEdit:
		return protocol.EditRangeWithInsertReplace{Insert: e.Insert, Replace: e.Replace}, e.NewText
	case *protocol.TextEdit:
		return protocol.EditRangeWithInsertReplace{Insert: e.Range, Replace: e.Range}, e.NewText
	default:
		return protocol.EditRangeWithInsertReplace{}, ""
	}
}

func (r *request) completionItem(c converter, i int, it *ide.Item) protocol.CompletionItem {
	item := protocol.CompletionItem{
		Label: it.Label, Kind: completionKind(it.Kind),
		SortText: protocol.NewOptional(fmt.Sprintf("%04d", i)),
	}
	if it.Detail != "" {
		item.Detail = protocol.NewOptional(it.Detail)
	}
	if it.Doc != "" {
		item.Documentation = r.markup(it.Doc, r.client.completionMarkdown)
	}
	if it.Preselect && r.client.preselect {
		item.Preselect = protocol.NewOptional(true)
	}
	src := it.Text
	if it.Snippet {
		if r.client.snippets {
			item.InsertTextFormat = protocol.InsertTextFormatSnippet
		} else {
			src = withoutPlaceholders(src)
		}
	}
	insert, replace := c.rng(it.Insert), c.rng(it.Replace)
	if r.client.insertReplace && insert != replace {
		item.TextEdit = &protocol.InsertReplaceEdit{NewText: src, Insert: insert, Replace: replace}
	} else {
		item.TextEdit = &protocol.TextEdit{Range: replace, NewText: src}
	}
	// Clients filter by the text in front of the cursor, which is what the edit
	// replaces: a label such as `"name"` would not match what has been typed.
	if typed := c.tree.Slice(it.Insert); typed != "" && !strings.HasPrefix(it.Label, typed[:1]) {
		item.FilterText = protocol.NewOptional(typed[:1] + it.Label)
	}
	return item
}

// withoutPlaceholders turns a snippet into plain text: placeholders become what
// they say, choices their first value.
func withoutPlaceholders(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case strings.HasPrefix(s[i:], "${"):
			end := i + 2
			for end < len(s) && s[end] != '}' {
				if s[end] == '\\' {
					end++
				}
				end++
			}
			body := s[i+2 : min(end, len(s))]
			if _, choices, ok := strings.Cut(body, "|"); ok {
				first, _, _ := strings.Cut(strings.TrimSuffix(choices, "|"), ",")
				b.WriteString(first)
			} else if _, text, ok := strings.Cut(body, ":"); ok {
				b.WriteString(strings.ReplaceAll(text, `\`, ""))
			}
			i = end
		case s[i] == '$' && i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '9':
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func completionKind(k ide.ItemKind) protocol.CompletionItemKind {
	switch k {
	case ide.ItemType:
		return protocol.CompletionItemKindClass
	case ide.ItemValue:
		return protocol.CompletionItemKindEnumMember
	case ide.ItemLabel, ide.ItemSource:
		return protocol.CompletionItemKindReference
	case ide.ItemKey:
		return protocol.CompletionItemKindProperty
	case ide.ItemFile:
		return protocol.CompletionItemKindFile
	default:
		return protocol.CompletionItemKindSnippet
	}
}

func signatureHelp(ctx context.Context, r *request, p *protocol.SignatureHelpParams) (*protocol.SignatureHelp, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	sig, ok := ide.SignatureAt(f, r.conv(f.Tree).offset(p.Position))
	if !ok {
		return nil, nil
	}
	info := protocol.SignatureInformation{Label: sig.Label, Documentation: r.markup(sig.Doc, r.client.signatureMarkdown)}
	for _, param := range sig.Parameters {
		info.Parameters = append(info.Parameters, protocol.ParameterInformation{
			Label:         r.parameterLabel(sig.Label, param),
			Documentation: r.markup(param.Doc, r.client.signatureMarkdown),
		})
	}
	help := &protocol.SignatureHelp{Signatures: []protocol.SignatureInformation{info}, ActiveSignature: new(uint32(0))}
	active := uint32(len(sig.Parameters)) // past the last one: none is highlighted
	if sig.Active >= 0 {
		active = uint32(sig.Active)
	}
	help.ActiveParameter = protocol.NewNullable(active)
	return help, nil
}

// parameterLabel names a part of the label: by offsets (UTF-16, always, and the
// label is ASCII) where the client takes them, else by its text.
func (r *request) parameterLabel(label string, p ide.Parameter) protocol.ParameterInformationLabel {
	if r.client.labelOffsets {
		return protocol.ParameterInformationLabelTuple{uint32(p.Start), uint32(p.End)}
	}
	return protocol.String(label[p.Start:p.End])
}
