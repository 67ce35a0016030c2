// Package packs writes AMP v0.4 packs of a chosen size for benchmarks. The text
// is put together from a grammar, so that it has the vocabulary, sentence
// lengths and block mix of real packs, repeats no primitive within a pack, and
// gives the linter nothing to report.
//
// The same seed always gives the same bytes.
package packs
