package bot

import (
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// lookForCommit looks on the branch for the commit of a run that died when it may have made one, and records it. It
// reports whether it could look. It returns an error if that has to wait.
func (c committer) lookForCommit(ctx context.Context) (looked bool, err error) {
	rec := c.journal.Record()
	if !rec.Committing || rec.Committed != nil || rec.Target == nil || len(rec.Applications) == 0 {
		return false, nil
	}
	last := rec.LastApplication()
	sha, found, err := c.findCommit(ctx, *rec.Target, last.Base)
	if wait := (*port.WaitError)(nil); errors.As(err, &wait) {
		return false, err
	}
	if err != nil {
		c.log.WarnContext(ctx, "cannot look for the commit of a dead letter", "error", err)
		return false, nil
	}
	if found {
		err = record.Put(ctx, c.journal, record.CommitMade, record.Committed{Application: last, SHA: sha})
	}
	return true, err
}

// deadLetterText is the answer to a command that will not be tried again. looked reports whether the branch has no
// commit of its run but the recorded one.
func deadLetterText(ev port.Event, cause error, rec record.Record, looked bool, links port.Links) string {
	state := sentence.DeadLetterState{Committing: rec.Committing && rec.Committed == nil, NotOnBranch: looked}
	if committed(rec) {
		state.CommitLink = report.CommitLink(links, rec.Committed.SHA)
	}
	if rec.Target != nil {
		state.Branch = rec.Target.Branch
	}
	return sentence.DeadLetter(cause, ev.Delivery, state)
}

// committed reports whether a record has the commit of its run.
func committed(rec record.Record) bool { return rec.Committed != nil && rec.Committed.SHA != "" }
