package policy

import (
	"fmt"
	"maps"

	"go.yaml.in/yaml/v3"
)

// DefaultPolicy returns the policy of a repository where nothing is configured. Its bounds are the highest there are.
func DefaultPolicy() Policy {
	var p Policy
	for _, s := range settings {
		s.value.reset(&p)
	}
	return p
}

// ServerPolicy returns the policy of a server's repositories that configure nothing themselves.
func ServerPolicy(l Layer) Policy { return DefaultPolicy().Under(Server, l) }

// Under returns the policy with one more layer below it. What the layer may not do becomes a problem, and nothing
// else.
func (p Policy) Under(from Origin, l Layer) Policy {
	p.Marks = maps.Clone(p.Marks)
	if p.Marks == nil {
		p.Marks = map[string][]Mark{}
	}
	for _, s := range settings {
		if given, ok := l.values[s.name]; ok {
			s.value.merge(&merger{policy: &p, from: from, name: s.name, line: given.line}, given.value)
		}
	}
	return p
}

// With returns the layer with the value of a setting that stands outside of a file, as text. The error is what is wrong
// with the text, to be read behind the setting's name.
func (l Layer) With(name, text string) (Layer, error) {
	s, ok := settingNamed(name)
	if !ok {
		return l, fmt.Errorf("there is no setting %s", name)
	}
	value, err := s.value.read(&parser{}, name, &yaml.Node{Kind: yaml.ScalarNode, Value: text})
	if err != nil {
		return l, err
	}
	values := maps.Clone(l.values)
	if values == nil {
		values = map[string]given{}
	}
	values[name] = given{value: value}
	return Layer{values}, nil
}

// ModelNames returns the names of models that the layer mentions, for whoever knows which models there are.
func (l Layer) ModelNames() []Item {
	names, _ := l.values[settingModels].value.([]Item)
	for _, setting := range []string{settingModel, settingChoose} {
		if model := l.values[setting]; model.value != nil {
			names = append(names[:len(names):len(names)], Item{model.value.(string), model.line})
		}
	}
	return names
}
