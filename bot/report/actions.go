package report

import (
	"github.com/tenon-bot/tenon/bot/command"
)

// closing is what people can do next: commands of a shell that the model suggests, and those of tenon that are named
// nowhere else. Undo is beside the commit, and retry in what is said of a failed edit.
func (r Summary) closing() string { return joinLines(r.commandList(), r.applyAllTheSame()) }

// undoCommand is the command that reverts the commit, as code; empty if there is none.
func (r Summary) undoCommand() string {
	switch {
	case r.SHA == "" || !r.offers(command.Undo):
		return ""
	case r.does() == reverting:
		return "`/tenon undo " + r.Costs.Run + "`"
	}
	return "`/tenon undo`"
}

// hasFailed reports whether an edit was not made.
func (r Summary) hasFailed() bool {
	n := r.tally()
	return n.made < n.wanted
}
