package sign

import (
	_ "github.com/amp-toolchain/amp/analysis" // want `may not import github.com/amp-toolchain/amp/analysis`
	_ "os"
)
