package policy

import (
	"github.com/tenon-bot/tenon/bot/port"
)

// Origin is one of the sources of settings.
type Origin string

// The sources, the mightiest first.
const (
	Server       Origin = "server"
	Organisation Origin = "organisation"
	Repository   Origin = "repository"
)

// Setting is what a layer says of a key; the zero value says nothing.
type Setting[T any] struct {
	Value T
	Set   bool
	// Line is the file's, from 1; 0 where it was no line of a file.
	Line int
}

// Word is an item of a list.
type Word struct {
	Text string
	Line int
}

// Layer is what one source says, each value in the range that Policy gives it.
type Layer struct {
	Enabled                    Setting[bool]
	Verbs, Models              Setting[[]Word]
	Who                        Setting[port.Permission]
	Model, Format, Label, Base Setting[string]
	// Hold is "partial: hold", Push "commits: push", LineFeeds "line_endings: lf".
	Hold, Push, LineFeeds Setting[bool]
	Protected, Ignore     Setting[[]Word]
	Instructions          Setting[string]
	Autofix               Setting[int]
	// Files, Blocks and Tokens are of Bounds, the rest is of Limits.
	Files, Blocks                                                   Setting[int]
	Tokens                                                          Setting[int64]
	UserCommands, RepositoryCommands, RepositoryTokens, OwnerTokens Setting[int64]
}

// Problem is something wrong in the settings.
type Problem struct {
	Source Origin
	// Line is 0 where it is about the whole file.
	Line int
	// Text says what is wrong and what to do. It is plain, and may quote the file: escape it.
	Text string
	// Closes says that a restriction may have been lost by it: nothing is changed until it is mended.
	Closes bool
}

// Mark is the line that a value comes from.
type Mark struct {
	Origin Origin
	Line   int
}

// SettingsFile is a file of settings, at a commit.
type SettingsFile struct {
	Repo port.RepoRef
	SHA  string
}
