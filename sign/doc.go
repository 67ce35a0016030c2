// Package sign signs AMP packs and checks their signatures (AMP v0.4 Part 6).
//
// The signed payload is defined by what JavaScript does with manifest.json:
// JSON.stringify of the parsed manifest without two members, then a SHA-256 per
// file in Array.prototype.sort order. The published npm CLI builds a second
// form, so there are two schemes; see Scheme and docs/signing.md.
//
// The package reads packs file by file with constant memory, never follows a
// link inside a pack and knows nothing about what primitives mean.
package sign
