// Package capture distils notes into a draft pack (Parts 9, 10 and 12; see
// docs/capture.md): it cuts a folder of Markdown into units, drops narration and
// duplicates, rejects credentials, classifies what already has the sentence of its
// type, routes, and writes the pack's files.
//
// It decides only what a rule decides. Whatever needs judgement is handed back as
// ambiguous, in the form in which a judged unit can be handed in again. The same
// input gives the same bytes.
//
// The package reads an fs.FS and returns texts; it knows no disk, clock or command.
package capture
