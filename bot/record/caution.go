package record

import (
	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Caution is something about the edits that deserves a look, as it is recorded and reported.
type Caution struct {
	Kind caution.Kind `json:"kind"`
	Path string       `json:"path"`
	// Line is the line of the edited file, 0 if it concerns no line.
	Line int `json:"line,omitempty"`
	// What is a name or a piece of text, in bounds, that may be anybody's; empty for the file as a whole.
	What string `json:"what,omitempty"`
	// More is how many further cautions of the kind are left out behind this one.
	More int `json:"more,omitempty"`
}

// Cautions returns what is recorded of cautions: without secrets.
func Cautions(found []caution.Caution) (out []Caution) {
	for _, c := range found {
		out = append(out, Caution{Kind: c.Kind, Path: secret.Path(c.Path), Line: c.Line, What: secret.Redacted(c.What),
			More: c.More})
	}
	return out
}

// Cautions returns what of the edits deserves a look, as they were last.
func (r Record) Cautions() []Caution {
	switch {
	case r.Committed != nil:
		return r.Committed.Cautions
	case r.Preview != nil:
		return r.Preview.Cautions
	}
	return r.LastApplication().Cautions
}
