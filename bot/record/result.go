package record

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
)

// Status says whether a block was applied, in the words of engine.Status.
type Status string

// The statuses of a block.
const (
	StatusApplied Status = "applied"
	StatusFailed  Status = "failed"
	StatusSkipped Status = "skipped"
)

// Applied reports whether the block was applied.
func (s Status) Applied() bool { return s == StatusApplied }

// Failed reports whether the block could not be applied.
func (s Status) Failed() bool { return s == StatusFailed }

// Skipped reports whether the block was neither applied nor failed.
func (s Status) Skipped() bool { return !s.Applied() && !s.Failed() }

// Result is the result of a block as it is recorded and reported.
type Result struct {
	// Number is the block's, from 1, if it is not its place among the results.
	Number int    `json:"number,omitempty"`
	Path   string `json:"path"`
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"`
	Detail string `json:"detail,omitempty"`
	// Purpose is what the model says that the block is for, as Markdown; empty if it does not say.
	Purpose string `json:"purpose,omitempty"`
	// Line is the line in the file, at the new commit; ReplyLine that in the reply. Level is the engine's.
	Line      int `json:"line,omitempty"`
	ReplyLine int `json:"reply_line"`
	Level     int `json:"level,omitempty"`
	// Diff is what an applied block changed, and what any other would have: a hunk of a unified diff, cut where it is
	// long. Added and Removed count its lines, all of them.
	Diff    string `json:"diff,omitempty"`
	Added   int    `json:"added,omitempty"`
	Removed int    `json:"removed,omitempty"`
	// Unshown is why Diff is not all of the change, letter by letter, in a clause; empty if it is. Whole is all of it
	// then, with U+XXXX for each character that is not shown; empty if it is too long or has a secret.
	Unshown string `json:"unshown,omitempty"`
	Whole   string `json:"whole,omitempty"`
	// Change and Place are the engine's fingerprint of the change; empty if there is none.
	Change string `json:"change,omitempty"`
	Place  string `json:"place,omitempty"`
	// Marks are what people have to be told of an applied block: what of it a reader does not see.
	Marks []string `json:"marks,omitempty"`
	// Problems are the first of what is wrong with the file after all its edits. Around are lines of the edited file
	// around the first, from AroundLine on; only the first result of a file has them.
	Problems   []Problem `json:"problems,omitempty"`
	Around     []string  `json:"around,omitempty"`
	AroundLine int       `json:"around_line,omitempty"`
	// Unchecked is why the file was not checked for syntax; empty if it was.
	Unchecked string `json:"unchecked,omitempty"`
	// Places are the lines at which an ambiguous block matches, MorePlaces the number of further ones.
	Places     []int `json:"places,omitempty"`
	MorePlaces int   `json:"more_places,omitempty"`
	// Nearest is the closest match of a failed block: lines of the file, from NearestLine on.
	Nearest     []string `json:"nearest,omitempty"`
	NearestLine int      `json:"nearest_line,omitempty"`
	// Differs is the first line of the closest match that differs, Want what the block expects there, Have what the file
	// has.
	Differs int    `json:"differs,omitempty"`
	Want    string `json:"want,omitempty"`
	Have    string `json:"have,omitempty"`
	// Sides are the three versions of the lines of a conflict; nil for any other result.
	Sides *Sides `json:"sides,omitempty"`
}

// Sides are the versions of the lines of a conflict: as the model saw them, as the edit wants them, and as the file has
// them, from Line on. Each is cut after some lines, and so are long lines.
type Sides struct {
	Base   []string `json:"base,omitempty"`
	Ours   []string `json:"ours,omitempty"`
	Theirs []string `json:"theirs,omitempty"`
	Line   int      `json:"line,omitempty"`
}

// maxProblems is how many problems of a file are recorded with each of its blocks.
const maxProblems = 3

// Problem is something wrong with a file after its edits.
type Problem struct {
	// Line is the line of the edited file; 0 if the problem concerns the whole file.
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
	// Syntax reports that the file does not parse.
	Syntax bool `json:"syntax,omitempty"`
}

// String returns the text, behind the line if there is one.
func (p Problem) String() string { return engine.FileProblem{Line: p.Line, Message: p.Text}.String() }

// problemsOf returns what is recorded of problems.
func problemsOf(all []engine.FileProblem) (out []Problem) {
	for _, p := range all[:min(len(all), maxProblems)] {
		out = append(out, Problem{Line: p.Line, Text: p.Message, Syntax: p.Syntax})
	}
	return out
}

