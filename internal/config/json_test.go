package config

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestJSONErrorsSpeakOfJSON(t *testing.T) {
	var doc struct {
		Version int               `json:"version"`
		List    []string          `json:"list"`
		Name    *string           `json:"name"`
		On      bool              `json:"on"`
		Map     map[string]string `json:"map"`
	}
	for src, want := range map[string]string{
		`[]`: "expected an object, got a list", `3`: "expected an object, got a number", `{"version": "x"}`: "version: expected a whole number, got a string",
		`{"list": {}}`: "list: expected a list, got an object", `{"name": true}`: "name: expected a string, got true or false", `{"on": []}`: "on: expected true or false, got a list",
		`{"map": []}`: "map: expected an object, got a list", `{`: "unexpected EOF", `{"version": 1.5}`: "whole number",
	} {
		err := JSONError(json.NewDecoder(strings.NewReader(src)).Decode(&doc))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
}
