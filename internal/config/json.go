package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// JSONError is what encoding/json says of a document, in words of JSON instead of Go.
func JSONError(err error) error {
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		where := ""
		if te.Field != "" {
			where = te.Field + ": "
		}
		want := "a value of another kind"
		switch te.Type.Kind().String() {
		case "struct", "map":
			want = "an object"
		case "slice":
			want = "a list"
		case "string":
			want = "a string"
		case "int", "int64":
			want = "a whole number"
		case "bool":
			want = "true or false"
		}
		got := te.Value
		switch {
		case got == "array":
			got = "a list"
		case got == "object":
			got = "an object"
		case got == "bool":
			got = "true or false"
		case got == "string" || got == "number":
			got = "a " + got
		}
		return fmt.Errorf("%sexpected %s, got %s", where, want, got)
	}
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
