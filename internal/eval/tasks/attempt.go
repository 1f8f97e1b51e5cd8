package tasks

import (
	"io"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/offline"
)

// Model is a model that is measured.
type Model struct {
	Info port.ModelInfo
	// For returns the model for one run of a task.
	For func(Task) (port.Model, error)
}

// Source is a commit of a repository. Not safe for concurrent use.
type Source interface {
	offline.Source
	io.Closer
}

// attempt is one run of a task.
type attempt struct {
	task   Task
	model  Model
	number int // from 1
	open   func(ref port.RepoRef, commit string) (Source, error)
	check  Checker

	source    offline.Source
	metered   *metered
	committed *port.Upload // nil until there is a commit
	answers   []port.Comment
}
