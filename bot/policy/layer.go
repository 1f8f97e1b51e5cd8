package policy

import (
	"fmt"
	"maps"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/port"
)

// Origin is one of the sources of settings.
type Origin string

// The sources of settings, from the highest to the lowest.
const (
	Server       Origin = "server"
	Organisation Origin = "organisation"
	Repository   Origin = "repository"
)

// Layer is what one source says. The zero Layer says nothing. A Layer is not changed once it is made, so that it may be
// shared.
type Layer struct {
	// values are by the names of the settings; each has the type that the setting's row reads.
	values map[string]given
}

// given is the value that a layer gives to a setting.
type given struct {
	value any
	// line is the file's, from 1; 0 if it was no line of a file.
	line int
}

// Item is an item of a list in a file.
type Item struct {
	Text string
	Line int
}

// Has reports whether the layer gives a value to a setting.
func (l Layer) Has(name string) bool {
	_, ok := l.values[name]
	return ok
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

// Problem is something wrong in the settings.
type Problem struct {
	Source Origin
	// Line is 0 if it is about the whole file.
	Line int
	// Text says what is wrong and what to do. It is plain, and may quote the file: escape it.
	Text string
	// Closes reports that a restriction may have been lost by it: nothing is changed until it is resolved.
	Closes bool
}

// Mark is a place that a value comes from.
type Mark struct {
	Origin Origin
	Line   int
}

// SettingsFile is a file of settings, at a commit.
type SettingsFile struct {
	Repo port.RepoRef
	SHA  string
}
