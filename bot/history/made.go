package history

import (
	"context"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/record"
)

// Made is a run that committed to a branch, with what the model said of its edits.
type Made struct {
	Run
	record.Commit
	// Explanation is Markdown, without secrets; empty if no model was asked, or its answer has been deleted.
	Explanation string
	// Undone reports whether another of the runs reverted the commit.
	Undone bool
}

// Made returns the runs that committed to the branch of a target, oldest first, own among them, the one of the event.
// Those whose records cannot be read are left out.
func (t Thread) Made(ctx context.Context, target record.Target, own record.Record) ([]Made, error) {
	past, err := t.past(ctx, t.numbers(target)...)
	if err != nil {
		return nil, err
	}
	all := []Run{{own, t.Event}}
	for _, p := range past {
		if run, err := t.load(p); err == nil && run.ID != own.ID {
			all = append(all, run)
		}
	}
	var out []Made
	var commits Commits
	for _, run := range all {
		if c, ok := run.Commit(); ok && c.Branch == target.Branch {
			out = append(out, Made{Run: run, Commit: c, Explanation: explanationOf(run, all)})
			commits = append(commits, c)
		}
	}
	for i := range out {
		out[i].Undone = commits.Undoer(out[i].ID) != ""
	}
	slices.Reverse(out)
	return out, nil
}

// explanationOf returns what the model said of the edits of a run; for an apply, of those of its preview.
func explanationOf(run Run, all []Run) string {
	rec := run.Record
	if rec.Source != nil && rec.Source.Preview != "" {
		i := slices.IndexFunc(all, func(r Run) bool { return r.ID == rec.Source.Preview })
		if i < 0 {
			return ""
		}
		rec = all[i].Record
	}
	return conversation.Replies(rec).Reply().Explanation
}

// IssueOf returns the issue that tenon made a branch for; ok is false for any other branch.
func IssueOf(branch string) (number int, ok bool) {
	m := issueBranch.FindStringSubmatch(branch)
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}
