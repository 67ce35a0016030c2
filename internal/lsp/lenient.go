package lsp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// lenient are the options for reading what clients send: what the protocol
// library accepts too.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// decodeInitialize reads initialize's params. A client that gets one capability
// wrong must not be left without a server, so members that do not decode are
// taken as absent. Params that are no object at all are refused.
func decodeInitialize(params []byte) (*protocol.InitializeParams, error) {
	var p protocol.InitializeParams
	err := decode(params, &p)
	if err == nil {
		return &p, nil
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(params, &members, lenient) != nil {
		return nil, err
	}
	for name, value := range members {
		if name == "capabilities" {
			value = pruneCapabilities(value)
			members[name] = value
		}
		if !decodes(object(name, value)) {
			delete(members, name)
		}
	}
	raw, merr := json.Marshal(members, lenient)
	if merr != nil {
		return nil, err
	}
	p = protocol.InitializeParams{}
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// pruneCapabilities drops each feature (capabilities.group.feature) that does
// not decode.
func pruneCapabilities(value jsontext.Value) jsontext.Value {
	var groups map[string]jsontext.Value
	if json.Unmarshal(value, &groups, lenient) != nil {
		return jsontext.Value("{}")
	}
	for group, features := range groups {
		var members map[string]jsontext.Value
		if json.Unmarshal(features, &members, lenient) != nil {
			delete(groups, group)
			continue
		}
		for name, value := range members {
			if !decodes(object("capabilities", object(group, object(name, value)))) {
				delete(members, name)
			}
		}
		groups[group], _ = json.Marshal(members, lenient)
	}
	raw, err := json.Marshal(groups, lenient)
	if err != nil {
		return jsontext.Value("{}")
	}
	return raw
}

func decodes(params jsontext.Value) bool {
	var p protocol.InitializeParams
	return protocol.Unmarshal(params, &p) == nil
}

func object(name string, value jsontext.Value) jsontext.Value {
	raw, err := json.Marshal(map[string]jsontext.Value{name: value}, lenient)
	if err != nil {
		return jsontext.Value("null")
	}
	return raw
}
