package bot

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/prompts"
)

// fit cuts the issue, the conventions, the thread, the review threads and the failures of a first prompt, which has no
// files yet, to what the model's context has room for, and returns how much the code and the names may take, and what
// is shown of the failures. It fails with a *port.UserError if the task leaves no room for code.
func fit(in *prompts.Input, task *task, model port.ModelInfo, bounds policy.Bounds) (retrieve.Material, shownFailures,
	error) {
	code := retrieve.RoomOf(retrieve.CodeBytes(model, bounds))
	shown := task.failures.shown(everything)
	want := retrieve.Material{
		Code: code.Code, Names: code.Names,
		Conventions: quoted(conventionTexts(in.Conventions)), Thread: quoted(remarkTexts(in.Thread)),
		Subject: task.reviews.size() + shown.size(),
	}
	if in.Issue != nil {
		want.Subject += len(in.Issue.Text)
	}
	fixed := fixedBytes(*in, *task)
	room, ok := retrieve.WindowOf(model).Allot(fixed, want)
	if !ok && in.Retry != nil { // the model can do without the diffs of what failed
		in.Retry = withoutDiffs(*in.Retry)
		fixed = fixedBytes(*in, *task)
		room, ok = retrieve.WindowOf(model).Allot(fixed, want)
	}
	if !ok {
		return room, shownFailures{}, sentence.TaskTooLong(model.Name, int64(model.ContextTokens),
			int64(fixed)/port.BytesPerToken)
	}
	in.Conventions = clipConventions(in.Conventions, room.Conventions)
	in.Thread = clipRemarks(in.Thread, room.Thread)
	// Failures take what nothing else of the subject needs, and else half of it.
	if forFailures := max(room.Subject/2, room.Subject-(want.Subject-shown.size())); shown.size() > forFailures {
		shown = task.failures.shown(forFailures)
	}
	in.CI = shown.prompt
	room.Subject -= shown.size()
	if in.Issue != nil {
		issue := *in.Issue
		issue.Text = clip(issue.Text, max(0, room.Subject))
		room.Subject -= len(issue.Text)
		in.Issue = &issue
	}
	if task.reviews.size() > room.Subject {
		task.reviews = task.reviews.within(room.Subject)
		task.files = task.reviews.files()
	}
	in.Reviews = task.reviews.shown
	return room, shown, nil
}

// fixedBytes returns how many bytes of a prompt cannot be cut: the rules for the reply, and the task.
func fixedBytes(in prompts.Input, task task) int {
	in.Conventions, in.Thread, in.Reviews = nil, nil, nil
	if in.Issue != nil {
		in.Issue = &prompts.Issue{Pull: in.Issue.Pull, Author: in.Issue.Author, Title: in.Issue.Title, Text: "…"}
	}
	if len(task.reviews.shown) > 0 {
		in.Reviews = make([]prompts.ReviewThread, 1) // so that the words about them are there
	}
	if len(task.failures.failed) > 0 {
		in.CI = &prompts.CI{Task: task.failures.task, Pending: task.failures.pending()}
	}
	system, user := task.write(in)
	return len(system) + len(user)
}

func withoutDiffs(r prompts.Retry) *prompts.Retry {
	r.Failed = slices.Clone(r.Failed)
	for i := range r.Failed {
		r.Failed[i].Diff = ""
	}
	return &r
}

// clipConventions cuts the conventions to so many bytes. If too little would be left of each, the last go first.
func clipConventions(list []prompts.Convention, room int) []prompts.Convention {
	list = slices.Clone(list)
	for len(list) > 0 {
		if share, ok := quoteShare(conventionTexts(list), room); ok {
			for i := range list {
				list[i].Text = clip(list[i].Text, share)
			}
			return list
		}
		list = list[:len(list)-1]
	}
	return nil
}

func conventionTexts(list []prompts.Convention) (texts []string) {
	for _, c := range list {
		texts = append(texts, c.Text)
	}
	return texts
}

// clipNames leaves out names beyond so many bytes: first those of folders, the last before the first, then those that
// no file has.
func clipNames(listings []prompts.Listing, missing []string, room int) ([]prompts.Listing, []string) {
	room -= quoteBytes
	for i, name := range missing {
		if room -= len(name) + 1; room < 0 {
			return nil, missing[:i]
		}
	}
	var out []prompts.Listing
	for _, l := range listings {
		room -= quoteBytes + len(l.Folder)
		n := 0
		for n < len(l.Names) && room > len(l.Names[n]) {
			room -= len(l.Names[n]) + 1
			n++
		}
		if n > 0 {
			out = append(out, prompts.Listing{Folder: l.Folder, Names: l.Names[:n]})
		}
		if n < len(l.Names) {
			break
		}
	}
	return out, missing
}
