// Package amp is the root of the AMP (Agent Memory Protocol) toolchain.
// The commands live under cmd/, the libraries in parser, pack, analysis, sign and install.
package amp
