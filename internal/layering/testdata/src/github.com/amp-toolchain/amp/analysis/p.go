package analysis

import _ "github.com/amp-toolchain/amp/parser"
