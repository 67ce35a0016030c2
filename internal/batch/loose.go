package batch

import "github.com/amp-toolchain/amp/parser"

// parseLoose reads a file that lies in no pack: nothing says it is v0.3.
func parseLoose(src string) *parser.Tree { return parser.Parse(src, parser.V04) }
