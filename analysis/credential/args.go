package credential

import "strings"

// PrivateKeyIn reports whether the arguments of a command line hold a private key's
// text, whole or in words, as a shell splits what is not quoted. Other users of the
// machine can read arguments, and error messages quote them.
func PrivateKeyIn(args []string) bool {
	all := strings.Join(args, " ")
	return strings.Contains(all, "PRIVATE KEY-----") ||
		strings.Contains(all, "MC4CAQAwBQYDK2VwBCIE") // an Ed25519 key in PKCS8, in base64, without its header
}
