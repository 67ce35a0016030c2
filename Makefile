.PHONY: build quick test test-editors fmt docs bench release

# Static: the C library is of no use to these programs, only its name look-up would
# be linked.
build:
	CGO_ENABLED=0 go build -o bin/ ./cmd/amp ./cmd/amp-lint ./cmd/amp-lsp

# Archives for Linux, macOS and Windows on amd64 and arm64, checksums and a bill of
# materials in dist/. The same commit gives the same bytes.
release:
	go run ./internal/release -out dist

# What to run while working: formatting, vet, staticcheck, all Go tests.
quick:
	bash scripts/test.sh quick

# Everything: the quick suite, then races, fuzzing, crashes, real editors, benchmarks.
test:
	bash scripts/test.sh

# The extensions in the real editors alone; part of `test`.
test-editors:
	bash scripts/slow/40-editors.sh

fmt:
	go tool gofumpt -w $$(git ls-files '*.go' | grep -v /testdata/)

docs:
	go test ./internal/docgen -update

bench:
	bash scripts/bench.sh
