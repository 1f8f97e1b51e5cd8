package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/internal/actions"
	"github.com/tenon-bot/tenon/internal/gh/links"
	"github.com/tenon-bot/tenon/internal/single"
)

// lastEnd keeps what the run of the job came to. It implements port.Audit. Safe for concurrent use.
type lastEnd struct {
	mu  sync.Mutex
	end port.Ended
}

// Committing implements port.Audit.
func (*lastEnd) Committing(context.Context, port.Event, port.Ended) error { return nil }

// Ended implements port.Audit.
func (l *lastEnd) Ended(_ port.Event, e port.Ended) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end = e
}

func (l *lastEnd) ended() port.Ended {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// jobOutcome is what the event of a job came to.
type jobOutcome struct {
	ev  port.Event
	rec record.Record
	end port.Ended
	// failure is why the command could not be carried out or answered, nil if it was.
	failure error
	// earlier reports that an earlier attempt at the job did it all.
	earlier bool
	from    eventOrigin
}

// recorded returns the record of the run of an event.
func recorded(memory *single.Memory, ev port.Event) record.Record {
	stored, ok := memory.Recorded(ev.Delivery)
	if !ok {
		return record.Record{}
	}
	rec, err := record.Load(stored)
	if err != nil {
		return record.Header(stored)
	}
	return rec
}

// results returns the results of the edits, and how many were committed and how many failed.
func (o jobOutcome) results() (list []record.Result, applied, failed int) {
	switch {
	case o.rec.Committed != nil:
		list = o.rec.Committed.Results
	case o.rec.Preview != nil:
		list = o.rec.Preview.Results
	}
	n := record.Count(list)
	if o.commit() == "" {
		return list, 0, n.Failed
	}
	return list, n.Applied, n.Failed
}

func (o jobOutcome) commit() string {
	made, _ := o.rec.Commit()
	return made.SHA
}

func (o jobOutcome) answer() string {
	for _, c := range []*record.AnswerComment{o.rec.Final, o.rec.Answer, o.rec.Suggested} {
		if c != nil && c.URL != "" {
			return c.URL
		}
	}
	return ""
}

func (o jobOutcome) outputs() []actions.Output {
	_, applied, failed := o.results()
	return []actions.Output{{Name: "commit", Value: o.commit()}, {Name: "applied", Value: strconv.Itoa(applied)},
		{Name: "failed", Value: strconv.Itoa(failed)}, {Name: "answer-url", Value: o.answer()}}
}

// sentence says in plain text what the event came to.
func (o jobOutcome) sentence() string {
	_, applied, failed := o.results()
	why := secret.Fragment(markdown.OneLine(o.end.Why))
	switch {
	case o.failure != nil:
		return o.whyFailed()
	case o.commit() != "":
		text := fmt.Sprintf("%s committed as %.7s", english.Plural(applied, "edit", ""), o.commit())
		if failed > 0 {
			text += fmt.Sprintf(", %d not applied", failed)
		}
		return text + "."
	case o.earlier:
		return "The command was answered."
	case o.end.Outcome == port.EndRefused:
		return "Refused: " + cmp.Or(why, "the answer says why.")
	case o.end.Outcome == port.EndUnchanged:
		return "Nothing was committed; the answer says why."
	case o.end.Outcome == "":
		return "Nothing to do: there is no command in it."
	}
	return "The command was answered."
}

// whyFailed says why the command could not be carried out or answered, and what to do.
func (o jobOutcome) whyFailed() string {
	why := "The command failed: " + secret.Fragment(markdown.OneLine(o.failure.Error()))
	var denied *port.TokenError
	switch {
	case errors.Is(o.failure, errJobCancelled):
		return "The job was cancelled."
	case o.from.fork && errors.Is(o.failure, port.ErrDenied):
		return "GitHub gives the job of this event a token that can only read, because the pull request comes from a " +
			"fork: give the command in a comment below the pull request instead. (" + why + ")"
	case errors.As(o.failure, &denied) && len(denied.Lacks) > 0:
		return fmt.Sprintf("The token of the job lacks a permission: add `%s` to `permissions:` of the workflow. (%s)",
			strings.Join(denied.Lacks, "` and `"), why)
	}
	return why
}

// level returns how the sentence is shown; "" for one that is no annotation.
func (o jobOutcome) level() actions.Level {
	_, _, failed := o.results()
	switch {
	case o.failure != nil:
		return actions.Error
	case failed > 0 || o.end.Outcome == port.EndRefused || o.end.Outcome == port.EndUnchanged:
		return actions.Warning
	case o.commit() != "":
		return actions.Notice
	}
	return ""
}

// maxRows bounds the edits that a summary lists.
const maxRows = 100

// summary returns the summary of the job as Markdown. Nothing in it is anybody's Markdown.
func (o jobOutcome) summary() string {
	var b strings.Builder
	b.WriteString("### tenon\n\n")
	if o.ev.Sender.Login != "" {
		b.WriteString(report.CommandLink(o.end.Command, o.ev) + ": ")
	}
	b.WriteString(markdown.Code(o.sentence()))
	if sha := o.commit(); sha != "" {
		b.WriteString(" " + report.CommitLink(links.Of(o.ev.Thread), sha))
	}
	if url := o.answer(); url != "" {
		fmt.Fprintf(&b, " [The answer](%s)", url)
	}
	b.WriteString("\n")
	list, _, _ := o.results()
	if len(list) > 0 {
		b.WriteString("\n| # | file | edit | why not |\n|---|---|---|---|\n")
	}
	for i, r := range list[:min(len(list), maxRows)] {
		why := " "
		if r.Reason != "" {
			why = markdown.CellCode(markdown.Clip(cmp.Or(r.Detail, r.Reason), 200))
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.NumberAt(i), markdown.CellCode(markdown.Clip(r.Path, 200)),
			r.Status, why)
	}
	if more := len(list) - maxRows; more > 0 {
		fmt.Fprintf(&b, "\nand %s.\n", english.Plural(more, "more edit", ""))
	}
	return b.String()
}

// tell writes the outputs, the summary and the log of the step. It returns errSome if the command failed.
func (j *jobRun) tell(o jobOutcome) error {
	if j.job.Outputs != "" {
		if err := actions.WriteOutputs(j.job.Outputs, o.outputs()); err != nil {
			return fmt.Errorf("writing the outputs: %w", err)
		}
	}
	if j.job.Summary != "" {
		if err := actions.WriteSummary(j.job.Summary, o.summary()); err != nil {
			return fmt.Errorf("writing the summary: %w", err)
		}
	}
	var err error
	if o.earlier {
		_, err = fmt.Fprintln(j.console, "An earlier attempt at this job did it all; nothing was done again.")
	}
	if level := o.level(); level != "" && err == nil {
		err = j.console.Annotate(level, o.sentence())
	} else if err == nil {
		_, err = fmt.Fprintln(j.console, o.sentence())
	}
	if url := o.answer(); url != "" && err == nil {
		_, err = fmt.Fprintln(j.console, "The answer:", url)
	}
	if err == nil && o.failure != nil {
		return errSome
	}
	return err
}
