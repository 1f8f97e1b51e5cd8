package policy

import "github.com/tenon-bot/tenon/bot/port"

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

// Instruction is a text for the model.
type Instruction struct {
	Origin Origin
	Text   string
}