// maxAround is the length to which each line around a problem is cut, in characters.
const maxAround = 300

// maxSide is how many lines of each version of a conflict are recorded.
const maxSide = 40

// sidesOf returns what is recorded of the conflict of a result, which is masked before; nil if it has none.
func sidesOf(r engine.Result) *Sides {
	c := r.Conflict
	if c == nil {
		return nil
	}
	cut := func(lines []string) []string { return clipped(lines[:min(len(lines), maxSide)]) }
	return &Sides{Base: cut(c.Base.Lines), Ours: cut(c.Ours.Lines), Theirs: cut(c.Theirs.Lines), Line: c.Theirs.Line}
}

func clipped(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = markdown.Clip(line, maxAround)
	}
	return out
}

// Results returns what is recorded of an outcome: in bounds, and without secrets.
func Results(o engine.Outcome) []Result {
	new(secret.Quotes).Results(o.Results)
	out := make([]Result, len(o.Results))
	room, wholeRoom, quoted := maxDiffs, maxDiffs, map[string]bool{}
	for i, r := range o.Results {
		out[i] = Result{Path: secret.Path(r.Path), Status: Status(r.Status.String()), Reason: string(r.Reason),
			Detail: r.Detail, Purpose: secret.Redacted(r.Block.Purpose), Line: r.Line, ReplyLine: r.Block.Line,
			Level: int(r.Level)}
		d := diffOf(r)
		out[i].Diff, out[i].Added, out[i].Removed = d.text(min(room, maxDiff)), d.added, d.removed
		room -= len(out[i].Diff)
		if r.Edit != nil {
			f := r.Edit.Fingerprint(cmp.Or(r.From, r.Path))
			out[i].Change, out[i].Place = f.Change, f.Place
			out[i].Unshown = d.unshown(*r.Edit, out[i].Diff)
		}
		if out[i].Unshown != "" && r.Status != engine.Skipped {
			out[i].Whole = d.whole(*r.Edit, min(wholeRoom, maxWhole))
			wholeRoom -= len(out[i].Whole)
		}
		out[i].Marks = r.Marks
		out[i].Problems, out[i].Unchecked = problemsOf(r.Problems), r.Unchecked
		if r.Around != nil && !quoted[r.Path] {
			out[i].Around, out[i].AroundLine = clipped(r.Around.Lines), r.Around.Line
			quoted[r.Path] = true
		}
		out[i].Places, out[i].MorePlaces = r.MatchLines, r.MoreMatches
		if r.ClosestMatch != nil {
			out[i].Nearest, out[i].NearestLine = r.ClosestMatch.Lines, r.ClosestMatch.Line
		}
		if r.Difference != nil {
			out[i].Differs, out[i].Want, out[i].Have = r.Difference.Line, r.Difference.Want, r.Difference.Have
		}
		out[i].Sides = sidesOf(r)
	}
	return out
}

// Masked returns a result, which an earlier version of this program may have recorded, without the secrets in what it
// quotes.
func Masked(r Result) Result {
	r.Path, r.Purpose = secret.Path(r.Path), secret.Redacted(r.Purpose)
	r.Detail, r.Diff = secret.Fragment(r.Detail), secret.Fragment(r.Diff)
	r.Want, r.Have = secret.Fragment(r.Want), secret.Fragment(r.Have)
	r.Nearest, r.Around = maskedLines(r.Nearest), maskedLines(r.Around)
	if s := r.Sides; s != nil {
		r.Sides = &Sides{Base: maskedLines(s.Base), Ours: maskedLines(s.Ours), Theirs: maskedLines(s.Theirs), Line: s.Line}
	}
	r.Problems = slices.Clone(r.Problems)
	for i, p := range r.Problems {
		r.Problems[i].Text = secret.Fragment(p.Text)
	}
	return r
}

func maskedLines(lines []string) []string {
	if len(lines) == 0 {
		return lines
	}
	return strings.Split(secret.Fragment(strings.Join(lines, "\n")), "\n")
}

// NumberAt returns the number of the block; i is its place among the results, from 0.
func (r Result) NumberAt(i int) int { return cmp.Or(r.Number, i+1) }

type counts struct{ Applied, Failed, Skipped int }

// Count counts results by their status.
func Count(rows []Result) (n counts) {
	for _, r := range rows {
		switch {
		case r.Status.Applied():
			n.Applied++
		case r.Status.Failed():
			n.Failed++
		default:
			n.Skipped++
		}
	}
	return n
}
