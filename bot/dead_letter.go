package bot

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// deadLetterText is the answer to a command that will not be tried again.
func deadLetterText(ev port.Event, cause error, rec record.Record) string {
	state := sentence.DeadLetterState{Committing: rec.Committing && rec.Committed == nil}
	if committed(rec) {
		state.CommitLink = report.CommitLink(report.RepoURL(ev.Thread), rec.Committed.SHA)
	}
	if rec.Target != nil {
		state.Branch = rec.Target.Branch
	}
	return sentence.DeadLetter(cause, ev.Delivery, state)
}

// committed reports whether a record has the commit of its run.
func committed(rec record.Record) bool { return rec.Committed != nil && rec.Committed.SHA != "" }
