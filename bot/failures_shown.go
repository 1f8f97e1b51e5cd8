package bot

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/prompts"
)

// Sizes of what a prompt says of failures.
const (
	// listBytes is about what a failed check takes in their list besides its name.
	listBytes = 20
	// minOutput is the least of a log that is worth showing, in tokens, of a check.
	minOutput = 60
)

// shownFailures is what a prompt shows of failures, and what is recorded of that.
type shownFailures struct {
	prompt   *prompts.CI
	recorded *record.CI
}

// output is what the checks printed, as far as it is shown.
func (s shownFailures) output() string {
	if s.prompt == nil {
		return ""
	}
	var b strings.Builder
	for _, check := range s.prompt.Failed {
		b.WriteString(check.Output + "\n")
	}
	return b.String()
}

// size returns about how many bytes the failures take in a prompt.
func (s shownFailures) size() (n int) {
	if s.prompt == nil {
		return 0
	}
	for _, check := range s.prompt.Failed {
		n += len(check.Name) + len(check.Conclusion) + listBytes
		if check.Output != "" {
			n += len(check.Step) + len(check.Output) + quoteBytes
		}
	}
	return n
}

// everything is room for all that a prompt can show of failures, in bytes.
const everything = 1 << 20

// shown returns what a prompt shows of failures in so many bytes: the names of as many as there is room for, and in the
// rest what they printed. There is nothing to show if nothing failed.
func (f failures) shown(room int) shownFailures {
	if len(f.failed) == 0 {
		return shownFailures{recorded: f.gaps()}
	}
	p := prompts.CI{Commit: shortSHA(f.commit), Task: f.task, More: f.more}
	rec := record.CI{Commit: f.commit, More: f.more, Task: f.task, Missing: f.missing, Unknown: f.unknown,
		Fingerprint: f.fingerprint()}
	if f.task {
		p.Pending = f.pending()
	}
	for i, one := range f.failed {
		check := prompts.FailedCheck{Name: one.Name, Conclusion: one.Conclusion}
		if room -= len(check.Name) + len(check.Conclusion) + listBytes; room < 0 && i > 0 {
			p.More += len(f.failed) - i
			break
		}
		p.Failed = append(p.Failed, check)
	}
	excerpts := f.excerpts(len(p.Failed), room)
	for i, one := range f.failed {
		to := record.FailedCheck{Name: one.Name, Conclusion: one.Conclusion, Page: one.check.Page, Log: one.log}
		if i < len(excerpts) {
			p.Failed[i].Step = plainName(excerpts[i].Step)
			p.Failed[i].Output = outputOf(excerpts[i])
			to.Lines, to.SameAs = lines(excerpts[i].Text), excerpts[i].SameAs
		}
		rec.Failed = append(rec.Failed, to)
	}
	return shownFailures{prompt: &p, recorded: &rec}
}

// excerpts returns what the first n checks that failed printed, in so many bytes; of fewer, if there is no room for
// something of each, and of none if that was not read.
func (f failures) excerpts(n, room int) []ci.Excerpt {
	n = min(n, room/(quoteBytes+minOutput*port.BytesPerToken))
	if !f.read || n <= 0 {
		return nil
	}
	return ci.Excerpts(f.details()[:n], min(ci.MaxTokens, (room-n*quoteBytes)/port.BytesPerToken))
}

// outputOf is what a prompt shows of a check's output.
func outputOf(e ci.Excerpt) string {
	if e.SameAs != "" {
		return "the same as of " + plainName(e.SameAs)
	}
	return strings.TrimRight(e.Text, "\n")
}

func lines(text string) int {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return 0
	}
	return strings.Count(text, "\n") + 1
}

// gaps returns what is recorded of checks of which none is known to have failed: that it is not known, if that matters.
func (f failures) gaps() *record.CI {
	if !f.unknown {
		return nil
	}
	return &record.CI{Commit: f.commit, Unknown: true}
}

// maxPending is how many checks that have not ended a prompt names.
const maxPending = 10

// pending are names of checks that have not ended.
func (f failures) pending() []string {
	names := f.named(port.CheckPending)
	return names[:min(len(names), maxPending)]
}

// shortSHA returns a SHA as people write it.
func shortSHA(sha string) string { return sha[:min(len(sha), 7)] }
