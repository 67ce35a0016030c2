package ide

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

var jsonEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// quote writes a file name as a JSON string; plain names hold no control
// characters.
func quote(s string) string { return `"` + jsonEscapes.Replace(s) + `"` }
