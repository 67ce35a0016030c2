package parser

import (
	_ "os"      // want `may not import os`
	_ "regexp"  // want `may not import regexp`
	_ "strings"
	_ "time" // want `may not import time`
)
