// Package unpack files what an installed pack knows into a wiki of Markdown
// pages: one page per capability file, a line in the index, and links from pages
// that are about the same thing (Part 12; docs/unpack.md). It plans first and
// writes later, and a second run without changes writes nothing.
//
// The pack is a stranger's text. Everything taken from it is escaped, so that the
// page shows its letters and none of them can become markup, a link, or one of
// the marks by which this package knows its own lines.
//
// The package knows neither commands nor rules: whether a pack may be filed is
// for the caller to judge.
package unpack
