// Package examples holds packs to read and to try the tools on. The package has
// no code: its tests keep the packs as the README describes them.
package examples
