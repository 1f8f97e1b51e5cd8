package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/record"
)

// moments say what each step of a record is, by its name without a number, in the order in which steps come that were
// recorded in the same millisecond.
var moments = []struct{ step, what string }{
	{"open", "found the branch"}, {"answer", "began the answer"}, {"check", "opened the check run"},
	{"wait", "waited"}, {"files", "asked which files to show"},
	{"context", "selected the code to show"}, {"retry", "found what to retry"},
	{"source", "found the edits to apply"}, {"choice", "chose the edits"}, {"undo", "found the commit to revert"},
	{"merge", "found the commit to merge"}, {"resolve", "noted what the conflicts become"},
	{"backport", "found the commits to backport"},
	{"run", "read the suggestions"}, {"ask", "the model answered"}, {"committing", "began to commit"},
	{"settled", "noted what the conflicts of a backport become"}, {"pick", "replayed the commits"},
	{"backported", "opened the pull request of a backport"},
	{"apply", "applied the edits"}, {"preview", "made the preview"}, {"verify", "tested the edits"},
	{"commit", "committed"}, {"sums", "noted what was committed"}, {"pull", "opened or found the pull request"},
	{"seen", "noted what the answer shows"}, {"offer", "offered a pull request"},
	{"suggest", "made suggestions on the diff"}, {"thread", "answered in a review thread"},
	{"report", "finished the answer"}, {"check.closed", "finished the check run"},
}

// stepKind returns the place of a step in moments, -1 for one that is not there, and its number, 0 for none.
func stepKind(name string) (place, number int) {
	at := func(kind string) int {
		return slices.IndexFunc(moments, func(m struct{ step, what string }) bool { return m.step == kind })
	}
	if place = at(name); place >= 0 {
		return place, 0
	}
	kind, n, _ := strings.Cut(name, ".")
	number, _ = strconv.Atoi(n)
	return at(kind), number
}

// timeline returns what happened when.
func (s Source) timeline() (out []Moment) {
	steps := slices.SortedFunc(slices.Values(s.Steps), func(a, b Step) int {
		place, number := stepKind(record.Name(a.Name))
		other, otherNumber := stepKind(record.Name(b.Name))
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(place, other), cmp.Compare(number, otherNumber))
	})
	if at := s.Event.Received; !at.IsZero() {
		out = append(out, Moment{What: "received the command", At: at})
	}
	if at := s.Record.Started; !at.IsZero() {
		out = append(out, Moment{What: "started", At: at})
	}
	for _, step := range steps {
		name := record.Name(step.Name)
		out = append(out, Moment{What: s.whatStep(name), Step: name, At: step.At})
	}
	if s.Ended != nil && !s.Ended.At.IsZero() {
		out = append(out, Moment{What: "ended", At: s.Ended.At})
	}
	slices.SortStableFunc(out, func(a, b Moment) int { return a.At.Compare(b.At) })
	for i := 1; i < len(out); i++ {
		out[i].Since = out[i].At.Sub(out[i-1].At)
	}
	return out
}

// whatStep says what a step is; its name for one of a later version.
func (s Source) whatStep(name string) string {
	place, n := stepKind(name)
	if place < 0 {
		return name
	}
	what := moments[place].what
	switch verifications := s.Record.Verifications; {
	case moments[place].step == "ask" && n > 0:
		what += ", call " + strconv.Itoa(n)
	case moments[place].step == "pick" && 0 < n && n <= len(s.Record.Picks):
		if s.Record.Picks[n-1].SHA() == "" {
			what = "found that nothing is to be replayed"
		}
	case moments[place].step == "backported" && 0 < n && n <= len(s.Record.Backports):
		if s.Record.Backports[n-1].Pull == 0 {
			what = "opened no pull request"
		}
	case moments[place].step == "commit" && s.Record.Committed != nil && s.Record.Committed.SHA == "":
		what = "found that nothing is to be committed"
	case moments[place].step == "verify" && 0 < n && n <= len(verifications):
		what += ": " + string(verifications[n-1].State)
	}
	return what
}
