package bot

import (
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// checksPatience is how long a prompt waits for the checks of its commit where they are not the task.
const checksPatience = 10 * time.Second

// failures returns what CI reports of the commit of a target: which checks failed, and why, if the task is about that.
// It fails with a *port.UserError if there is nothing to fix, although that is the whole task. What cannot be read is
// left out otherwise, so that it keeps nothing else from being done.
func (p prompter) failures(ctx context.Context, head record.Target, task task) (failures, error) {
	if !p.isChecked(head) {
		if task.ci == command.CINamed {
			return failures{}, sentence.CIHasNoBranch()
		}
		return failures{}, nil
	}
	f, err := p.checks(ctx, head.SHA, task)
	switch {
	case ctx.Err() != nil:
		return failures{}, context.Cause(ctx)
	case err != nil && task.ci == command.CINamed: // there is nothing else to do
		return failures{}, err
	case err != nil:
		p.ci.log.InfoContext(ctx, "continuing without CI reports", "commit", head.SHA, "error", err)
		return failures{commit: head.SHA, unknown: task.ci >= command.CIMentioned}, nil
	}
	if len(f.failed) == 0 {
		return f, p.nothingToFix(f, task.ci)
	}
	f.task = task.ci >= command.CIAndMore
	if task.ci == command.CINone && !namesOneOf(task.text, f) {
		return f, nil
	}
	return p.ci.explain(ctx, f)
}

// isChecked reports whether the branch of a target is a pull request's, or tenon's own, with a commit that CI may have
// checked.
func (p prompter) isChecked(head record.Target) bool {
	return head.SHA != "" && !head.New && (head.Pull != 0 || head.Branch != head.Base)
}

// checks reads the checks of a commit. A task that is not about them waits only so long.
func (p prompter) checks(ctx context.Context, sha string, task task) (failures, error) {
	if task.ci < command.CIAndMore {
		within, end := context.WithTimeout(ctx, checksPatience)
		defer end()
		return p.ci.checks(within, sha)
	}
	return p.ci.checks(ctx, sha)
}

// nothingToFix returns a *port.UserError if a task asks for nothing but what CI reports, and a *stoppedError if it is a
// round of autofix. Ordinary words about a commit without checks are an ordinary task, since what they mean is found
// elsewhere, and so is what follows "ci".
func (p prompter) nothingToFix(f failures, asked command.CIWords) error {
	link := report.CommitLink(p.github.Links(p.ev.Thread), f.commit)
	if p.ev.Kind == port.Autofix { // nobody asked
		return f.stopped()
	}
	switch pending := f.named(port.CheckPending); {
	case asked < command.CIMeant, asked == command.CIMeant && len(f.all.Checks) == 0:
		return nil
	case len(f.all.Checks) == 0:
		return sentence.CIReportsNothing(link, f.missing)
	case len(pending) > 0:
		return sentence.CIStillRuns(link, pending, f.missing)
	}
	return sentence.CIReportsNoFailure(link, f.named(port.CheckCancelled), f.missing)
}

// minNamed is the length of the shortest name of a check that words of a task can mean, in bytes.
const minNamed = 3

// namesOneOf reports whether a text names a check that failed: wholly, or without the variant in parentheses or the
// workflow before a slash.
func namesOneOf(text string, f failures) bool {
	text = strings.ToLower(text)
	for _, one := range f.failed {
		whole := strings.ToLower(one.Name)
		base, _, _ := strings.Cut(whole, " (")
		last := base[strings.LastIndex(base, " / ")+1:]
		for _, name := range []string{whole, base, strings.TrimPrefix(last, "/ ")} {
			if name = strings.TrimSpace(name); len(name) >= minNamed && hasWords(text, name) {
				return true
			}
		}
	}
	return false
}

// hasWords reports whether a text has words, and no letter or digit right beside them.
func hasWords(text, words string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], words)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(words)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, _ := utf8.DecodeRuneInString(text[to:])
		if !inWord(before) && !inWord(after) {
			return true
		}
		at = from + 1
	}
}

func inWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// stopped ends a round of autofix, because none of the checks failed.
func (f failures) stopped() *stoppedError {
	if len(f.named(port.CheckPending)) > 0 {
		return &stoppedError{sentence.AutofixRunsAgain}
	}
	return &stoppedError{sentence.AutofixNoFailure}
}
