package report

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// remarks say what the run did otherwise than people may expect, because of what others wrote or pushed.
func (r Summary) remarks() string {
	parts := []string{movedNote(r.Links, r.Moved, r.At)}
	if r.PreviewOnly {
		parts = append(parts, "This is only a preview, because the author of the labelled text has no write permission "+
			"here. `strangers: commit` in the settings commits such edits directly.")
	}
	if r.HeldBack {
		parts = append(parts, "Nothing is committed yet, because `caution: hold` in the settings leaves edits with a "+
			"caution to people.")
	}
	if r.CutIssue {
		parts = append(parts, cutNote)
	}
	return markdown.JoinSections(append(parts, ciNote(r.Context.CI)))
}

// cutNote says that a stranger's issue was not read to its end.
const cutNote = "The author has no write permission here, so the model read only the first 500 characters of the " +
	"description. Say in the command what else matters."

// movedNote says that the branch moved before anything was done; from is empty if it did not.
func movedNote(repo port.Links, from, to string) string {
	if from == "" || from == to {
		return ""
	}
	who := "somebody with write permission pushed"
	if repo != nil {
		who = "[" + who + "](" + repo.Compare(from, to) + ")"
	}
	return fmt.Sprintf("After the command was given, %s to the branch (`%.7s` → `%.7s`). This answer is about the new "+
		"commit.", who, from, to)
}
