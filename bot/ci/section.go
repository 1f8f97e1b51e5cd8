package ci

import (
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// What the runner writes where a part of a log begins or ends.
const (
	runGroup   = "##[group]Run "
	groupStart = "##[group]"
	groupEnd   = "##[endgroup]"
	postStep   = "Post job cleanup."
)

// failedSteps returns the steps of a job that failed, or those that were running when it was cancelled or timed out.
func failedSteps(steps []port.JobStep) (failed []port.JobStep) {
	for _, conclusions := range [][]string{{"failure", "timed_out"}, {"cancelled"}} {
		for _, s := range steps {
			if slices.Contains(conclusions, s.Conclusion) {
				failed = append(failed, s)
			}
		}
		if len(failed) > 0 {
			return failed
		}
	}
	return nil
}

// section is when a step ran: between two times up to their seconds, both included. In its first second it is the
// group of that number that is its own: the steps before it may have begun in the same second.
type section struct {
	from, to string
	groups   int
}

// sectionsOf returns when the failed steps of a job ran, none if that is not known.
func sectionsOf(job port.Job) (out []section) {
	for _, failed := range failedSteps(job.Steps) {
		s := section{from: second(failed.Started), to: second(failed.Completed)}
		if s.from == "" {
			continue
		}
		if s.to == "" || s.to < s.from {
			s.to = "9999" // it was still running
		}
		for _, before := range job.Steps {
			if before.Number < failed.Number && before.Conclusion != "skipped" && second(before.Started) == s.from &&
				before.Number > 1 && !strings.HasPrefix(before.Name, "Post ") {
				s.groups++
			}
		}
		out = append(out, s)
	}
	return out
}

// second returns a time as logs have it, up to its seconds; empty if it is none.
func second(at string) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)[:timeBytes]
}

// position is where a line of a log is.
type position int

const (
	// outside of what failed.
	outside position = iota
	// inside of it.
	inside
	// begins it: what was taken for a part of it before is none.
	begins
)

// tracker says which lines of a log are of what failed. Where it is known when the failed steps ran, that decides, and
// the groups of the log in the seconds at which they began and ended. Else the log is cut at its groups.
type tracker struct {
	sections []section
	// grouped reports whether the group of the section was there, skipped how many of others were in its first second,
	// exited whether its program has ended.
	grouped, exited bool
	skipped         int
	// later reports that another section was before.
	later bool
}

// locate says where a line is that was written at a time. rest is the line.
func (t *tracker) locate(at, rest string) position {
	for len(t.sections) > 0 && at > t.sections[0].to {
		t.next()
	}
	if len(t.sections) == 0 || at < t.sections[0].from {
		return outside
	}
	s := t.sections[0]
	starts := strings.HasPrefix(rest, runGroup)
	switch {
	case t.exited && at == s.to && (starts || rest == postStep), t.grouped && at == s.to && rest == postStep:
		t.next()
		return t.locate(at, rest)
	case starts && !t.grouped && at == s.from && t.skipped < s.groups:
		t.skipped++
		return outside
	case starts && !t.grouped:
		t.grouped = true
		if !t.later {
			return begins
		}
	}
	if !t.grouped && t.skipped > 0 && at == s.from {
		return outside // it is of the step whose group was skipped
	}
	t.exited = t.exited || t.grouped && strings.HasPrefix(rest, "##[error]Process completed with exit code")
	return inside
}

// next goes on to the next section.
func (t *tracker) next() {
	*t = tracker{sections: t.sections[1:], later: t.later || t.grouped}
}
