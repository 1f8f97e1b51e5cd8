package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/prompts"
)

// runAddress is runFix for all review threads of a pull request that nobody has resolved: one commit, and in each thread what
// was done about it. Resolving them is for whoever reviews.
func runAddress(ctx context.Context, s *session) error {
	if !s.ev.Thread.Pull {
		return &UserError{"`/tenon address` settles the review threads of a pull request, and this is an issue. `/tenon fix` works here."}
	}
	what := s.task()
	what.kind, what.text = turnAddress, "Settle the review threads of this pull request."
	if s.inv.text != "" {
		what.text += "\n\n" + s.inv.text
	}
	if !has(s.run, "context") {
		var err error
		if what.reviews, err = s.reviews(ctx); err != nil {
			return err
		}
		what.files = what.reviews.files()
	}
	j, err := s.prepare(ctx, what)
	if err != nil {
		return err
	}
	return s.deliver(ctx, j)
}

// answerThreads says in each review thread what was done about it, once. Content writes are scarce: where nothing was said, nothing
// is posted.
func (s *session) answerThreads(ctx context.Context, r summary) error {
	for _, a := range r.Addressed {
		if a.silent() {
			continue
		}
		if _, err := step(ctx, s.journal, fmt.Sprintf("thread.%d", a.Comment), func() (posted, error) { return s.answerThread(ctx, r, a) }); err != nil {
			return err
		}
	}
	return nil
}

// reviews are the threads that are to be settled, as the model is shown them and as they are kept.
type reviews struct {
	shown []prompts.ReviewThread
	kept  []reviewThread
	// more is how many there are beside these.
	more int
}

// reviewThread is a thread that the model was asked to settle.
type reviewThread struct {
	// Number is how the reply names it, from 1.
	Number int `json:"number"`
	// Comment is its first comment.
	Comment int64  `json:"comment"`
	URL     string `json:"url,omitempty"`
	Path    string `json:"path"`
	// Line is 0 where the thread is outdated, or about the whole file.
	Line int `json:"line,omitempty"`
}

// files are those that the threads stand in, with their lines.
func (r reviews) files() (out []TaskFile) {
	for _, t := range r.kept {
		out = append(out, TaskFile{t.Path, span{t.Line, t.Line}})
	}
	return out
}
