package main

import (
	"cmp"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/internal"
)

// The part of CycloneDX 1.5 (cyclonedx.org) that says what a program is made of.
type bom struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Serial     string      `json:"serialNumber"`
	Revision   int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"` // hexadecimal
}

// materials lists the modules that the built programs hold, as they say
// themselves, with the hash of each that go.sum pins (of the module's files, h1).
func materials(out string, programs []string, when time.Time) error {
	found := map[string]component{}
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p)
		if err != nil {
			return err
		}
		std := module("std", strings.TrimPrefix(info.GoVersion, "go"))
		found[std.Ref] = std
		for _, d := range info.Deps {
			if d.Replace != nil {
				d = d.Replace
			}
			c := module(d.Path, d.Version)
			sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(d.Sum, "h1:"))
			if err != nil || len(sum) != sha256.Size {
				return fmt.Errorf("%s: %s has no checksum", p, d.Path)
			}
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}}
			found[c.Ref] = c
		}
	}
	b := bom{
		Format: "CycloneDX", Version: "1.5", Revision: 1,
		Metadata: metadata{when.Format(time.RFC3339), module("github.com/amp-toolchain/amp", "v"+internal.Version)},
		Components: slices.SortedFunc(maps.Values(found), func(a, b component) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
		}),
	}
	b.Metadata.Component.Type = "application"
	// A number that names this very list, not a random one: it must come out again.
	list, err := json.Marshal(b)
	if err != nil {
		return err
	}
	id := sha256.Sum256(list)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // RFC 9562, version 8
	b.Serial = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o644)
}

func module(path, version string) component {
	purl := "pkg:golang/" + path + "@" + version
	return component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl}
}
