package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// task is what the model is asked for.
type task struct {
	// text is what to do, in the words of whoever gave the command; empty if it is what the issue says.
	text string
	// files are those that the task is about, besides those that its text names.
	files []retrieve.TaskFile
	// kind is what the model is first asked for, write writes that prompt.
	kind  record.TurnKind
	write func(prompts.Input) (system, user string)
	// retry is what is left of an earlier run, reviews are review threads to address.
	retry   *prompts.Retry
	reviews reviews
	// ci says what the text has to do with CI, failures are what CI reports.
	ci       command.CIWords
	failures failures
}

// taskOf returns what a command asks for.
func taskOf(inv command.Invocation) task {
	return task{text: inv.Text, kind: record.TurnFix, write: prompts.Fix, ci: inv.CI}
}

// words returns what to do, as the model reads it.
func (t task) words() string {
	text := shownText(t.text)
	if !t.failures.task {
		return text
	}
	const ofCI = "Fix what CI reports as failed."
	if t.ci == command.CINamed {
		return ofCI
	}
	return ofCI + "\n\n" + text
}

// prompter builds prompts: it selects files, and reads the thread and the project's conventions.
type prompter struct {
	github port.GitHub
	ci     ciReader
	repos  repo.Repos
	files  *workspace
	// admit waits until there is room in memory to select files of a checkout; nil admits all.
	admit func(ctx context.Context, c repo.Checkout) (release func(), err error)
	// formats tells in which formats models write; nil knows nothing.
	formats port.Formats
	// documents are what is known of files from earlier commands; nil keeps nothing.
	documents *lexical.Cache
	ev        port.Event
	// trigger is the comment that gave the command, triggerKind the kind of its event, slug the app's name in it.
	trigger     port.Comment
	triggerKind port.EventKind
	slug        string
	options     command.Options
	policy      policy.Policy
	// isOwn reports whether a user is the app itself.
	isOwn func(port.User) bool
	// newKey returns a new key for the delimiters of a question.
	newKey func() string
	// people are those whose permission is known.
	people *authors
}

// admitted calls f, which selects files of a checkout, when there is room in memory for that.
func (p prompter) admitted(ctx context.Context, checkout repo.Checkout, f func() error) error {
	if p.admit == nil {
		return f()
	}
	release, err := p.admit(ctx, checkout)
	if err != nil {
		return fmt.Errorf("waiting for memory: %w", err)
	}
	defer release()
	return f()
}

// reviews are the review threads to address, as the model is shown them and as they are recorded.
type reviews struct {
	shown    []prompts.ReviewThread
	recorded []record.ReviewThread
	// hunks are the diffs above the threads, as GitHub has cut them; shown has them when they are masked.
	hunks []string
	// more counts the other threads.
	more int
}

// files are those that the threads are about, with their lines.
func (r reviews) files() (out []retrieve.TaskFile) {
	for _, t := range r.recorded {
		out = append(out, retrieve.TaskFile{Path: t.Path, Lines: retrieve.Span{From: t.Line, To: t.Line}})
	}
	return out
}
