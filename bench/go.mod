module github.com/amp-toolchain/amp/bench

go 1.26.0

require github.com/amp-toolchain/amp v0.0.0

require (
	github.com/goccy/go-yaml v1.19.2 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace github.com/amp-toolchain/amp => ../
