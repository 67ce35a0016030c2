// Package sentence judges the one-line content of a primitive by the sentence
// rules of AMP v0.4 (spec Part 3 and the validation rules of Part 5, as settled
// by R-a, R-b and R-c in docs/spec-notes.md).
//
// All functions are pure, allocate nothing and run in one pass over their
// argument. Offsets are bytes into the argument. Input need not be valid UTF-8:
// a stray byte is taken as punctuation.
package sentence
