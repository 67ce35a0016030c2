package config

import (
	"encoding/json"

	"github.com/amp-toolchain/amp/analysis"
)

type object = map[string]any

// Schema is the JSON Schema (draft 7, which every YAML extension of an editor
// knows) of a configuration for the rules of a registry.
func Schema(reg *analysis.Registry) ([]byte, error) {
	rules := object{}
	for _, r := range reg.Rules {
		// Draft 7 ignores whatever stands beside a bare $ref.
		def := object{"allOf": []any{object{"$ref": "#/definitions/level"}}, "description": r.Summary}
		if r.Slug == CredentialRule {
			def = object{"enum": []string{"on", "error"}, "description": r.Summary + "; it cannot be lowered, see `credentials`"}
		}
		rules[r.Slug] = def
	}
	list := func(items any, more object) object {
		o := object{"type": "array", "items": items}
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	ref := func(name string) object { return object{"$ref": "#/definitions/" + name} }
	s := object{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "amp-lint configuration",
		"description":          ".amp-lint.yaml: which rules hold for which files of AMP packs",
		"type":                 "object",
		"additionalProperties": false,
		"properties": object{
			"extends": object{
				"description": "Configurations to start from, by their paths relative to this file.",
				"anyOf":       []any{ref("path"), list(ref("path"), nil)},
			},
			"rules": ref("rules"),
			"overrides": list(object{
				"type": "object", "additionalProperties": false, "required": []string{"paths", "rules"},
				"properties": object{"paths": list(ref("glob"), object{"minItems": 1}), "rules": ref("rules")},
			}, object{"description": "Other levels for some files; later ones win."}),
			"ignore":          list(ref("glob"), object{"description": "Files and folders that are not linted."}),
			"gitignore":       object{"type": "boolean", "default": true, "description": "Whether folders that git ignores are left out."},
			"fail-on":         object{"enum": FailLevels, "default": "error", "description": "From which severity on a run fails."},
			"max-warnings":    object{"type": "integer", "minimum": 0, "description": "How many warnings a run may have before it fails."},
			"baseline":        object{"allOf": []any{ref("path")}, "description": "A file with known findings, relative to this file."},
			"inline-suppress": object{"type": "boolean", "default": true, "description": "Whether comments in the frontmatter silence findings."},
			"credentials": object{
				"description": "Credentials that may ship, each by its fingerprint (amp-lint fingerprint).",
				"type":        "object", "additionalProperties": false,
				"properties": object{
					"salt":  object{"type": "string", "minLength": MinSalt, "description": "Belongs to the repository: the same value has another fingerprint elsewhere."},
					"allow": list(ref("allowed"), nil),
				},
				"if":   object{"properties": object{"allow": object{"minItems": 1}}, "required": []string{"allow"}},
				"then": object{"required": []string{"salt"}},
			},
		},
		"definitions": object{
			"level": object{"enum": levels},
			"rules": object{"type": "object", "additionalProperties": false, "properties": rules, "description": "The level of rules."},
			"glob": object{
				"type": "string", "minLength": 1, "description": "A path relative to the folder of this file, with *, ** and {a,b}.",
				"not": object{"pattern": `^[/!]|\\|(^|/)\.\.(/|$)`},
			},
			"path": object{
				"type": "string", "minLength": 1, "description": "A path relative to the folder of this file.",
				"not": object{"pattern": `^[/~]|^.:|\\|://|/$`},
			},
			"allowed": object{
				"type": "object", "additionalProperties": false, "required": []string{"fingerprint", "reason"},
				"properties": object{
					"fingerprint": object{"type": "string", "pattern": "^amp1:[0-9a-f]{32}$"},
					"reason":      object{"type": "string", "pattern": `\S`, "description": "Why the value may ship."},
					"level":       object{"enum": []string{"off", "info", "warning"}, "default": "off"},
				},
			},
		},
	}
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}
