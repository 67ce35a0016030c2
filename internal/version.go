// Package internal holds what all commands of the project share.
package internal

// Version is the version of every command of this module. A constant, since
// neither build information nor linker flags reach a build by pre-commit.
const Version = "0.1.0"
