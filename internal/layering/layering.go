// Package layering checks who may import what: docs/architecture.md states the
// rules, this analyzer enforces them.
package layering

import (
	"go/ast"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const module = "github.com/amp-toolchain/amp/"

// A rule forbids imports to the packages below a path of the module.
type rule struct {
	below  string   // "parser" covers parser and parser/...
	forbid []string // import paths; a trailing / covers everything below
	except []string // packages below that may
	why    string
}

var rules = []rule{
	{below: "", forbid: []string{"go.lsp.dev/"}, except: []string{"internal/lsp", "internal/lsptest", "cmd/amp-lsp"}, why: "only the wire layer knows the protocol library"},
	{below: "", forbid: []string{"regexp"}, except: []string{"internal/docgen", "internal/lsptest", "internal/testpack"}, why: "regular expressions are too slow for text that is read at every keystroke"},
	{below: "", forbid: []string{module + "internal/lsp"}, except: []string{"internal/lsp", "internal/lsptest", "cmd/amp-lsp"}, why: "nothing depends on the server but its command"},
	{below: "parser", forbid: []string{"os", "net", "net/", "time", "encoding/json", module + "pack", module + "analysis", module + "internal/"}, why: "the parser is a function of text"},
	{below: "analysis", forbid: []string{"os", "os/", "net", "net/", "time", "encoding/json", module + "sign", module + "install", module + "internal/session", module + "internal/ide", module + "internal/report"}, why: "rules are functions of a pack: no disk, no clock, no network"},
	{below: "internal/ide", forbid: []string{"os", "os/", "net", "net/", "time", "encoding/json"}, why: "features are functions of a snapshot"},
	{below: "pack", forbid: []string{module + "analysis", module + "sign", module + "install"}, why: "a pack is a value that others judge"},
	{below: "sign", forbid: []string{module + "analysis"}, why: "a signature says nothing about quality"},
	{below: "install", forbid: []string{module + "analysis"}, why: "the installer enforces gates; linting is its command's business"},
	{below: "capture", forbid: []string{"os", "os/", "net", "net/", "github.com/spf13/", module + "analysis/rules", module + "analysis/poison", module + "sign", module + "install"}, why: "distilling is a function of texts; whether the draft is good is for the linter to say"},
	{below: "unpack", forbid: []string{"net", "net/", "time", "github.com/spf13/", module + "analysis", module + "sign", module + "install"}, why: "filing a pack is independent of who judges it and who asks for it"},
	{below: "", forbid: []string{"net/http", "net/rpc"}, why: "no tool of this project uses the network"},
}

// Analyzer reports imports that the architecture forbids.
var Analyzer = &analysis.Analyzer{
	Name: "layering",
	Doc:  "report imports that docs/architecture.md forbids",
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	self, ok := strings.CutPrefix(strings.TrimSuffix(pass.Pkg.Path(), "_test")+"/", module)
	if !ok {
		return nil, nil
	}
	for _, f := range pass.Files {
		test := strings.HasSuffix(pass.Fset.File(f.Pos()).Name(), "_test.go")
		for _, r := range rules {
			if !test && within(self, r.below) && !anyWithin(self, r.except) {
				checkFile(pass, f, r)
			}
		}
	}
	return nil, nil
}

func checkFile(pass *analysis.Pass, f *ast.File, r rule) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		for _, bad := range r.forbid {
			if path == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(path, bad) || strings.HasPrefix(bad, module) && strings.HasPrefix(path, bad+"/") {
				pass.Reportf(spec.Pos(), "%s may not import %s: %s", pass.Pkg.Path(), path, r.why)
			}
		}
	}
}

func within(self, below string) bool { return below == "" || strings.HasPrefix(self, below+"/") }

func anyWithin(self string, list []string) bool {
	for _, l := range list {
		if within(self, l) {
			return true
		}
	}
	return false
}
